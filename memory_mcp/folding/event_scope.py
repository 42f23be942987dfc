"""To which project an event belongs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import CALLERS, GLOBAL, Scope, parse_scope
from memory_mcp.wiki.scope_resolve import ScopeResolver


class EventScopes:
    """Resolves scopes of events by the folder in which they happened; one look at each folder a fold."""

    def __init__(self, wiki: Path, raw: Path, home: Path, caller: str) -> None:
        self._wiki = wiki
        self._raw = raw
        self._home = home
        self._caller = caller
        self._by_folder: dict[str, Scope | None] = {}

    def forget(self) -> None:
        """Look at markers and repositories afresh: a new fold begins."""
        self._by_folder.clear()

    def scope_of(self, entry: Mapping[str, Any], session: str) -> Scope | None:
        """The scope: as the marker said when it happened, else of its folder, else of its session.

        None for what happens in no project at all: home, say, in a session that never was in one. Nothing is
        ever recorded into the standing preferences or a caller's memory.
        """
        scope = _named(entry.get("scope")) or self._of_folder(str(entry.get("cwd") or ""))
        return scope or self._of_session(session)

    def _of_folder(self, folder: str) -> Scope | None:
        if not folder.startswith("/") and ":" not in folder[:3]:
            return None
        if folder not in self._by_folder:
            self._by_folder[folder] = self._resolve(Path(folder))
        return self._by_folder[folder]

    def _resolve(self, folder: Path) -> Scope | None:
        try:
            found = ScopeResolver(self._wiki, folder, self._home, self._caller).resolve_read()
        except InvalidInput:
            return None  # a broken marker: rather not at all than in a project that it may have excluded
        return None if found.source == "home" else _allowed(found.scope)

    def _of_session(self, session: str) -> Scope | None:
        files = sorted(self._raw.glob(f"*/*/sessions/{session}.jsonl"))
        return Scope(files[0].parts[-4], files[0].parts[-3]) if files else None


def _named(text: object) -> Scope | None:
    try:
        return _allowed(parse_scope(text, "scope")) if isinstance(text, str) and text else None
    except InvalidInput:
        return None


def _allowed(scope: Scope) -> Scope | None:
    return None if scope == GLOBAL or scope.workspace == CALLERS else scope
