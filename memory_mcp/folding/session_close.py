"""Ending sessions whose client never said that they ended."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from memory_mcp.errors import InvalidInput, NotFound, UserError
from memory_mcp.folding.project_log import write_log
from memory_mcp.folding.session_boundary import SessionBoundaries
from memory_mcp.folding.session_growth import SessionGrowth
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_glance import glance_session
from memory_mcp.sessions.session_lines import mark_line
from memory_mcp.sessions.session_list import newest_sessions
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.wiki_change import WikiChanges

log = logging.getLogger(__name__)

STALE = "stale"
FINALIZED = "finalized"
STALE_AFTER = timedelta(hours=24)
"""A session may be left open over night and go on in the morning; after a day it most often does not."""
LOOK_EVERY = timedelta(hours=1)
MAX_LOOKED_AT = 100
"""So many of the newest sessions of a project are looked at: what lies further back was looked at before."""


class SessionCloser:
    """Ends sessions from what was recorded of them: the end is when something happened last."""

    def __init__(
        self,
        files: SessionFiles,
        lock: WriterLock,
        changes: WikiChanges,
        boundaries: SessionBoundaries,
        clock: Clock,
    ) -> None:
        self._files = files
        self._lock = lock
        self._changes = changes
        self._boundaries = boundaries
        self._clock = clock
        self._looked_at: datetime | None = None

    def close_stale(self) -> list[str]:
        """End the open sessions in which nothing happened for a day; their ids.

        It looks once an hour, and leaves the rest to another time when the lock is not free.
        """
        now = self._clock()
        if self._looked_at and timedelta() <= now - self._looked_at < LOOK_EVERY:
            return []
        self._looked_at = now
        closed = []
        for scope, name in self._stale(now):
            with self._lock.hold_if_free("session-end") as held:
                if not held:
                    break
                try:
                    if self._close(scope, name, STALE):
                        closed.append(name)
                except UserError as error:
                    log.warning("session %s stays open: %s", name, error)
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
            InvalidInput: `reopen` without a session, or a session and `every`.
            NotFound: there is no session of this id in the scope.
        """
        if reopen and not session_id:
            raise InvalidInput("--reopen needs --session-id: name the session that is to be ended anew.")
        if every and session_id:
            raise InvalidInput("--all and --session-id exclude each other: give one of them.")
        if session_id:
            found = glance_session(self._files, scope, session_id)
            if found is None:
                raise NotFound(f"no session {session_id!r:.60} was recorded in {scope}.")
            names = [session_id] if reopen or not found.has_ended else []
        else:
            names = [name for _, name in newest_sessions(self._files.raw, (scope,))]
            names = list(islice(self._open_of(scope, names, agent), None if every else 1))
        return [name for name in names if self._close(scope, name, FINALIZED)]

    def _close(self, scope: Scope, name: str, reason: str) -> bool:
        """End a session as its file says now; whether there was anything to end.

        The spool does not bring this about again after a kill, hence the end is noted once everything is
        there; before that the page is noted, so that it counts as ours.
        """
        actor = Actor("hook", name)
        with self._lock.hold("session-end"):
            with self._changes.begin("session-end", name, actor) as change:
                session = self._files.read(scope, name)
                if session is None or not session.events:
                    return False
                growth = SessionGrowth(session)
                growth.close(reason)
                self._boundaries.write(change, growth, did_something=self._files.did_something(name))
                if session.is_substantive:
                    write_log(change, scope, growth.log)
                pages = [mark._replace(is_end=False) for mark in growth.new_marks if mark.version]
                self._files.append(scope, name, map(mark_line, pages))
            self._files.append(scope, name, growth.lines)
        return True

    def _open_of(self, scope: Scope, names: Iterable[str], agent: str) -> Iterator[str]:
        for name in names:
            found = glance_session(self._files, scope, name)
            if found and not found.has_ended and agent in ("", found.head.agent):
                yield name

    def _stale(self, now: datetime) -> Iterator[tuple[Scope, str]]:
        for scope in self._files.scopes():
            for _, name in newest_sessions(self._files.raw, (scope,))[:MAX_LOOKED_AT]:
                found = glance_session(self._files, scope, name)
                if found and not found.has_ended and now - found.last_at >= STALE_AFTER:
                    yield scope, name
