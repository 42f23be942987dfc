"""Reading one page, with its links both ways."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.link import Link
from memory_mcp.model.page import PageMeta
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.search.page_map import PageMap
from memory_mcp.search.page_search import PageSearch
from memory_mcp.store.access_log import AccessLog
from memory_mcp.wiki.frontmatter import read_front
from memory_mcp.wiki.page_file import page_file, read_page_file
from memory_mcp.wiki.page_parse import parse_page
from memory_mcp.wiki.scope_resolve import ScopeResolver

if TYPE_CHECKING:
    from memory_mcp.search.index.link_graph import Related


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """The other end of a link. `exists` is False while no page lies there."""

    scope: Scope
    path: str
    relation: str
    exists: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as a reader sees it. `front` is the whole frontmatter, unknown keys too, as JSON values.

    `notes` say why links may be missing, or shown as missing: while the index is built, for one.
    """

    resolved: ResolvedScope
    path: str
    file: Path
    version: str
    title: str
    kind: str
    meta: PageMeta
    front: Mapping[str, object]
    body: str
    links: tuple[LinkedPage, ...]
    backlinks: tuple[LinkedPage, ...]
    related: tuple[Related, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


class PageReader:
    """Reads pages by path, or the best match of a query."""

    def __init__(
        self,
        wiki: Path,
        scopes: ScopeResolver,
        search: PageSearch,
        page_map: PageMap,
        accesses: AccessLog,
    ) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._search = search
        self._map = page_map
        self._accesses = accesses

    def read(
        self,
        *,
        path: str = "",
        query: str = "",
        workspace: str = "",
        project: str = "",
        related_depth: int = 0,
        progress: Progress = no_progress,
    ) -> PageView:
        """Read the page at `path`, else the one that matches `query` best.

        `related_depth` above 0 also walks the links that far, both ways (at most 3, 50 pages).

        Raises:
            InvalidInput: neither path nor query is given, or both, or the path leaves the scope.
            NotFound: there is no such page in the scope, or no page matches.
            UnreadablePage: the file is not UTF-8.
        """
        path, query = path if path.strip() else "", query if query.strip() else ""
        if not path and not query:
            raise InvalidInput(
                'give path or query, e.g. path="decisions/db.md" or query="which database did we choose".'
            )
        if path and query:
            raise InvalidInput(
                f"path = {path!r:.120} and query = {query!r:.120} exclude each other: give the path of "
                "a page, or the query whose best match is read."
            )
        resolved = self._scopes.resolve_read(workspace, project)
        scope = resolved.scope
        if not path:
            hit = self._search.best(query, scope, progress)
            if hit is None:
                raise NotFound(f"no page of {resolved} matches query = {query!r:.120}: try fewer words.")
            path = hit.path
        data = read_page_file(self._wiki, scope, path)
        if data is None:
            raise NotFound(self._not_found(resolved, path))
        page = parse_page(scope, path, data)
        linked = self._map.links(scope, path, page.links, related_depth, progress)
        self._accesses.note([(scope, path), *((each.scope, each.path) for each in linked.related)])
        return PageView(
            resolved=resolved,
            path=path,
            file=page_file(self._wiki, scope, path),
            version=page.version,
            title=page.title,
            kind=page.kind,
            meta=page.meta,
            front=read_front(page.front).values,
            body=page.body,
            links=tuple(
                _linked_page(scope, link, found)
                for link, found in zip(page.links, linked.targets, strict=True)
            ),
            backlinks=tuple(
                LinkedPage(source, source_path, relation, True)
                for source, source_path, relation in linked.backlinks
            ),
            related=linked.related,
            problems=page.problems,
            notes=linked.notes,
        )

    def _not_found(self, resolved: ResolvedScope, path: str) -> str:
        known = self._map.paths(resolved.scope)
        if path in known:
            return (
                f"the file of page {path!r:.120} in {resolved} is missing, as are many others that vanished "
                "with it: bring them back, or restore the page from git."
            )
        near = difflib.get_close_matches(path, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "search for it, or name its project."
        return f"there is no page {path!r:.120} in {resolved}; {hint}"


def _linked_page(scope: Scope, link: Link, found: tuple[Scope, str] | None) -> LinkedPage:
    target = Scope(link.workspace or scope.workspace, link.project or scope.project)
    at, path = found or (target, link.path)
    return LinkedPage(at, path, link.relation, found is not None)
