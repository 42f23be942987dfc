"""Records that change hands or come to an end: handoffs, messages and tasks.

A record is written once; afterwards only its history grows, by one event at a time, also in two clones at
once. `fold` tells from the history alone what has become of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from memory_mcp.model.actor import Actor
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.session_id import session_id

MAX_REASON_CHARS = 500


class Event(NamedTuple):
    """One line of a history; what is not known is ""."""

    at: datetime
    event: str
    agent: str = ""
    session: str = ""
    machine: str = ""
    reason: str = ""


def event_by(actor: Actor, name: str, at: datetime, machine: str, reason: str = "") -> Event:
    """What this actor does at this moment; a history counts whole seconds."""
    agent, session = one_line(actor.name), session_id(actor.name, actor.session)
    return Event(at.replace(microsecond=0), name, agent, session, machine, reason)


@dataclass(frozen=True, slots=True)
class RecordType:
    """What may happen to a record: its events, and the states that they lead to.

    `claim` is the event by which one party takes the record for itself, "" where there is none.
    """

    name: str
    events: tuple[str, ...]
    state_of: Mapping[str, str]
    claim: str = ""

    @property
    def initial(self) -> str:
        """The state of a record to which nothing has happened yet."""
        return self.state_of[self.events[0]]


HANDOFF = RecordType(
    "handoff",
    ("opened", "accepted", "released", "cancelled", "expired"),
    {"opened": "open", "accepted": "accepted", "cancelled": "cancelled", "expired": "expired"},
    claim="accepted",
)
MESSAGE = RecordType(
    "message",
    ("sent", "claimed", "cancelled"),
    {"sent": "pending", "claimed": "claimed", "cancelled": "cancelled"},
    claim="claimed",
)
TASK = RecordType(
    "task",
    ("added", "completed", "dismissed"),
    {"added": "active", "completed": "completed", "dismissed": "dismissed"},
)
RECORD_TYPES = {each.name: each for each in (HANDOFF, MESSAGE, TASK)}


class Fold(NamedTuple):
    """What has become of a record.

    `decided_by` is the event that made it so, None in the initial state. `rivals` are events of other clones
    that contradict it: further live claims, a cancellation beside a claim, a second end of a task.
    """

    state: str
    decided_by: Event | None = None
    rivals: tuple[Event, ...] = ()


class Decided(Protocol):
    """Whatever knows of a record what `Fold` says of it."""

    @property
    def decided_by(self) -> Event | None:
        """The decision that counts."""
        ...

    @property
    def rivals(self) -> tuple[Event, ...]:
        """The decisions of other clones beside it."""
        ...


def claims_of(record: Decided, kind: RecordType, session: str) -> tuple[Event, ...]:
    """The live claims of this session, be it the one that counts or that of another clone."""
    decisions = (*((record.decided_by,) if record.decided_by else ()), *record.rivals)
    return tuple(
        each for each in decisions if session and (each.event, each.session) == (kind.claim, session)
    )


def fold(kind: RecordType, history: Iterable[Event]) -> Fold:
    """Tell the state from the history, whose lines may come from several clones and in any order."""
    ordered = sorted(history, key=lambda event: event.at)  # stable: equal times stay in the file's order
    if not kind.claim:
        return _first(kind, [event for event in ordered if event.event in kind.events[1:]])
    claims = sorted(_live_claims(kind, ordered), key=lambda event: (event.at, event.machine))
    ends = [event for event in ordered if event.event in ("cancelled", "expired")]
    if claims:
        cancelled = [event for event in ends if event.event == "cancelled"]
        return Fold(kind.state_of[kind.claim], claims[0], (*claims[1:], *cancelled))
    return _first(kind, ends[-1:])


def _first(kind: RecordType, ends: Sequence[Event]) -> Fold:
    if not ends:
        return Fold(kind.initial)
    return Fold(kind.state_of[ends[0].event], ends[0], tuple(ends[1:]))


def _live_claims(kind: RecordType, ordered: Sequence[Event]) -> list[Event]:
    """The claims that were not given back: a release undoes the last claim of its own session."""
    live: list[Event] = []
    for event in ordered:
        if event.event == kind.claim:
            live.append(event)
        elif event.event == "released":
            mine = [at for at, claim in enumerate(live) if claim.session == event.session]
            if mine:
                del live[mine[-1]]
    return live
