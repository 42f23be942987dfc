"""The search of one process over a wiki, put together as the app does it."""

from __future__ import annotations

from pathlib import Path

from memory_mcp.model.clock import Clock
from memory_mcp.search.page_map import PageMap
from memory_mcp.search.page_search import PageSearch
from memory_mcp.search.page_vectors import PageVectors
from memory_mcp.search.search_index import SearchIndex
from memory_mcp.store.lock import WriterLock


class OpenedSearch:
    """Its parts, and what tests call of them."""

    def __init__(
        self,
        wiki: Path,
        index_root: Path,
        lock: WriterLock,
        clock: Clock,
        *,
        background: bool = False,
        is_gone_from_head=lambda paths: False,
        repositories=dict,
        vectors_root: Path | None = None,
    ) -> None:
        self.index = SearchIndex(
            wiki, index_root, lock, background=background, is_gone_from_head=is_gone_from_head
        )
        self.vectors = PageVectors(self.index, wiki, vectors_root, lock, background=background)
        self.map = PageMap(self.index, self.vectors, clock)
        self.search = PageSearch(wiki, self.index, lambda: self.history(), self.vectors, clock)
        self.query, self.query_past = self.search.query, self.search.query_past
        self.zero_hits, self.best = self.search.zero_hits, self.search.best
        self.paths, self.links = self.map.paths, self.map.links
        self.listing, self.health = self.map.listing, self.map.health
        self.complete_paths = self.map.complete_paths
        self.rebuild = self.index.rebuild
        self.embed, self.embed_missing = self.vectors.embed, self.vectors.embed_missing
        self.vectors_off = self.vectors.off

        self._history_of = index_root, repositories
        self._history = None

    def history(self):
        from memory_mcp.search.history.history_index import HistoryIndex

        self._history = self._history or HistoryIndex(*self._history_of)
        return self._history

    def missing_vectors(self, scopes):
        return self.listing(scopes).counts.missing_vectors

    def update(self, wiki_paths):
        self.index.update(wiki_paths)
        self.vectors.update(wiki_paths)

    def close(self):
        self.vectors.close()
        self.index.close()
        if self._history:
            self._history.close()
