"""A handoff: where one session left off, for the next one to claim exactly once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_mcp.continuity.record_folder import FoundRecord
from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.model.record import Event
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.record_file import RecordText, RecordValue

MANUAL = "manual"
AUTOMATIC = "automatic"

ITEMS = ("next_steps", "open_questions", "files_touched")


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

    `updated` is when its own session last rewrote it. `opened_on` is the machine that opened it, and `rivals`
    are claims of other clones beside the one that counts, `decided_by`.
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
    opened_on: str
    draft: HandoffDraft
    decided_by: Event | None = None
    rivals: tuple[Event, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it waits to be claimed."""
        return self.state == "open"


def handoff_of(scope: Scope, found: FoundRecord) -> Handoff:
    """The handoff that a record's file tells."""
    text = found.text
    opened = text.history[0] if text.history else None
    created = _time(text.text("created")) or (opened.at if opened else datetime.min)
    return Handoff(
        id=found.id,
        scope=scope,
        wiki_path=found.wiki_path,
        state=found.fold.state,
        origin=text.text("origin") or MANUAL,
        created=created,
        updated=_time(text.text("updated")) or created,
        agent=text.text("agent"),
        session=text.text("session"),
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


def handoff_text(handoff: Handoff) -> str:
    """What a handoff says, as markdown."""
    draft = handoff.draft
    lines = [f"# {draft.title}", ""]
    for title, items in (
        ("Open questions", draft.open_questions),
        ("Next steps", draft.next_steps),
        ("Files touched", draft.files_touched),
    ):
        if items:
            lines += [f"{title}:", *(f"- {item}" for item in items), ""]
    return "\n".join([*lines, draft.summary])


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


def _items(text: RecordText, key: str) -> tuple[str, ...]:
    value = text.values.get(key)
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _time(text: str) -> datetime | None:
    try:
        return parse_time(text) if text else None
    except (ValueError, OverflowError):
        return None
