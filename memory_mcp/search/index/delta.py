"""Changed pages beside the index, in memory: one more leaf for the scorer.

When another process holds the writer lock, pages that changed on disk are put here, and the documents that
the index still has for them are masked. A delta belongs to one reader: its pages are numbered after the
reader's, and it is discarded with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from copy import copy

from memory_mcp.search.index.index_read import IndexReader
from memory_mcp.search.index.page_terms import MAX_WEIGHT, PageTerms, StoredPage
from memory_mcp.search.index.segment_files import length_byte


class Delta:
    """Pages that replace, join or leave those of a reader."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._pages: list[PageTerms | None] = []
        self._numbers: dict[str, int] = {}
        self._gone: set[str] = set()
        self.base = reader.count_all
        self.lengths = bytearray()
        self.masked: set[int] = set()
        """Documents of the reader that no longer count."""
        self.changes = 0
        """How often the delta was changed; caches of it are keyed by this."""

    def __len__(self) -> int:
        """How many pages differ from the index."""
        return len(self._numbers) + len(self._gone)

    def put(self, page: PageTerms) -> None:
        """Let this page count instead of the one in the index."""
        self.drop(page.path)
        self._gone.discard(page.path)
        number = len(self._pages)
        byte = length_byte(sum([min(weight, MAX_WEIGHT) for weight in page.bag.values()]))
        for term, weight in page.bag.items():
            found = self._postings.get(term)
            if found is None:
                found = self._postings[term] = array("I"), array("H")
            found[0].append(number)
            found[1].append(min(weight, MAX_WEIGHT) << 8 | byte)
        self._pages.append(page)
        self._numbers[page.path] = number
        self.lengths.append(byte)

    def drop(self, path: str) -> None:
        """Let the page with this wiki path count no more."""
        self.changes += 1
        number = self._numbers.pop(path, None)
        if number is not None:
            self._pages[number] = None
        if (document := self._reader.document_of(path)) is not None:
            self.masked.add(document)
        self._gone.add(path)

    def numbered_from(self, base: int) -> Delta:
        """The same pages beside a reader that holds more documents; only for reading."""
        moved = copy(self)
        moved.base = base
        return moved

    def has(self, path: str) -> bool:
        """Whether the delta knows better than the index about this wiki path."""
        return path in self._numbers or path in self._gone

    def number(self, path: str) -> int | None:
        """The document number, at or above `base`, of the page with this wiki path, if it is here."""
        place = self._numbers.get(path)
        return None if place is None else self.base + place

    def pages(self) -> Iterator[PageTerms]:
        """The pages that are here."""
        return (page for page in self._pages if page is not None)

    def live(self) -> bytes:
        """1 for each page that is here, 0 for each number whose page was replaced or dropped."""
        return bytes([page is not None for page in self._pages])

    def numbered(self) -> Iterator[tuple[int, PageTerms]]:
        """The pages that are here with their places in `live`."""
        return ((place, page) for place, page in enumerate(self._pages) if page is not None)

    def stored(self, number: int) -> StoredPage:
        """The stored page of a document number at or above `base`."""
        page = self._pages[number - self.base]
        if page is None:
            raise IndexError(number)
        return page.stored

    def postings(self, term: str) -> tuple[array[int], array[int]] | None:
        """Documents (numbered from 0) and impacts of a term of the text, replaced ones included."""
        return self._postings.get(term)

    def frequencies(self, prefix: str) -> Iterator[tuple[str, int]]:
        """The terms with a prefix and how many pages hold each, replaced ones included."""
        return ((t, len(found[0])) for t, found in self._postings.items() if t.startswith(prefix))
