"""Opening handoffs: what a session leaves by itself, and keeps up to date while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memory_mcp.continuity.handoff import AUTOMATIC, Handoff, HandoffDraft, handoff_of, handoff_values
from memory_mcp.continuity.handoff_caps import cap_draft
from memory_mcp.continuity.record_folder import RecordFolder
from memory_mcp.model.record import HANDOFF, Event
from memory_mcp.model.record_id import new_id
from memory_mcp.sessions.session_file import Session
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.record_file import add_event, compose_record, parse_record

SUPERSEDED = "superseded"

IsOpenSession = Callable[[str], bool]
"""Whether the session of this id is still open on this machine."""


class HandoffOpener:
    """Opens the automatic handoffs of sessions, within a change that the caller carries out."""

    def __init__(self, folder: RecordFolder, machine: Callable[[], str]) -> None:
        self._folder = folder
        self._machine = machine

    def refresh(
        self,
        change: Change,
        session: Session,
        draft: HandoffDraft,
        at: datetime,
        is_open_session: IsOpenSession = lambda _: False,
    ) -> str:
        """Let the session's own open handoff say this, or open one; returns its id.

        One that was claimed, cancelled or expired stays as it is, and another is opened if there is more to
        say. Older ones of the same folder whose sessions are over expire.
        """
        head = session.head
        draft = cap_draft(draft)
        records = self._folder.records(head.scope, naming=head.id, changed=change.files)
        known = [handoff_of(head.scope, record) for record in records]
        own = [each for each in known if each.origin == AUTOMATIC and each.session == head.id]
        if own and (own[-1].is_open or own[-1].draft == draft):
            mine = own[-1]
        else:
            mine = self._open(change, session, draft, at)
        if mine.is_open:
            self._rewrite(change, mine, draft, at)
            self._expire(change, mine, [each for each in known if each.id != mine.id], at, is_open_session)
        return mine.id

    def _open(self, change: Change, session: Session, draft: HandoffDraft, at: datetime) -> Handoff:
        head = session.head
        record_id = self._interrupted(session) or new_id(at)
        opened = Event(at.replace(microsecond=0), "opened", head.agent, head.id, self._machine())
        values = handoff_values(
            record_id,
            draft,
            created=at,
            updated=None,
            origin=AUTOMATIC,
            agent=head.agent,
            session=head.id,
        )
        path = self._folder.wiki_path(head.scope, record_id)
        change.put(path, compose_record(HANDOFF, values, [opened], f"{draft.summary}\n"))
        return Handoff(
            *(record_id, head.scope, path, "open", AUTOMATIC, at, at, head.agent, head.id),
            *(opened.machine, draft),
        )

    def _rewrite(self, change: Change, mine: Handoff, draft: HandoffDraft, at: datetime) -> None:
        if mine.draft == draft:
            return
        data = change.read(mine.wiki_path) or b""
        values = handoff_values(
            mine.id,
            draft,
            created=mine.created,
            updated=at,
            origin=AUTOMATIC,
            agent=mine.agent,
            session=mine.session,
        )
        history = parse_record(data).history
        change.put(mine.wiki_path, compose_record(HANDOFF, values, history, f"{draft.summary}\n"))

    def _interrupted(self, session: Session) -> str:
        """The id that the last end named before a kill kept its record from being written."""
        named = session.marks[-1].handoff if session.marks else ""
        return named if named and named not in self._folder.ids(session.head.scope) else ""

    def _expire(
        self,
        change: Change,
        mine: Handoff,
        others: list[Handoff],
        at: datetime,
        is_open_session: IsOpenSession,
    ) -> None:
        for other in others:
            same_place = (other.draft.dir, other.draft.branch) == (mine.draft.dir, mine.draft.branch)
            older = other.created <= mine.created
            if not (other.is_open and other.origin == AUTOMATIC and same_place and older):
                continue
            if other.session != mine.session and is_open_session(other.session):
                continue
            data = change.read(other.wiki_path)
            if data is not None:
                event = Event(at, "expired", mine.agent, mine.session, self._machine(), SUPERSEDED)
                change.put(other.wiki_path, add_event(data, HANDOFF, event))
