"""Reading what was recorded of a session, event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.capture.event_names import IMPORTANCE
from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.scope import ResolvedScope
from memory_mcp.search.text.tokenizer import terms
from memory_mcp.sessions.session import Session, SessionEvent
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_list import newest_sessions
from memory_mcp.wiki.scope_resolve import ScopeResolver

KINDS = tuple(IMPORTANCE)
_LOOKED_AT = 50
"""How many of the newest sessions are searched for one that has ended."""


@dataclass(frozen=True, slots=True)
class ReadEvents:
    """Events of a session of the scope, in the order asked for; `total` is how many there are in all.

    `elsewhere` is how many events of the same session happened in other projects.
    """

    resolved: ResolvedScope
    session: Session
    events: tuple[SessionEvent, ...]
    total: int
    offset: int
    elsewhere: int


class SessionReader:
    """Reads the sessions that were recorded here."""

    def __init__(self, raw: Path, files: SessionFiles, scopes: ScopeResolver) -> None:
        self._raw = raw
        self._files = files
        self._scopes = scopes

    def read(
        self,
        session_id: str = "",
        *,
        limit: int = 50,
        offset: int = 0,
        order: str = "asc",
        kinds: Sequence[str] = (),
        query: str = "",
        workspace: str = "",
        project: str = "",
    ) -> ReadEvents:
        """The events of a session, by default of the newest that has ended.

        `query` keeps those that hold all its words.

        Raises:
            InvalidInput: `order` or one of `kinds` is not known.
            NotFound: the scope has no such session, or none that has ended.
        """
        if order.lower() not in ("asc", "desc"):
            raise InvalidInput(f"order = {order!r:.40} is not known: asc or desc.")
        for kind in kinds:
            if kind not in KINDS:
                raise InvalidInput(f"kinds: {kind!r:.40} is not known; there are {', '.join(KINDS)}.")
        resolved = self._scopes.resolve_pages(workspace, project)
        session = self._session(resolved, session_id)
        wanted = terms(query)
        found = [event for event in session.events if _matches(event, kinds, wanted)]
        if order.lower() == "desc":
            found.reverse()
        others = [scope for scope in self._files.scopes_of(session.head.id) if scope != resolved.scope]
        elsewhere = [self._files.read(scope, session.head.id) for scope in others]
        return ReadEvents(
            resolved,
            session,
            tuple(found[offset : offset + limit]),
            len(found),
            offset,
            sum(len(each.events) for each in elsewhere if each is not None),
        )

    def _session(self, resolved: ResolvedScope, session_id: str) -> Session:
        if session_id:
            known = all(character in "0123456789abcdef-" for character in session_id.lower())
            found = self._files.read(resolved.scope, session_id.lower()) if known else None
            if found is None:
                raise NotFound(f"no session {session_id!r:.60} was recorded in {resolved.scope}.")
            return found
        for scope, name in newest_sessions(self._raw, (resolved.scope,))[:_LOOKED_AT]:
            found = self._files.read(scope, name)
            if found is not None and found.has_ended:
                return found
        raise NotFound(f"no session of {resolved.scope} has ended yet: give session_id.")


def _matches(event: SessionEvent, kinds: Sequence[str], wanted: Counter[str]) -> bool:
    if kinds and event.kind not in kinds:
        return False
    return not wanted or not wanted.keys() - terms(f"{event.title}\n{event.body}").keys()
