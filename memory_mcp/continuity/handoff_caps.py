"""How long the parts of a handoff may be; what is cut says so. Secrets were taken out before."""

from __future__ import annotations

from dataclasses import replace

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.record_text import CUT, body_text, cut_text
from memory_mcp.model.plain_text import one_line

MAX_TITLE_CHARS = 80
MAX_SUMMARY_CHARS = 3_000
MAX_ITEM_CHARS = 1_500
MAX_FILE_CHARS = 512
MAX_ITEMS = 20
MAX_ITEMS_CHARS = 6_000
MAX_FILES_CHARS = 4_096


def cap_draft(draft: HandoffDraft) -> HandoffDraft:
    """The draft within its limits, each item on one line."""
    return replace(
        draft,
        title=one_line(draft.title, MAX_TITLE_CHARS),
        summary=body_text(draft.summary, MAX_SUMMARY_CHARS),
        open_questions=_items(draft.open_questions, MAX_ITEM_CHARS, MAX_ITEMS_CHARS),
        next_steps=_items(draft.next_steps, MAX_ITEM_CHARS, MAX_ITEMS_CHARS),
        files_touched=_items(draft.files_touched, MAX_FILE_CHARS, MAX_FILES_CHARS),
        dir=one_line(draft.dir, MAX_FILE_CHARS),
        branch=one_line(draft.branch, MAX_FILE_CHARS),
    )


def _items(items: tuple[str, ...], each: int, total: int) -> tuple[str, ...]:
    """At most `MAX_ITEMS` lines of `total` characters together; the last says how many are left out."""
    lines = [line for item in items if (line := one_line(item))]
    kept: list[str] = []
    room = total
    for line in lines[:MAX_ITEMS]:
        line = cut_text(line, each)
        if len(line) > room:
            break
        kept.append(line)
        room -= len(line)
    left_out = len(lines) - len(kept)
    if left_out:
        more = f"({left_out} more{CUT})"
        while kept and (len(kept) == MAX_ITEMS or room < len(more)):
            room += len(kept.pop())
            left_out += 1
            more = f"({left_out} more{CUT})"
        kept.append(more)
    return tuple(kept)
