"""What follows when a session pauses or ends: its page, its handoff, and what it took but did not use."""

from __future__ import annotations

from memory_mcp.continuity.handoff_claim import HandoffClaimer
from memory_mcp.continuity.handoff_open import HandoffOpener
from memory_mcp.folding.handoff_text import draft_of
from memory_mcp.folding.session_growth import SessionGrowth
from memory_mcp.folding.session_page import session_page, session_page_path
from memory_mcp.folding.session_title import session_title
from memory_mcp.model.page import version_of
from memory_mcp.sessions.session import Session, SessionMark
from memory_mcp.store.wiki_change import Change


class SessionBoundaries:
    """Writes what follows into a change; what it adds to the session's own file goes into the growth."""

    def __init__(self, opener: HandoffOpener, claimer: HandoffClaimer) -> None:
        self._opener = opener
        self._claimer = claimer

    def write(self, change: Change, growth: SessionGrowth, *, did_something: bool) -> None:
        """Let page, handoff and log say what the session came to in this batch.

        `did_something`: whether the session is substantive here or in another project.
        """
        session = growth.session
        if session.is_substantive:
            self._write_substantive(change, growth, session)
        elif growth.end is not None:
            if not did_something:
                self._claimer.release(change, session.head.scope, session.head.id, growth.end.at)
            _mark_end(growth, session)

    def _write_substantive(self, change: Change, growth: SessionGrowth, session: Session) -> None:
        page = version = handoff = ""
        if growth.end or growth.checkpoint:
            page, version = _write_page(change, session)
        pause = growth.end or growth.stop
        if pause and growth.hands_over:
            draft = draft_of(session, self._claimer.taken(session))
            handoff = self._opener.refresh(change, session, draft, pause.at)
        if growth.checkpoint:
            _mark_checkpoint(growth, session, page, version)
        if growth.end:
            growth.log.append((growth.end.at, "session-end", f"{session.head.id} {session_title(session)}"))
            _mark_end(growth, session, page, version, handoff)


def _mark_checkpoint(growth: SessionGrowth, session: Session, page: str, version: str) -> None:
    event, count = growth.checkpoint, len(session.events)
    assert event is not None
    growth.log.append((event.at, "checkpoint", f"{session.head.id} {session_title(session)}"))
    if not any((mark.observations, mark.version) == (count, version) for mark in session.marks):
        growth.mark(SessionMark(event.at, count, False, page, version, "", event.kind))


def _mark_end(
    growth: SessionGrowth, session: Session, page: str = "", version: str = "", handoff: str = ""
) -> None:
    """Note the end, once for each number of events: a batch that is folded again adds none.

    A page that was made anew is noted too, by a newer version of ours say: else it would count as foreign.
    """
    event, count = growth.end, len(session.events)
    assert event is not None
    is_new_page = version and all(mark.version != version for mark in session.marks)
    if count > session.watermark or is_new_page:
        growth.mark(SessionMark(event.at, count, True, page, version, handoff, growth.end_reason))


def _write_page(change: Change, session: Session) -> tuple[str, str]:
    """Write the page unless somebody else wrote it; its path and version, blank where it is theirs.

    Ours is a page that has the version that a mark of the session names.
    """
    path = session_page_path(session.head.id)
    wiki_path = f"{session.head.scope}/{path}"
    there = change.read(wiki_path)
    made = {mark.version for mark in session.marks}
    data = session_page(session)
    if there is not None and there != data and version_of(there) not in made:
        return path, ""
    change.put(wiki_path, data)
    return path, version_of(data)
