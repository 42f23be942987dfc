"""Changed pages that wait for the writer lock: read once, kept in memory, searched beside the index."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.freshness import Staleness
from memory_mcp.search.index.index_read import IndexReader
from memory_mcp.search.index.page_source import read_source
from memory_mcp.search.index.page_terms import PageTerms, page_terms
from memory_mcp.store.stat_scan import Stat

MAX_PAGES = 500
MAX_SECONDS = 0.5
"""What one query may spend on reading changed pages."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A file as it was read; `terms` is None when it is no page."""

    stat: Stat
    terms: PageTerms | None
    unreadable: str


class PendingPages:
    """The changed pages of one process, and the delta that holds them."""

    def __init__(self, wiki: Path) -> None:
        self._wiki = wiki
        self._read: dict[str, _Pending] = {}
        self._gone: tuple[str, ...] = ()
        self._delta: Delta | None = None
        self._of: IndexReader | None = None

    def delta(self, reader: IndexReader, stale: Staleness) -> Delta:
        """The delta beside `reader` that holds as many of the stale pages as may be read."""
        before = dict(self._read)
        self._read = {path: read for path, read in before.items() if path in stale.changed}
        self._read_more(stale.changed)
        if self._delta is None or self._of is not reader or self._read != before or self._gone != stale.gone:
            self._gone = stale.gone
            self._of = reader
            self._delta = Delta(reader)
            for path, read in self._read.items():
                if read.terms is not None:
                    self._delta.put(read.terms)
                else:
                    self._delta.drop(path)
            for path in stale.gone:
                self._delta.drop(path)
        return self._delta

    def left_out(self, stale: Staleness) -> list[str]:
        """The stale pages that the last delta does not hold, for there were too many."""
        return [path for path in stale.changed if path not in self._read]

    def unreadable(self) -> dict[str, str]:
        """Why files that wait are no pages."""
        return {path: read.unreadable for path, read in self._read.items() if read.unreadable}

    def _read_more(self, changed: dict[str, Stat]) -> None:
        deadline = time.monotonic() + MAX_SECONDS
        for path, stat in changed.items():
            known = self._read.get(path)
            if known is not None and known.stat == stat:
                continue
            if (known is None and len(self._read) >= MAX_PAGES) or time.monotonic() > deadline:
                self._read.pop(path, None)
                continue
            source = read_source(self._wiki, path)
            if source is not None:
                terms = page_terms(source.page) if source.page else None
                self._read[path] = _Pending(source.stat, terms, source.unreadable)
