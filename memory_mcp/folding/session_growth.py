"""What a batch of spooled events adds to one session: its lines, and what has to follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory_mcp.folding.spool_entry import SpooledEvent
from memory_mcp.model.plain_text import one_line
from memory_mcp.sessions.session import SUBSTANTIVE, Session, SessionEvent, SessionHead, SessionMark
from memory_mcp.sessions.session_lines import event_line, head_line, mark_line

_MAX_REASON_CHARS = 40


@dataclass
class SessionGrowth:
    """A session while a batch is folded into it. `lines` are those to append, in order."""

    before: Session
    lines: list[dict[str, Any]] = field(default_factory=list)
    log: list[tuple[datetime, str, str]] = field(default_factory=list)
    checkpoint: SessionEvent | None = None
    """What asks for a page while the session goes on."""
    stop: SessionEvent | None = None
    end: SessionEvent | None = None
    end_reason: str = ""
    hands_over: bool = True
    """Not so where whoever started the session keeps track of it."""

    def __post_init__(self) -> None:
        self._events: list[SessionEvent] = []  # those of the batch that the session does not have yet
        self._marks: list[SessionMark] = []
        self._known = dict(self.before.by_key)
        self._last_seq = max((event.seq for event in self.before.events), default=0)
        first = (event.key for event in self.before.events if event.kind in SUBSTANTIVE)
        self._first_work = next(first, "")
        self.hands_over = not self.before.head.managed_run

    @property
    def session(self) -> Session:
        """The session as it is with this batch."""
        return replace(
            self.before,
            events=(*self.before.events, *self._events),
            marks=(*self.before.marks, *self._marks),
        )

    @property
    def new_marks(self) -> tuple[SessionMark, ...]:
        """The checkpoints and ends that this batch adds."""
        return tuple(self._marks)

    def take(self, spooled: SpooledEvent) -> None:
        """Let the session have this event, unless it has it; what follows from it is noted either way."""
        event = self._known.get(spooled.event.key)  # as it was recorded, so that log lines come out the same
        if event is None:
            self._last_seq += 1
            event = spooled.event._replace(seq=self._last_seq)
            self._known[event.key] = event
            self._events.append(event)
            self.lines.append(event_line(event))
        if event.kind in SUBSTANTIVE and not self._first_work:
            self._first_work = event.key
        if spooled.text("managed_run"):
            self.hands_over = False
        self._note(spooled, event)

    def close(self, reason: str) -> None:
        """Let the session end where something happened in it last."""
        self.end = self.session.events[-1]
        self.end_reason = reason

    def mark(self, mark: SessionMark) -> None:
        """Note a checkpoint or an end."""
        self._marks.append(mark)
        self.lines.append(mark_line(mark))

    def _note(self, spooled: SpooledEvent, event: SessionEvent) -> None:
        if event.key == self._first_work:
            self.log.append((event.at, "session", f"{self.before.head.agent} {self.before.head.id}"))
        is_own = not spooled.entry.get("subagent")
        if event.kind == "user-prompt" and is_own:
            self.log.append((event.at, "user-prompt", event.title or event.body))
        elif event.kind in ("pre-compact", "post-compaction") and is_own:
            self.checkpoint = event
        elif event.kind == "stop" and is_own:
            self.stop = event
        elif event.kind == "session-end":
            self.end = event
            self.end_reason = one_line(spooled.text("reason"), _MAX_REASON_CHARS)
            self.hands_over = self.hands_over and is_own


def begin_growth(session: Session | None, head: SessionHead) -> SessionGrowth:
    """The growth of a new session with this head; `session` is what its file holds without one: claims."""
    started = Session(head, *((session.events, session.claims, session.marks) if session else ()))
    return SessionGrowth(started, lines=[head_line(head)])
