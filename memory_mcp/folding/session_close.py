"""Ending sessions whose client never said that they ended."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from memory_mcp.errors import InvalidInput, NotFound, UserError
from memory_mcp.folding.project_log import write_log
from memory_mcp.folding.session_boundary import SessionBoundaries
from memory_mcp.folding.session_growth import SessionGrowth
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import Session, SessionFiles
from memory_mcp.sessions.session_list import newest_sessions
from memory_mcp.store.wiki_change import WikiChanges

STALE = "stale"
FINALIZED = "finalized"
STALE_AFTER = timedelta(hours=24)
"""A session may be left open over night and go on in the morning; after a day it most often does not."""
FORGOTTEN_AFTER = timedelta(days=30)
"""Older files are not looked at again."""


class SessionCloser:
    """Ends sessions from what was recorded of them: the end is when something happened last."""

    def __init__(
        self,
        raw: Path,
        files: SessionFiles,
        changes: WikiChanges,
        boundaries: SessionBoundaries,
        clock: Clock,
    ) -> None:
        self._raw = raw
        self._files = files
        self._changes = changes
        self._boundaries = boundaries
        self._clock = clock

    def close_stale(self) -> list[str]:
        """End the open sessions in which nothing happened for a day; their ids."""
        now = self._clock()
        closed = []
        for scope, name in self._recent(now):
            session = self._read(scope, name)
            if session and not session.has_ended and now - session.last_at >= STALE_AFTER:
                self._close(session, STALE)
                closed.append(name)
        return closed

    def finalize(
        self,
        scope: Scope,
        *,
        agent: str = "",
        session_id: str = "",
        every: bool = False,
        reopen: bool = False,
    ) -> list[str]:
        """End the newest open session of the scope, the one named, or `every` one; their ids.

        With `reopen` a session that was ended is ended anew, if it is named.

        Raises:
            InvalidInput: `reopen` without a session.
            NotFound: there is no session of this id in the scope.
        """
        if reopen and not session_id:
            raise InvalidInput("--reopen needs --session-id: name the session that is to be ended anew.")
        if session_id:
            session = self._files.read(scope, session_id)
            if session is None:
                raise NotFound(f"no session {session_id!r:.60} was recorded in {scope}.")
            found = [session] if reopen or not session.has_ended else []
        else:
            names = newest_sessions(self._raw, (scope,))
            read = (self._read(place, name) for place, name in names)
            found = [each for each in read if each and not each.has_ended]
            found = [each for each in found if not agent or each.head.agent == agent]
            found = found if every else found[:1]
        for session in found:
            self._close(session, FINALIZED)
        return [session.head.id for session in found]

    def _close(self, session: Session, reason: str) -> None:
        head = session.head
        with self._changes.begin("session-end", head.id, Actor(head.agent or "hook", head.id)) as change:
            fresh = self._files.read(head.scope, head.id) or session
            growth = SessionGrowth(fresh, end_reason=reason, last_at=fresh.last_at)
            self._boundaries.write(change, growth)
            if fresh.is_substantive:
                write_log(change, head.scope, growth.log)
            if growth.lines:
                self._files.append(head.scope, head.id, growth.lines)

    def _recent(self, now: datetime) -> Iterator[tuple[Scope, str]]:
        scopes = [Scope(*folder.parts[-2:]) for folder in sorted(self._raw.glob("*/*")) if folder.is_dir()]
        oldest = (now - FORGOTTEN_AFTER).timestamp()
        for scope, name in newest_sessions(self._raw, scopes):
            file = self._files.path(scope, name)
            if file.exists() and file.stat().st_mtime >= oldest:
                yield scope, name

    def _read(self, scope: Scope, name: str) -> Session | None:
        """The session, unless nothing was recorded: one without hooks may have claimed something all the
        same, and nobody knows what it did with it."""
        try:
            session = self._files.read(scope, name)
        except UserError:
            return None
        return session if session and session.events else None
