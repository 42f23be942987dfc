"""Claiming handoffs for sessions, a compare-and-swap under the writer lock, and taking them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memory_mcp.continuity.handoff import AUTOMATIC, Handoff, HandoffDraft, closed_sentence, handoff_of
from memory_mcp.continuity.handoff_choice import Candidate, Selection, choose, fits, is_older_work
from memory_mcp.continuity.handoff_expire import expire_superseded
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.continuity.record_folder import RecordFolder, mend_states
from memory_mcp.errors import Conflict, UserError
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import HANDOFF, Event, claims_of
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session, SessionClaim
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_glance import glance_session
from memory_mcp.sessions.session_lines import claim_line
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.record_file import add_event
from memory_mcp.wiki.record_read import RecordFile


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
        """The handoff that this session should claim; see `handoff_choice.choose`."""
        return self.choose(self.waiting(scope), receiver, now, at_start=at_start)

    def choose(
        self, waiting: Sequence[Handoff], receiver: Receiver, now: datetime, *, at_start: bool
    ) -> Selection:
        """The same of these open handoffs."""
        return choose([self.candidate(each) for each in waiting], receiver, now, at_start=at_start)

    def candidate(self, handoff: Handoff) -> Candidate:
        """The handoff with what this machine knows of the session that left it."""
        found = glance_session(self._sessions, handoff.scope, handoff.session) if handoff.session else None
        if found is None:
            return Candidate(handoff, handoff.created)
        head = found.head
        return Candidate(handoff, head.started, head.cwd, found.last_at, found.has_ended)

    def claim(self, change: Change, handoff: Handoff, receiver: Receiver, at: datetime) -> Handoff:
        """Take the handoff for this session, within a change; it as it is then.

        With an automatic one older automatic ones for the same folder, whose sessions do not go on, expire.

        Raises:
            NotFound: it is gone.
            Conflict: somebody claimed, cancelled or expired it meanwhile.
        """
        scope = handoff.scope
        record = self._folder.get(scope, handoff.id, change)
        found = handoff_of(scope, record)
        if not found.is_open:
            raise Conflict(closed_sentence(found))
        event = Event(at, "accepted", one_line(receiver.agent), receiver.session, self._machine())
        change.put(record.path, add_event(record.data, HANDOFF, event))
        if receiver.session:
            line = claim_line(SessionClaim(at, handoff.id, HANDOFF.name))
            self._sessions.append(scope, receiver.session, [line])
        change.log(scope, "handoff-accepted", f"{handoff.id} {found.draft.title}")
        records = self._folder.records_in(change, scope)
        if found.origin == AUTOMATIC:
            self._expire_older(change, found, receiver, event, records)
        mend_states(change, records)
        return handoff_of(scope, self._folder.get(scope, handoff.id, change))

    def taken(self, session: Session) -> tuple[HandoffDraft, ...]:
        """What the handoffs say that the session claimed here, in order."""
        ids = [claim.record for claim in session.claims if claim.kind == HANDOFF.name]
        known = set(self._folder.ids(session.head.scope)) if ids else set()
        drafts = (self._draft(session.head.scope, each) for each in ids if each in known)
        return tuple(draft for draft in drafts if draft and draft.title)

    def release(self, change: Change, scope: Scope, session: str, at: datetime) -> tuple[str, ...]:
        """Give back what this session claimed in a scope, for it did nothing; the ids."""
        released = []
        for record in self._folder.records_in(change, scope, naming=session):
            mine = claims_of(record.fold, HANDOFF, session)
            if mine:
                # A clock that was put back must not put the release before the claim that it undoes.
                when = max(at, mine[-1].at)
                event = Event(when, "released", mine[-1].agent, session, self._machine())
                change.put(record.path, add_event(record.data, HANDOFF, event))
                change.log(scope, "handoff-released", record.id)
                released.append(record.id)
        return tuple(released)

    def _expire_older(
        self,
        change: Change,
        taken: Handoff,
        receiver: Receiver,
        claimed: Event,
        records: Sequence[RecordFile],
    ) -> None:
        mine = self.candidate(taken)
        for record in records:
            other = self.candidate(handoff_of(taken.scope, record))
            is_over = is_older_work(other, mine) and not other.may_go_on(claimed.at)
            if is_over and fits(other, receiver):
                expire_superseded(change, record, claimed)

    def _draft(self, scope: Scope, record_id: str) -> HandoffDraft | None:
        try:
            return handoff_of(scope, self._folder.get(scope, record_id)).draft
        except UserError:
            return None
