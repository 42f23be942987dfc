"""A handoff: where one session left off, for the next one to claim exactly once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory_mcp.model.record import Event
from memory_mcp.model.scope import Scope


@dataclass(frozen=True, slots=True)
class HandoffDraft:
    """What a handoff says. `dir` is relative to the repository's root, `cwd` the absolute folder."""

    title: str
    summary: str
    open_questions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    files_touched: tuple[str, ...] = ()
    dir: str = ""
    cwd: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Handoff:
    """A handoff as its file tells it; `rivals` are claims of other clones beside the one that counts."""

    id: str
    code: str
    scope: Scope
    state: str
    origin: str
    created: datetime
    agent: str
    session: str
    draft: HandoffDraft
    claimed_by: Event | None = None
    rivals: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Receiver:
    """The session that may take a handoff over: `session` its id, "" when it is not known."""

    agent: str
    session: str
    cwd: str
    branch: str = ""
