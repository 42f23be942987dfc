"""The wiki's history: its commits, and bringing back an old version of a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_mcp.model.actor import Actor
from memory_mcp.model.page import version_of
from memory_mcp.model.page_path import check_known_path, check_read_path
from memory_mcp.model.scope import ResolvedScope
from memory_mcp.store.git_history import CommitInfo
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.store.wiki_repos import WikiRepos
from memory_mcp.wiki.page_file import check_new_file, page_file, read_page_file
from memory_mcp.wiki.scope_resolve import ScopeResolver


@dataclass(frozen=True, slots=True)
class RestoredPage:
    """A page brought back; `restored` is False when it already had those bytes."""

    resolved: ResolvedScope
    path: str
    file: Path
    source: str
    restored: bool
    version: str
    commit: str | None


class PageHistory:
    """Lists commits and restores pages from them."""

    def __init__(self, wiki: Path, scopes: ScopeResolver, changes: WikiChanges, repos: WikiRepos) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._changes = changes
        self._repos = repos

    def checkpoints(
        self, limit: int = 20, *, path: str = "", workspace: str = "", project: str = ""
    ) -> tuple[ResolvedScope, tuple[CommitInfo, ...]]:
        """The last commits that touched a scope, or one page of it, newest first.

        Raises:
            InvalidInput: `path` is not a page path.
            NotFound: the scope does not exist.
        """
        if path:
            check_read_path(path)
        resolved = self._scopes.resolve_read(workspace, project)
        prefix = f"{resolved.scope}/{path}" if path else str(resolved.scope)
        return resolved, tuple(self._repos.log(prefix, limit))

    def restore(
        self, path: str, source: str, actor: Actor, *, workspace: str = "", project: str = ""
    ) -> RestoredPage:
        """Give the page the bytes it had at the commit `source`; itself a commit that can be undone.

        An empty `source` means the last commit that held the page.

        Raises:
            InvalidInput: `path` is not a page path, or `source` is not the id of a commit.
            NotFound: there is no such commit, or it did not hold the page.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        check_known_path(path)
        resolved = self._scopes.resolve_pages(workspace, project)
        scope = resolved.scope
        wiki_path = f"{scope}/{path}"
        file = page_file(self._wiki, scope, path)
        source, data = self._repos.version(wiki_path, source)
        with self._changes.begin("restore-page", f"{wiki_path} from {source[:12]}", actor) as change:
            old = read_page_file(self._wiki, scope, path)
            if old is None:
                check_new_file(self._wiki, scope, path)
            if data != old:
                change.put(wiki_path, data)
                change.log(scope, "restore-page", path)
        return RestoredPage(resolved, path, file, source, data != old, version_of(data), change.commit)
