"""What follows when a session pauses or ends: its page, its handoff, and what it took but did not use."""

from __future__ import annotations

from datetime import datetime

from memory_mcp.continuity.handoff_claim import HandoffClaimer
from memory_mcp.continuity.handoff_open import HandoffOpener
from memory_mcp.folding.handoff_text import draft_of
from memory_mcp.folding.session_growth import SessionGrowth
from memory_mcp.folding.session_page import session_page, session_page_path
from memory_mcp.folding.session_title import session_title
from memory_mcp.model.page import version_of
from memory_mcp.sessions.session_file import Session, SessionMark
from memory_mcp.store.wiki_change import Change


class SessionBoundaries:
    """Writes what follows into a change; what it adds to the session's own file goes into the growth."""

    def __init__(self, opener: HandoffOpener, claimer: HandoffClaimer) -> None:
        self._opener = opener
        self._claimer = claimer

    def write(self, change: Change, growth: SessionGrowth) -> None:
        """Let page, handoff and log say what the session came to in this batch."""
        session = growth.session
        at = growth.last_at or session.last_at
        ends = growth.end_reason is not None
        if session.is_substantive:
            self._write_substantive(change, growth, session, at, ends=ends)
        elif ends and not session.has_ended:
            self._claimer.release(change, session.head.scope, session.head.id, at)
            growth.mark(SessionMark(at, len(session.events), True, reason=growth.end_reason or ""))

    def _write_substantive(
        self, change: Change, growth: SessionGrowth, session: Session, at: datetime, *, ends: bool
    ) -> None:
        page = version = handoff = ""
        if ends or growth.checkpoint:
            page, version = _write_page(change, session)
        if (ends or growth.has_stopped) and not growth.managed:
            draft = draft_of(session, self._claimer.titles(session))
            handoff = self._opener.refresh(change, session, draft, at)
        if growth.checkpoint:
            growth.log.append((at, "checkpoint", f"{session.head.id} {session_title(session)}"))
            if not any(mark.observations == len(session.events) for mark in session.marks):
                growth.mark(SessionMark(at, len(session.events), False, page, version, "", growth.checkpoint))
        if ends:
            growth.log.append((at, "session-end", f"{session.head.id} {session_title(session)}"))
            if not session.has_ended:
                reason = growth.end_reason or ""
                growth.mark(SessionMark(at, len(session.events), True, page, version, handoff, reason))


def _write_page(change: Change, session: Session) -> tuple[str, str]:
    """Write the page unless somebody else wrote it; its path and version, blank where it is theirs."""
    path = session_page_path(session.head.id)
    wiki_path = f"{session.head.scope}/{path}"
    there = change.read(wiki_path)
    made = {mark.version for mark in session.marks}
    data = session_page(session)
    if there is not None and there != data and version_of(there) not in made:
        return path, ""
    change.put(wiki_path, data)
    return path, version_of(data)
