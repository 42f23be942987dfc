"""Which handoff a session is offered, and claiming it: a compare-and-swap under the writer lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import NamedTuple

from memory_mcp.continuity.handoff import MANUAL, Handoff, handoff_of
from memory_mcp.continuity.record_folder import RecordFolder
from memory_mcp.errors import Conflict, NotFound
from memory_mcp.model.record import HANDOFF, Event, fold
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import Session, SessionClaim, SessionFiles, claim_line
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.record_file import add_event, parse_record

QUIET = timedelta(minutes=10)
"""A session that has not ended may still go on if something happened in it so recently."""


class Receiver(NamedTuple):
    """The session that may take a handoff over; what is not known is "".

    `cwd` is its absolute folder, `dir` the same relative to the root of the repository.
    """

    agent: str
    session: str
    cwd: str = ""
    dir: str = ""
    branch: str = ""


class Selection(NamedTuple):
    """The handoff that is to be claimed, and those that wait but are not for the taking yet."""

    handoff: Handoff | None
    offers: tuple[Handoff, ...] = ()


class HandoffClaimer:
    """Chooses handoffs for sessions, claims them, and takes them back."""

    def __init__(self, folder: RecordFolder, sessions: SessionFiles, machine: Callable[[], str]) -> None:
        self._folder = folder
        self._sessions = sessions
        self._machine = machine

    def waiting(self, scope: Scope) -> list[Handoff]:
        """The open handoffs of a scope, oldest first."""
        found = (handoff_of(scope, record) for record in self._folder.records(scope))
        return [handoff for handoff in found if handoff.is_open]

    def select(self, scope: Scope, receiver: Receiver, now: datetime, *, at_start: bool) -> Selection:
        """The handoff that this session should claim: a manual one before an automatic one, the newest first.

        An automatic one counts only in the folder where it was left, or below. `at_start` passes over those
        whose own session may still go on; they are the offers.
        """
        return self.choose(self.waiting(scope), receiver, now, at_start=at_start)

    def choose(
        self, waiting: Sequence[Handoff], receiver: Receiver, now: datetime, *, at_start: bool
    ) -> Selection:
        """The same of these open handoffs."""
        fitting = [each for each in waiting if self._fits(each, receiver)]
        fitting.sort(key=lambda each: (each.origin == MANUAL, each.updated, each.id), reverse=True)
        busy = [each for each in fitting if at_start and self.may_go_on(each, now)]
        free = [each for each in fitting if each not in busy]
        free.sort(
            key=lambda each: each.origin == MANUAL or each.draft.branch == receiver.branch, reverse=True
        )
        return Selection(free[0] if free else None, tuple(busy))

    def may_go_on(self, handoff: Handoff, now: datetime) -> bool:
        """Whether the session that left it may still be alive, as far as this machine knows."""
        if not handoff.session:
            return False
        session = self._sessions.read(handoff.scope, handoff.session)
        return session is not None and not session.has_ended and now - session.last_at < QUIET

    def claim(self, change: Change, handoff: Handoff, receiver: Receiver, at: datetime) -> Handoff:
        """Take the handoff for this session, within a change; what it says now.

        Raises:
            NotFound: it is gone.
            Conflict: somebody claimed, cancelled or expired it meanwhile.
        """
        data = change.read(handoff.wiki_path)
        if data is None:
            raise NotFound(f"there is no handoff {handoff.id} any more.")
        state = fold(HANDOFF, parse_record(data).history).state
        if state != "open":
            raise Conflict(f"handoff {handoff.id} is {state}: look at the list for what is still open.")
        event = Event(at, "accepted", receiver.agent, receiver.session, self._machine())
        change.put(handoff.wiki_path, add_event(data, HANDOFF, event))
        if receiver.session:
            line = claim_line(SessionClaim(at, handoff.id, HANDOFF.name))
            self._sessions.append(handoff.scope, receiver.session, [line])
        change.log(handoff.scope, "handoff-accepted", f"{handoff.id} {handoff.draft.title}")
        return handoff_of(handoff.scope, self._folder.get(handoff.scope, handoff.id))

    def titles(self, session: Session) -> tuple[str, ...]:
        """What the session claimed here, by title, in order."""
        ids = [claim.record for claim in session.claims if claim.kind == HANDOFF.name]
        known = set(self._folder.ids(session.head.scope)) if ids else set()
        found = (self._folder.get(session.head.scope, each) for each in ids if each in known)
        return tuple(title for record in found if (title := record.text.text("title")))

    def release(self, change: Change, scope: Scope, session: str, at: datetime) -> tuple[str, ...]:
        """Give back what this session claimed in a scope, for it did nothing; the ids."""
        released = []
        for record in self._folder.records(scope, naming=session, changed=change.files):
            taken = record.fold.decided_by
            if record.fold.state == "accepted" and taken is not None and taken.session == session:
                data = change.read(record.wiki_path)
                if data is None:
                    continue
                event = Event(at, "released", taken.agent, session, self._machine())
                change.put(record.wiki_path, add_event(data, HANDOFF, event))
                change.log(scope, "handoff-released", record.id)
                released.append(record.id)
        return tuple(released)

    def _fits(self, handoff: Handoff, receiver: Receiver) -> bool:
        if handoff.origin == MANUAL:
            return True
        source = self._sessions.read(handoff.scope, handoff.session) if handoff.session else None
        if source is not None and source.head.cwd and receiver.cwd:
            return _is_at_or_above(source.head.cwd, receiver.cwd)
        return _is_at_or_above(handoff.draft.dir or ".", receiver.dir or ".")


def _is_at_or_above(folder: str, other: str) -> bool:
    return PurePath(other) == PurePath(folder) or PurePath(folder) in PurePath(other).parents
