"""What a batch of spooled events adds to one session: its lines, and what has to follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory_mcp.capture.event_names import IMPORTANCE
from memory_mcp.model.clock import parse_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record_id import new_id
from memory_mcp.sessions.session_file import (
    SUBSTANTIVE,
    Session,
    SessionEvent,
    SessionHead,
    SessionMark,
    event_line,
    head_line,
    mark_line,
)

_TOOL_KEYS = ("family", "call", "outcome", "name", "path")


class BadEvent(Exception):
    """An entry that can never become an event; the text says why."""


@dataclass
class SessionGrowth:
    """A session while a batch is folded into it. `lines` are those to append, in order."""

    before: Session
    events: list[SessionEvent] = field(default_factory=list)
    """Those of the batch that the session does not have yet."""
    marks: list[SessionMark] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    log: list[tuple[datetime, str, str]] = field(default_factory=list)
    checkpoint: str = ""
    """The event that asks for a page while the session goes on, "" for none."""
    has_stopped: bool = False
    end_reason: str | None = None
    managed: bool = False
    last_at: datetime | None = None

    def __post_init__(self) -> None:
        self._keys = set(self.before.keys)
        known = (event.key for event in self.before.events if event.kind in SUBSTANTIVE)
        self._first_work = next(known, "")

    @property
    def session(self) -> Session:
        """The session as it is with this batch."""
        return replace(
            self.before,
            events=(*self.before.events, *self.events),
            marks=(*self.before.marks, *self.marks),
        )

    def take(self, entry: Mapping[str, Any]) -> None:
        """Let the session have this event, unless it has it; what follows from it is noted either way.

        Raises:
            BadEvent: the entry says no time, or has no key.
        """
        event = event_of(entry, len(self.before.events) + len(self.events) + 1)
        self.managed = self.managed or bool(entry.get("managed_run"))
        self.last_at = event.at
        if event.key not in self._keys:
            self._keys.add(event.key)
            self.events.append(event)
            self.lines.append(event_line(event))
        if event.kind in SUBSTANTIVE and not self._first_work:
            self._first_work = event.key
        self._note(entry, event)

    def mark(self, mark: SessionMark) -> None:
        """Note a checkpoint or an end."""
        self.marks.append(mark)
        self.lines.append(mark_line(mark))

    def _note(self, entry: Mapping[str, Any], event: SessionEvent) -> None:
        if event.key == self._first_work:
            self.log.append((event.at, "session", f"{self.before.head.agent} {self.before.head.id}"))
        if event.kind == "user-prompt":
            self.log.append((event.at, "user-prompt", event.title))
        elif event.kind in ("pre-compact", "post-compaction"):
            self.checkpoint = event.kind
        elif event.kind == "stop":
            self.has_stopped = True
        elif event.kind == "session-end":
            self.end_reason = one_line(str(entry.get("reason") or ""), 40)


def event_of(entry: Mapping[str, Any], seq: int) -> SessionEvent:
    """The event that a spool entry holds.

    Raises:
        BadEvent: it says no time, or has no key.
    """
    key, kind = entry.get("key"), entry.get("kind")
    try:
        at = parse_time(str(entry.get("created")))
    except (ValueError, OverflowError):
        raise BadEvent("it says no time") from None
    if not isinstance(key, str) or not key or kind not in IMPORTANCE:
        raise BadEvent("it has no key or no kind that is known")
    tool = entry.get("tool")
    known = {name: str(tool[name]) for name in _TOOL_KEYS if name in tool} if isinstance(tool, dict) else {}
    return SessionEvent(
        id=new_id(at),
        seq=seq,
        at=at,
        key=key,
        kind=str(kind),
        title=str(entry.get("title") or ""),
        body=str(entry.get("body") or ""),
        importance=IMPORTANCE[str(kind)],
        extension=str(entry.get("extension") or ""),
        source_event=str(entry.get("source_event") or ""),
        tool=known,
    )


def begin_growth(session: Session | None, head: SessionHead) -> SessionGrowth:
    """The growth of a session that is there, or of a new one with this head."""
    if session is not None and session.head.agent:
        return SessionGrowth(session)
    started = Session(head, *((session.events, session.claims, session.marks) if session else ()))
    return SessionGrowth(started, lines=[head_line(head)])
