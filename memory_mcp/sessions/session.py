"""What was recorded of one run of a client, in one project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from memory_mcp.model.scope import Scope

SUBSTANTIVE = frozenset({"user-prompt", "pre-tool-use", "post-tool-use"})
"""A session that has none of these did nothing, and leaves nothing behind."""
RESUMING = SUBSTANTIVE | {"session-start"}
"""What shows that a session that was ended goes on. A notification that comes late does not."""


class SessionHead(NamedTuple):
    """Whose session it is; what is not known is "".

    `native_id` is the client's own id of it, `managed_run` that of the run that started the client.
    """

    id: str
    native_id: str
    agent: str
    scope: Scope
    started: datetime
    cwd: str = ""
    branch: str = ""
    caller: str = ""
    managed_run: str = ""


class SessionEvent(NamedTuple):
    """One sanitised thing that happened; `key` is that of the spool entry, `kind` canonical."""

    id: str
    seq: int
    at: datetime
    key: str
    kind: str
    title: str = ""
    body: str = ""
    importance: int = 5
    extension: str = ""
    source_event: str = ""
    tool: Mapping[str, str] = MappingProxyType({})


class SessionClaim(NamedTuple):
    """A pointer to a record that this session claimed; the record holds the truth."""

    at: datetime
    record: str
    kind: str


class SessionMark(NamedTuple):
    """A checkpoint or an end (`is_end`), when there were `observations` of them.

    `version` is that of the page that was made then; `reason` of a checkpoint is the event that asked for it.
    """

    at: datetime
    observations: int
    is_end: bool
    page: str = ""
    version: str = ""
    handoff: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Session:
    """What a session's file says. `unreadable` counts the lines that say nothing."""

    head: SessionHead
    events: tuple[SessionEvent, ...] = ()
    claims: tuple[SessionClaim, ...] = ()
    marks: tuple[SessionMark, ...] = ()
    unreadable: int = 0

    @cached_property
    def by_key(self) -> Mapping[str, SessionEvent]:
        """The events by the keys of the spool entries that they came from."""
        return {event.key: event for event in self.events}

    @property
    def last_end(self) -> SessionMark | None:
        """The last end; None before the first."""
        return next((mark for mark in reversed(self.marks) if mark.is_end), None)

    @property
    def watermark(self) -> int:
        """How many events there were at the last end, 0 before the first."""
        return self.last_end.observations if self.last_end else 0

    @property
    def has_ended(self) -> bool:
        """Whether it was ended and does not go on since."""
        since = self.events[self.watermark :]
        return self.last_end is not None and not any(event.kind in RESUMING for event in since)

    @property
    def is_substantive(self) -> bool:
        """Whether somebody wrote a prompt or a tool was called."""
        return any(event.kind in SUBSTANTIVE for event in self.events)

    @property
    def last_at(self) -> datetime:
        """When something last happened in it: the last line counts, for clocks are put back."""
        last = self.events[-1:] or self.claims[-1:]
        return last[0].at if last else self.head.started
