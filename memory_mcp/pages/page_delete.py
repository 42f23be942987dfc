"""Deleting one page; git keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_mcp.model.actor import Actor
from memory_mcp.model.page_path import check_known_path, check_write_path
from memory_mcp.model.scope import ResolvedScope
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.page_file import page_file, read_page_file
from memory_mcp.wiki.scope_resolve import ScopeResolver


@dataclass(frozen=True, slots=True)
class DeletedPage:
    """What became of a deletion. `deleted` is False when there was no such page; then nothing changed."""

    resolved: ResolvedScope
    path: str
    file: Path
    deleted: bool
    commit: str | None


class PageDeleter:
    """Removes pages. A hand edit that git does not know yet is committed first, so nothing is lost."""

    def __init__(self, wiki: Path, scopes: ScopeResolver, changes: WikiChanges) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._changes = changes

    def delete(self, path: str, actor: Actor, *, workspace: str = "", project: str = "") -> DeletedPage:
        """Delete the page at `path` of a scope that exists.

        Raises:
            InvalidInput: the path is not a page path.
            NotFound: the scope does not exist.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        check_known_path(path)
        resolved = self._scopes.resolve_pages(workspace, project)
        scope = resolved.scope
        wiki_path = f"{scope}/{path}"
        file = page_file(self._wiki, scope, path)
        if read_page_file(self._wiki, scope, path) is None:
            check_write_path(path)  # only a page that is there may have a name that none is given
            return DeletedPage(resolved, path, file, False, None)
        with self._changes.begin("delete-page", wiki_path, actor) as change:
            deleted = read_page_file(self._wiki, scope, path) is not None
            if deleted:
                change.remove(wiki_path)
                change.log(scope, "delete-page", path)
        return DeletedPage(resolved, path, file, deleted, change.commit)
