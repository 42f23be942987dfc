"""The brief of a project within a size: what is pinned, the rules, the slots, then what changed last.

What does not fit is cut with a note, then only named, then only counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_mcp.briefing.brief_pages import BriefPages
from memory_mcp.model.page import Page
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import Scope

CUT = "\n[… the page goes on; read it with memory_read_page …]"
_NAMES_SHARE = 3
"""Names of pages that did not fit get at most one third of the room."""
_LEAST_BODY = 120


def brief_text(scope: Scope, pages: BriefPages, limit: int) -> str:
    """The brief in at most `limit` characters, "" for a project of which nothing is known."""
    if not pages.core and not pages.recent:
        return ""
    title = f"# What the memory of {scope} holds ({pages.total:,} page{'s' * (pages.total != 1)})"
    room = limit - len(title)
    names_room = min(room // _NAMES_SHARE, sum(len(_name(page)) + 3 for page in pages.core) + 40)
    shown, omitted, room = _bodies(pages.core, room, names_room)
    parts = [title, *shown]
    named = _named(omitted, room * 2 // 3)
    if named:
        parts.append(named)
        room -= len(named)
    parts.append(_recent(pages.recent, room))
    return "".join(parts)


def _bodies(core: Sequence[Page], room: int, names_room: int) -> tuple[list[str], list[Page], int]:
    """The pages that fit, those that do not, and the room that is left; the first too long is cut.

    Unless all fit, `names_room` is kept for the names of the others.
    """
    texts = [f"\n\n## {_name(page)}\n\n{page.body.strip()}" for page in core]
    if sum(map(len, texts)) <= room:
        return texts, [], room - sum(map(len, texts))
    shown: list[str] = []
    for at, (page, text) in enumerate(zip(core, texts, strict=True)):
        left = room - names_room
        if len(text) <= left:
            shown.append(text)
            room -= len(text)
            continue
        if left - len(CUT) >= len(_name(page)) + _LEAST_BODY:
            shown.append(text[: left - len(CUT)].rstrip() + CUT)
            return shown, list(core[at + 1 :]), room - len(shown[-1])
        return shown, list(core[at:]), room
    return shown, [], room


def _named(pages: Sequence[Page], room: int) -> str:
    if not pages:
        return ""
    heading = "\n\n## Not shown here\n"
    lines: list[str] = []
    length = len(heading)
    for page in pages:
        line = f"\n- {_name(page)}"
        if length + len(line) + 20 > room:
            break
        lines.append(line)
        length += len(line)
    left = len(pages) - len(lines)
    more = f"\n- {'and ' * bool(lines)}{left} more" if left and length + 20 <= room else ""
    return heading + "".join(lines) + more if lines or more else ""


def _recent(recent: Sequence[Page], room: int) -> str:
    heading = "\n\n## Changed last\n"
    lines: list[str] = []
    length = len(heading)
    for page in recent:
        line = f"\n- {_name(page)}"
        if length + len(line) > room:
            break
        lines.append(line)
        length += len(line)
    return heading + "".join(lines) if lines else ""


def _name(page: Page) -> str:
    kind = f", {page.meta.slot_kind}" if page.meta.slot_kind else ""
    return f"{one_line(page.title, 80)} ({one_line(page.path, 120)}{kind})"
