"""The pages as they are, and beside them the versions that they no longer are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from memory_mcp.model.scope import Scope
from memory_mcp.model.window import Window
from memory_mcp.search.history.page_version import split_id
from memory_mcp.search.history.past_pages import place_of
from memory_mcp.search.history.version_list import VersionList
from memory_mcp.search.history.version_text import VersionTexts
from memory_mcp.search.index.doc_set import counted
from memory_mcp.search.index.index_read import DocSet, IndexReader, Leaf
from memory_mcp.search.index.page_terms import StoredPage
from memory_mcp.search.index.snapshot import Snapshot


class AllVersions:
    """Current pages and superseded versions of the scopes of a snapshot, to be ranked together.

    A version is superseded when the page at its path has other bytes now, whether or not they are committed;
    `current` are the versions of the pages by wiki path, as `versions_of` gives them.
    """

    def __init__(
        self, pages: Snapshot, current: Mapping[str, str], versions: VersionList, texts: VersionTexts
    ) -> None:
        self._pages = pages
        self._timeline = versions.timeline
        self._texts = texts
        self.reader = joined(pages.reader, versions.reader)
        self.delta = pages.delta.numbered_from(self.reader.count_all)
        self.scopes = pages.scopes
        base = pages.reader.count_all
        self._superseded = {
            version.id: base + version.number
            for scope in pages.scopes
            for version in versions.in_scope(scope)
            if current.get(version.path) != version.version
        }
        known = pages.doc_set().bits
        bits = bytearray(known[:base]) + bytes(self.reader.count_all - base) + known[base:]
        lengths = b"".join(leaf.lengths for leaf in self.reader.leaves) + self.delta.lengths
        self._current = counted(bytes(bits), lengths)
        for number in self._superseded.values():
            bits[number] = 1
        self._doc_set = counted(bytes(bits), lengths)

    def doc_set(self) -> DocSet:
        """The documents of the current pages and of their superseded versions."""
        return self._doc_set

    def current(self) -> DocSet:
        """The documents of the current pages."""
        return self._current

    def holds(self, path: str) -> bool:
        """Whether there is a page at this wiki path, or a superseded version with this id."""
        return path in self._superseded or self._pages.holds(path)

    def number(self, path: str) -> int | None:
        """The document number of the page at this wiki path, or of the superseded version with this id."""
        if path in self._superseded:
            return self._superseded[path]
        number = self._pages.number(path)
        if number is None or number < self._pages.delta.base:
            return number
        return number - self._pages.delta.base + self.delta.base

    def page(self, number: int) -> StoredPage:
        """The page or version with this document number."""
        return self.reader.stored(number) if number < self.delta.base else self.delta.stored(number)

    def holding(self, field: str, term: str) -> Iterator[StoredPage]:
        """The pages and superseded versions that hold a term of a keyword field, in no order."""
        yield from self._pages.holding(field, term)
        for number in self.reader.documents(field, term):
            if number >= self._pages.reader.count_all:
                version = self.reader.stored(number)
                if version.path in self._superseded:
                    yield version

    def read_ahead(self, pages: Sequence[StoredPage]) -> None:
        """Read the texts of superseded versions that will be asked for."""
        self._texts.read_ahead([page for page in pages if self.is_superseded(page)])

    def text(self, page: StoredPage) -> str | None:
        """What is searched of a page or version."""
        return self._texts.text(page) if self.is_superseded(page) else self._pages.text(page)

    def place(self, page: StoredPage) -> tuple[Scope, str]:
        """The scope of a page or version, and its path there."""
        return place_of(page) if self.is_superseded(page) else self._pages.place(page)

    def is_superseded(self, page: StoredPage) -> bool:
        """Whether this is a version that the page no longer is."""
        return page.path in self._superseded

    def window(self, page: StoredPage) -> Window | None:
        """When a superseded version was the page last; None for a current page."""
        return self._timeline.window(*split_id(page.path)) if self.is_superseded(page) else None


def versions_of(pages: Snapshot) -> dict[str, str]:
    """The version of every page of the asked scopes, by wiki path."""
    return {page.path: page.version for page in pages.pages()}


def joined(first: IndexReader, second: IndexReader) -> IndexReader:
    """One reader of the documents of two, those of the second numbered after the first's.

    It is valid as long as they are, and has no files of its own to close.
    """
    return IndexReader(0, [*first.leaves, *(_moved(leaf, first.count_all) for leaf in second.leaves)])


def _moved(leaf: Leaf, by: int) -> Leaf:
    moved = copy(leaf)
    moved.base += by
    return moved
