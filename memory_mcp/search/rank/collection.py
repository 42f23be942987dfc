"""Pages that can be ranked together: those of now, or those of a moment in the past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from memory_mcp.model.scope import Scope
from memory_mcp.model.window import Window
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.index_read import DocSet, IndexReader
from memory_mcp.search.index.page_terms import StoredPage


class Collection(Protocol):
    """What the streams ask for. A page's id is its `StoredPage.path`."""

    @property
    def reader(self) -> IndexReader:
        """The index of the pages."""

    @property
    def delta(self) -> Delta | None:
        """Pages beside the index."""

    def doc_set(self) -> DocSet:
        """The documents that may be found."""

    def current(self) -> DocSet:
        """Those of them that are no superseded versions."""

    def number(self, page_id: str) -> int | None:
        """The document number of the page with this id, None when there is none."""

    def page(self, number: int) -> StoredPage:
        """The page with this document number."""

    def holds(self, page_id: str) -> bool:
        """Whether there is a page with this id."""

    def holding(self, keyword: str, term: str) -> Iterator[StoredPage]:
        """The pages of any scope that hold a term of a keyword field, in no order."""

    def read_ahead(self, pages: Sequence[StoredPage]) -> None:
        """Get ready for questions after the texts of these pages."""

    def text(self, page: StoredPage) -> str | None:
        """What is searched of a page; None when it cannot be read any more."""

    def place(self, page: StoredPage) -> tuple[Scope, str]:
        """The scope of a page and its path in it."""

    def is_superseded(self, page: StoredPage) -> bool:
        """Whether this is a version that the page no longer is."""

    def window(self, page: StoredPage) -> Window | None:
        """When an old version was the page; None for a page as it is now."""
