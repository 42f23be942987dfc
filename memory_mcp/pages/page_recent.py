"""Which pages changed last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from memory_mcp.errors import Unavailable
from memory_mcp.model.clock import Clock
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.search.answer import PageCounts
from memory_mcp.search.page_map import PageMap
from memory_mcp.store.access_log import AccessLog
from memory_mcp.store.wiki_repos import WikiRepos
from memory_mcp.wiki.scope_resolve import ScopeResolver


@dataclass(frozen=True, slots=True)
class RecentPage:
    """A page and when it last changed: its last commit, or its mtime while the edit is not committed."""

    scope: Scope
    path: str
    file: Path
    title: str
    kind: str
    summary: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class RecentPages:
    """Pages newest first, and the counts of all pages. `resolved` is None when every scope was asked."""

    resolved: ResolvedScope | None
    pages: tuple[RecentPage, ...]
    counts: PageCounts
    notes: tuple[str, ...]


class PageRecent:
    """Lists what changed last, by the wiki's own history."""

    def __init__(
        self,
        wiki: Path,
        scopes: ScopeResolver,
        page_map: PageMap,
        repos: WikiRepos,
        accesses: AccessLog,
        clock: Clock,
    ) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._map = page_map
        self._repos = repos
        self._accesses = accesses
        self._clock = clock

    def recent(
        self,
        limit: int = 10,
        *,
        workspace: str = "",
        project: str = "",
        progress: Progress = no_progress,
    ) -> RecentPages:
        """The `limit` pages that changed last and are not expired.

        Raises:
            NotFound: a named scope does not exist.
        """
        resolved = None
        if workspace or project or not self._scopes.default_global():
            resolved = self._scopes.resolve_read(workspace, project)
        found = self.newest(resolved, limit, progress)
        if resolved:
            self._accesses.note((page.scope, page.path) for page in found.pages)
        return found

    def newest(
        self, resolved: ResolvedScope | None, limit: int, progress: Progress = no_progress
    ) -> RecentPages:
        """The same of a scope, or of all but those of callers; nothing counts as read."""
        scopes = (resolved.scope,) if resolved else None
        now = self._clock().timestamp()
        listing = self._map.listing(scopes, progress)
        known = {page.path: page for page in listing.pages if not page.is_expired(now)}
        notes = listing.notes
        try:
            times = self._repos.last_changes(str(resolved.scope) if resolved else "", set(known), limit)
        except Unavailable as error:
            times = {path: self._mtime(path) for path in known}
            notes += (f"{error} Times are those of the files.",)
        newest = sorted(times.items(), key=lambda item: (-item[1], item[0]))[:limit]
        pages = tuple(
            RecentPage(
                scope=known[path].scope,
                path=known[path].page_path,
                file=self._wiki / path,
                title=known[path].title,
                kind=known[path].kind,
                summary=known[path].descriptor,
                updated=datetime.fromtimestamp(moment, timezone.utc),
            )
            for path, moment in newest
        )
        return RecentPages(resolved, pages, listing.counts, notes)

    def _mtime(self, wiki_path: str) -> float:
        try:
            return (self._wiki / wiki_path).stat().st_mtime
        except OSError:
            return 0.0
