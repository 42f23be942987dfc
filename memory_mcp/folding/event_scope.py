"""To which project an event belongs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import CALLERS, GLOBAL, ResolvedScope, Scope, parse_scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.wiki.scope_resolve import ScopeResolver

_SURE = ("marker", "repository")
"""What tells of the project whatever else the session did."""


class EventScopes:
    """Resolves scopes of events by the folder in which they happened; one look at each folder a fold."""

    def __init__(self, wiki: Path, files: SessionFiles, home: Path | None, caller: str) -> None:
        self._wiki = wiki
        self._files = files
        self._home = home
        self._caller = caller
        self._by_folder: dict[str, ResolvedScope | None] = {}
        self._by_session: dict[str, Scope | None] = {}

    def forget(self) -> None:
        """Look at markers, repositories and sessions afresh: a new fold begins."""
        self._by_folder.clear()
        self._by_session.clear()

    def scope_of(self, entry: Mapping[str, Any], session: str) -> Scope | None:
        """The scope: as a marker said when it happened, else of the marker or the repository of the folder,
        else where its session was last, else of the folder's name.

        So a step into `/tmp`, or a worktree that is gone meanwhile, does not tear a session apart. None for
        what happens in no project at all: home, say, in a session that never was in one. Nothing is ever
        recorded into the standing preferences or a caller's memory.
        """
        found = self._of_folder(str(entry.get("cwd") or ""))
        scope = _named(entry.get("scope"))
        if scope is None and found is not None and found.source in _SURE:
            scope = found.scope
        scope = scope or self._of_session(session) or (found.scope if found else None)
        self._by_session[session] = scope
        return scope

    def _of_folder(self, folder: str) -> ResolvedScope | None:
        if not os.path.isabs(folder):
            return None
        if folder not in self._by_folder:
            self._by_folder[folder] = self._resolve(Path(folder))
        return self._by_folder[folder]

    def _resolve(self, folder: Path) -> ResolvedScope | None:
        try:
            found = ScopeResolver(self._wiki, folder, self._home, self._caller).resolve_read()
        except InvalidInput:
            return None  # a broken marker: rather not at all than in a project that it may have excluded
        return found if found.source != "home" and _allowed(found.scope) else None

    def _of_session(self, session: str) -> Scope | None:
        if session not in self._by_session:
            scopes = self._files.scopes_of(session)
            self._by_session[session] = scopes[0] if scopes else None
        return self._by_session[session]


def _named(text: object) -> Scope | None:
    try:
        return _allowed(parse_scope(text, "scope")) if isinstance(text, str) and text else None
    except InvalidInput:
        return None


def _allowed(scope: Scope) -> Scope | None:
    return None if scope == GLOBAL or scope.workspace == CALLERS else scope
