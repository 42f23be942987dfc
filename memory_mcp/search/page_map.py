"""Which pages there are, how they are linked, and how they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_mcp.model.clock import Clock
from memory_mcp.model.link import Link
from memory_mcp.model.page_path import collision_key
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import PageCounts, PageHealth, PageLinks, PageListing
from memory_mcp.search.page_vectors import PageVectors
from memory_mcp.search.search_index import SearchIndex

if TYPE_CHECKING:
    from memory_mcp.search.index.snapshot import Snapshot

# ruff: noqa: PLC0415 - what is imported below loads Whoosh; a server answers before that


class PageMap:
    """Answers from the index without ranking anything."""

    def __init__(self, index: SearchIndex, vectors: PageVectors, clock: Clock) -> None:
        self._index = index
        self._vectors = vectors
        self._clock = clock

    def paths(self, scope: Scope, progress: Progress = no_progress) -> list[str]:
        """The paths of a scope's pages, in order."""
        prefix = len(f"{scope}/")
        return self._index.ask(
            lambda pages: sorted(path[prefix:] for path in pages.paths(scope)), (scope,), progress
        )

    def complete_paths(self, scope: Scope, prefix: str, limit: int = 100) -> list[str]:
        """The first paths of a scope that begin with `prefix`, whatever its case."""
        key = collision_key(prefix)
        return [path for path in self.paths(scope) if collision_key(path).startswith(key)][:limit]

    def links(
        self, scope: Scope, path: str, links: Sequence[Link], depth: int = 0, progress: Progress = no_progress
    ) -> PageLinks:
        """What a page that has these links is linked with; `depth` above 0 walks on, see `related`."""

        def follow(pages: Snapshot) -> PageLinks:
            from memory_mcp.search.index.link_graph import backlinks, related, resolve

            return PageLinks(
                tuple(resolve(pages, scope, link) for link in links),
                tuple(backlinks(pages, scope, path)),
                tuple(related(pages, scope, path, depth, self._clock().timestamp())),
                pages.caveats(),
            )

        return self._index.ask(follow, (scope,), progress)

    def listing(self, scopes: Sequence[Scope] | None, progress: Progress = no_progress) -> PageListing:
        """All pages, by path, and how they are; `scopes` None means all but those of callers."""

        def list_pages(pages: Snapshot) -> PageListing:
            from memory_mcp.search.page_health import count_pages

            listed = tuple(sorted(pages.pages()))
            counts = sum(count_pages(pages, listed).values(), PageCounts())
            counts = replace(counts, missing_vectors=self._vectors.missing(pages))
            return PageListing(listed, counts, pages.caveats())

        return self._index.ask(list_pages, scopes, progress)

    def linked_scopes(
        self, scope: Scope, progress: Progress = no_progress
    ) -> tuple[tuple[Scope, ...], tuple[Scope, ...]]:
        """The other projects with pages that link to this one, and those that its pages link to."""

        def look(pages: Snapshot) -> tuple[tuple[Scope, ...], tuple[Scope, ...]]:
            from memory_mcp.search.index.link_graph import linked_from, linked_to

            return tuple(sorted(linked_from(pages, scope))), tuple(sorted(linked_to(pages, scope)))

        return self._index.ask(look, (scope,), progress)

    def health(self, scopes: Sequence[Scope] | None, progress: Progress = no_progress) -> PageHealth:
        """How much there is, and what a person should mend."""

        def examine(pages: Snapshot) -> PageHealth:
            from memory_mcp.search.page_health import count_pages, problems

            counts = count_pages(pages, list(pages.pages()))
            for scope in counts:
                missing = self._vectors.missing(replace(pages, scopes=(scope,)))
                counts[scope] = replace(counts[scope], missing_vectors=missing)
            found = sorted([*problems(pages), *self._vectors.problems()])
            return PageHealth(counts, tuple(found), pages.caveats())

        return self._index.ask(examine, scopes, progress)
