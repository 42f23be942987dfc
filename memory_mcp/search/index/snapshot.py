"""What is known of the pages at one moment: the index, and beside it the pages that wait to be indexed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.model.page_path import collision_key
from memory_mcp.model.scope import Scope, scope_of
from memory_mcp.model.window import Window
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.doc_set import doc_set
from memory_mcp.search.index.index_read import DocSet, IndexReader
from memory_mcp.search.index.manifest import Manifest
from memory_mcp.search.index.page_source import read_text
from memory_mcp.search.index.page_terms import SCOPE, StoredPage


class NameMap:
    """The pages of a scope by what a case-folding reader would call them."""

    def __init__(self, prefix: str, wiki_paths: Iterable[str]) -> None:
        self.by_path: dict[str, str] = {}
        self.by_name: dict[str, list[str]] = {}
        for wiki_path in sorted(wiki_paths):
            path = wiki_path[len(prefix) :]
            key = collision_key(path)
            self.by_path.setdefault(key, path)
            self.by_name.setdefault(key.rsplit("/", 1)[-1], []).append(path)


@dataclass(slots=True)
class Snapshot:
    """The pages as the index and the delta beside it hold them; valid until the next look.

    `behind` are scopes with edits that are in neither, `missing` are files (wiki paths) that vanished
    in bulk and whose pages are kept, `unreadable` says by wiki path why a file is no page, and `notes`
    are sentences for whoever asked.
    """

    wiki: Path
    manifest: Manifest
    reader: IndexReader
    delta: Delta
    scopes: tuple[Scope, ...]
    behind: tuple[Scope, ...] = ()
    missing: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    unreadable: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    names: dict[Scope, NameMap] = field(default_factory=dict)

    def doc_set(self) -> DocSet:
        """The documents of the asked scopes."""
        return doc_set(self.reader, [str(scope) for scope in self.scopes], self.delta)

    def current(self) -> DocSet:
        """All of them: these are the pages as they are."""
        return self.doc_set()

    def holds(self, wiki_path: str) -> bool:
        """Whether there is a page at this path."""
        if self.delta.has(wiki_path):
            return self.delta.number(wiki_path) is not None
        return self.manifest.holds_page(wiki_path)

    def stored(self, wiki_path: str) -> StoredPage | None:
        """The page at this path, None when there is none."""
        number = self.number(wiki_path)
        return None if number is None else self.page(number)

    def number(self, wiki_path: str) -> int | None:
        """The document number of the page at this path, None when there is none."""
        if self.delta.has(wiki_path):
            return self.delta.number(wiki_path)
        return self.reader.document_of(wiki_path) if self.manifest.holds_page(wiki_path) else None

    def page(self, number: int) -> StoredPage:
        """The page with this document number."""
        return self.delta.stored(number) if number >= self.delta.base else self.reader.stored(number)

    def read_ahead(self, pages: Sequence[StoredPage]) -> None:
        """Nothing: a file is read faster than it is asked for."""

    def text(self, page: StoredPage) -> str | None:
        """What is searched of a page's file; None when it cannot be read any more."""
        return read_text(self.wiki, page)

    def place(self, page: StoredPage) -> tuple[Scope, str]:
        """The scope of a page and its path in it."""
        return page.scope, page.page_path

    def is_superseded(self, page: StoredPage) -> bool:
        """False: these are the pages as they are."""
        return False

    def window(self, page: StoredPage) -> Window | None:
        """None: these are the pages as they are."""
        return None

    def paths(self, scope: Scope) -> Iterator[str]:
        """The wiki paths of a scope's pages, in no order."""
        for path in self.manifest.paths(str(scope)):
            if not self.delta.has(path):
                yield path
        for page in self.delta.pages():
            if page.stored.scope == scope:
                yield page.path

    def pages(self) -> Iterator[StoredPage]:
        """The pages of the asked scopes, in no order."""
        for scope in self.scopes:
            yield from self.holding(SCOPE, str(scope))

    def holding(self, keyword: str, term: str) -> Iterator[StoredPage]:
        """The pages of any scope that hold a term of a keyword field, in no order."""
        for number in self.reader.documents(keyword, term):
            page = self.reader.stored(number)
            if not self.delta.has(page.path) and self.manifest.holds_page(page.path):
                yield page
        for waiting in self.delta.pages():
            if term in waiting.keywords.get(keyword, ()):
                yield waiting.stored

    def caveats(self) -> tuple[str, ...]:
        """The notes, and which scopes are behind."""
        if not self.behind:
            return self.notes
        return (*self.notes, f"The newest edits of {', '.join(map(str, self.behind))} are not indexed yet.")

    def all_unreadable(self) -> dict[str, str]:
        """Why files of the asked scopes are no pages, by wiki path."""
        asked = set(self.scopes)
        found = {p: why for p, why in self.manifest.unreadable.items() if not self.delta.has(p)}
        found.update(self.unreadable)
        return {path: why for path, why in found.items() if scope_of(path) in asked}

    def names_in(self, scope: Scope) -> NameMap:
        """The pages of a scope by name; remembered."""
        found = self.names.get(scope)
        if found is None:
            found = self.names[scope] = NameMap(f"{scope}/", self.paths(scope))
        return found
