"""The pages as the store knew them at one moment, in the words they had then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_mcp.model.scope import Scope, scope_of
from memory_mcp.model.window import Window, format_moment
from memory_mcp.search.history.page_version import split_id
from memory_mcp.search.history.version_list import VersionList
from memory_mcp.search.history.version_text import VersionTexts
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.doc_set import counted
from memory_mcp.search.index.index_read import DocSet
from memory_mcp.search.index.page_terms import StoredPage


class PastPages:
    """The versions that were the pages of these scopes at `moment`, in seconds since 1970.

    A version was alive from the commit that brought it until before the one that replaced or removed it.
    """

    def __init__(
        self, versions: VersionList, texts: VersionTexts, moment: float, scopes: Sequence[Scope]
    ) -> None:
        self.reader = versions.reader
        self.delta: Delta | None = None
        self.moment = moment
        self.scopes = tuple(scopes)
        self.behind: tuple[Scope, ...] = ()
        self._timeline = versions.timeline
        self._texts = texts
        self._numbers = {
            version.id: version.number
            for scope in self.scopes
            for version in versions.in_scope(scope)
            if versions.timeline.blob_at(version.path, moment) == version.blob
        }
        self.notes = () if self._numbers else (_nothing_yet(versions, self.scopes),)
        bits = bytearray(self.reader.count_all)
        for number in self._numbers.values():
            bits[number] = 1
        self._doc_set = counted(bytes(bits), b"".join(leaf.lengths for leaf in self.reader.leaves))

    def doc_set(self) -> DocSet:
        """The documents of these versions."""
        return self._doc_set

    def current(self) -> DocSet:
        """All of them: at their moment they were the pages."""
        return self._doc_set

    def holds(self, path: str) -> bool:
        """Whether a document is one of these versions."""
        return path in self._numbers

    def number(self, path: str) -> int | None:
        """The document number of the version with this id."""
        return self._numbers.get(path)

    def page(self, number: int) -> StoredPage:
        """The version with this document number."""
        return self.reader.stored(number)

    def holding(self, field: str, term: str) -> Iterator[StoredPage]:
        """The versions that hold a term of a keyword field, in no order."""
        for number in self.reader.documents(field, term):
            version = self.reader.stored(number)
            if version.path in self._numbers:
                yield version

    def read_ahead(self, pages: Sequence[StoredPage]) -> None:
        """Read the texts of pages that will be asked for."""
        self._texts.read_ahead(pages)

    def text(self, page: StoredPage) -> str | None:
        """What is searched of a version."""
        return self._texts.text(page)

    def place(self, page: StoredPage) -> tuple[Scope, str]:
        """The scope of a version, and its path there."""
        return place_of(page)

    def is_superseded(self, page: StoredPage) -> bool:
        """False: at their moment all of them were the pages."""
        return False

    def window(self, page: StoredPage) -> Window | None:
        """When a version was the page."""
        return self._timeline.window(*split_id(page.path), self.moment)


def _nothing_yet(versions: VersionList, scopes: Sequence[Scope]) -> str:
    """Why a moment has no pages: they all came later, or were all gone."""
    asked = ", ".join(map(str, scopes))
    times = [
        versions.timeline.begins(version.path) for scope in scopes for version in versions.in_scope(scope)
    ]
    first = f"the first one was at {format_moment(min(times))}" if times else "none ever was"
    return f"At that moment git held no page of {asked}; {first}."


def place_of(version: StoredPage) -> tuple[Scope, str]:
    """The scope of a version, and its path there."""
    wiki_path, _ = split_id(version.path)
    return scope_of(wiki_path), wiki_path.split("/", 2)[2]
