"""Opening handoffs: what a session leaves by itself, and keeps up to date while it goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from memory_mcp.continuity.handoff import AUTOMATIC, Handoff, HandoffDraft, handoff_of, handoff_values
from memory_mcp.continuity.handoff_caps import cap_draft
from memory_mcp.continuity.handoff_choice import Candidate, is_older_work, is_same_place
from memory_mcp.continuity.handoff_claim import HandoffClaimer
from memory_mcp.continuity.handoff_expire import expire_superseded
from memory_mcp.continuity.record_folder import RecordFolder, mend_states
from memory_mcp.errors import InvalidInput
from memory_mcp.model.record import HANDOFF, Event
from memory_mcp.model.record_id import new_id
from memory_mcp.sessions.session import Session
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.record_file import compose_record
from memory_mcp.wiki.record_read import RecordFile

log = logging.getLogger(__name__)


class HandoffOpener:
    """Opens the automatic handoffs of sessions, within a change that the caller carries out.

    `is_open_session` tells whether the session of an id is still open on this machine.
    """

    def __init__(
        self,
        folder: RecordFolder,
        claimer: HandoffClaimer,
        is_open_session: Callable[[str], bool],
        machine: Callable[[], str],
    ) -> None:
        self._folder = folder
        self._claimer = claimer
        self._is_open_session = is_open_session
        self._machine = machine

    def refresh(self, change: Change, session: Session, draft: HandoffDraft, at: datetime) -> str:
        """Let the session's own open handoff say this, or open one; returns its id, "" where none can be.

        One that was claimed, cancelled or expired stays as it is, and another is opened if there is more to
        say. What was left in the same folder before this session began expires, unless its session is open.
        """
        scope = session.head.scope
        draft = cap_draft(draft)
        records = self._folder.records_in(change, scope, naming=session.head.id)
        own = [found for found in (_own(session, record) for record in records) if found]
        if own and (own[-1].is_open or own[-1].draft == draft):
            mine = own[-1]
        else:
            opened = self._open(change, session, draft, at)
            if opened is None:
                return ""
            mine = opened
        if mine.is_open:
            self._rewrite(change, mine, draft, at)
            self._expire_older(change, session, mine, records, at)
        mend_states(change, records)
        return mine.id

    def _open(self, change: Change, session: Session, draft: HandoffDraft, at: datetime) -> Handoff | None:
        head = session.head
        record_id = self._interrupted(session) or new_id(at)
        try:
            path = self._folder.new_path(head.scope, record_id)
        except InvalidInput as error:
            log.warning("session %s leaves no handoff: %s", head.id, error)
            return None
        values = handoff_values(
            record_id,
            draft,
            created=at,
            updated=None,
            origin=AUTOMATIC,
            agent=head.agent,
            session=head.id,
        )
        opened = [self._event("opened", session, at)]
        change.put(path, compose_record(HANDOFF, values, opened, f"{draft.summary}\n"))
        return handoff_of(head.scope, self._folder.get(head.scope, record_id, change))

    def _rewrite(self, change: Change, mine: Handoff, draft: HandoffDraft, at: datetime) -> None:
        if mine.draft == draft:
            return
        record = self._folder.get(mine.scope, mine.id, change)
        values = handoff_values(
            mine.id,
            draft,
            created=mine.created,
            updated=at,
            origin=AUTOMATIC,
            agent=mine.agent,
            session=mine.session,
        )
        data = compose_record(HANDOFF, values, record.text.history, f"{draft.summary}\n")
        change.put(mine.wiki_path, data)

    def _interrupted(self, session: Session) -> str:
        """The id that the last end named before a kill kept its record from being written."""
        named = session.marks[-1].handoff if session.marks else ""
        return named if named and named not in self._folder.ids(session.head.scope) else ""

    def _expire_older(
        self,
        change: Change,
        session: Session,
        mine: Handoff,
        records: Sequence[RecordFile],
        at: datetime,
    ) -> None:
        own = Candidate(mine, session.head.started, session.head.cwd)
        for record in records:
            handoff = handoff_of(mine.scope, record)
            if not is_older_work(Candidate(handoff, handoff.created), own):
                continue  # most are not, and only the rest are worth a look at files
            is_own = handoff.session == mine.session
            is_over = is_own or not self._is_open_session(handoff.session)
            if is_over and is_same_place(self._claimer.candidate(handoff), own):
                expire_superseded(change, record, self._event("expired", session, at))

    def _event(self, name: str, session: Session, at: datetime) -> Event:
        return Event(at.replace(microsecond=0), name, session.head.agent, session.head.id, self._machine())


def _own(session: Session, record: RecordFile) -> Handoff | None:
    found = handoff_of(session.head.scope, record)
    return found if (found.origin, found.session) == (AUTOMATIC, session.head.id) else None
