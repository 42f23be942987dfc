"""A handoff: where one session left off, for the next one to claim exactly once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.model.plain_text import one_line, plain_lines
from memory_mcp.model.record import Event
from memory_mcp.model.record_id import made_at
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.record_file import RecordText, RecordValue
from memory_mcp.wiki.record_read import RecordFile

MANUAL = "manual"
AUTOMATIC = "automatic"

MAX_TOLD_CHARS = 8_000
"""What of a handoff goes into one answer or the start of a session; `handoffs --show` prints all of it."""

_LIST_FRAME_CHARS = 60
"""The heading of a list, and the line that says how many items are left out."""


@dataclass(frozen=True, slots=True)
class HandoffDraft:
    """What a handoff says. `dir` is relative to the repository's root, `cwd` the absolute folder."""

    title: str
    summary: str
    open_questions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    files_touched: tuple[str, ...] = ()
    dir: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Handoff:
    """A handoff as its file tells it.

    `updated` is when its own session last rewrote it, `session` that session, "" for one begun by hand.
    `opened_by` is the session in which it was opened or begun, and `opened_on` its machine. `rivals` are
    decisions of other clones beside the one that counts, `decided_by`.
    """

    id: str
    scope: Scope
    wiki_path: str
    state: str
    origin: str
    created: datetime
    updated: datetime
    agent: str
    session: str
    opened_by: str
    opened_on: str
    draft: HandoffDraft
    decided_by: Event | None = None
    rivals: tuple[Event, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it waits to be claimed."""
        return self.state == "open"


def handoff_of(scope: Scope, found: RecordFile) -> Handoff:
    """The handoff that a record's file tells."""
    text = found.text
    opened = next((event for event in text.history if event.event == "opened"), None)
    created = _time(text.text("created")) or made_at(found.id)
    return Handoff(
        id=found.id,
        scope=scope,
        wiki_path=found.path,
        state=found.fold.state,
        origin=text.text("origin") or MANUAL,
        created=created,
        updated=_time(text.text("updated")) or created,
        agent=text.text("agent"),
        session=text.text("session"),
        opened_by=opened.session if opened else "",
        opened_on=opened.machine if opened else "",
        draft=HandoffDraft(
            title=text.text("title"),
            summary=text.body.strip("\n"),
            open_questions=_items(text, "open_questions"),
            next_steps=_items(text, "next_steps"),
            files_touched=_items(text, "files_touched"),
            dir=text.text("dir"),
            branch=text.text("branch"),
        ),
        decided_by=found.fold.decided_by,
        rivals=found.fold.rivals,
    )


def closed_sentence(handoff: Handoff) -> str:
    """Why a handoff that is not open cannot be taken."""
    by = handoff.decided_by
    who = f" by {one_line(by.agent, 40) or 'somebody'}" if by else ""
    return f"handoff {handoff.id} is {handoff.state}{who}: look at the list for what is still open."


def handoff_text(handoff: Handoff, limit: int | None = None) -> str:
    """What a handoff says, as markdown, without what a terminal obeys.

    With `limit` at most about so many characters: items of its lists are left out then, and counted, for
    the summary is what says most.
    """
    draft = handoff.draft
    lists = (
        ("Open questions", draft.open_questions),
        ("Next steps", draft.next_steps),
        ("Files touched", draft.files_touched),
    )
    room = None if limit is None else limit - len(draft.title) - len(draft.summary)
    lines = [f"# {draft.title}", ""]
    for name, items in lists:
        shown = _within(items, room)
        if items:
            block = [f"{name}:", *(f"- {item}" for item in shown)]
            if len(shown) < len(items):
                block.append(f"- [… {len(items) - len(shown)} more left out …]")
            lines += [*block, ""]
            room = None if room is None else room - sum(map(len, block))
    return plain_lines("\n".join([*lines, draft.summary]))


def handoff_values(
    record_id: str,
    draft: HandoffDraft,
    *,
    created: datetime,
    updated: datetime | None,
    origin: str,
    agent: str,
    session: str,
) -> Mapping[str, RecordValue]:
    """The frontmatter of a handoff but its state and history."""
    return {
        "id": record_id,
        "title": draft.title,
        "created": format_time(created),
        "updated": format_time(updated) if updated else "",
        "origin": origin,
        "agent": agent,
        "session": session,
        "dir": draft.dir,
        "branch": draft.branch,
        "next_steps": draft.next_steps,
        "open_questions": draft.open_questions,
        "files_touched": draft.files_touched,
    }


def _within(items: Sequence[str], room: int | None) -> Sequence[str]:
    """The first items, as many as fit with the dashes before them and a heading."""
    if room is None:
        return items
    room -= _LIST_FRAME_CHARS
    for count, item in enumerate(items):
        room -= len(item) + len("- \n")
        if room < 0:
            return items[:count]
    return items


def _items(text: RecordText, key: str) -> tuple[str, ...]:
    value = text.values.get(key)
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _time(text: str) -> datetime | None:
    try:
        return parse_time(text) if text else None
    except (ValueError, OverflowError):
        return None
