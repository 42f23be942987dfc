"""What sessions leave that were in the middle of a turn when another one starts: killed, or at work still."""

from __future__ import annotations

from memory_mcp.folding.session_boundary import SessionBoundaries
from memory_mcp.folding.session_growth import SessionGrowth
from memory_mcp.model.actor import Actor
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_glance import is_in_turn
from memory_mcp.sessions.session_list import newest_sessions
from memory_mcp.store.wiki_change import WikiChanges

MAX_LOOKED_AT = 20
"""So many of the newest sessions of a project are looked at: a start has little time."""


class InterruptedSessions:
    """Lets them hand over what they have so far; the writer lock must be held.

    A turn may last for hours, and its end is what else would leave a handoff.
    """

    def __init__(self, files: SessionFiles, changes: WikiChanges, boundaries: SessionBoundaries) -> None:
        self._files = files
        self._changes = changes
        self._boundaries = boundaries

    def leave(self, scope: Scope, starting: str) -> None:
        """Bring the handoffs of such sessions of a scope up to date, but for the one that is starting."""
        for _, name in newest_sessions(self._files.raw, (scope,))[:MAX_LOOKED_AT]:
            if name != starting and is_in_turn(self._files, scope, name):
                self._leave(scope, name)

    def _leave(self, scope: Scope, name: str) -> None:
        session = self._files.read(scope, name)
        if session is None or not session.events:
            return
        growth = SessionGrowth(session)
        growth.stop = session.events[-1]
        with self._changes.begin("handoff-open", name, Actor("hook", name)) as change:
            self._boundaries.write(change, growth, did_something=True)
