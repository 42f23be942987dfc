from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.store.lock import WriterLock
from tests.search.opened import OpenedSearch

SCOPE = Scope("acme", "importer")
NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


class Store:
    """A wiki, and the means to open its index as a new process would."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.wiki = root / "wiki"
        self.index = root / "index"
        self.wiki.mkdir()
        self.opened: list[OpenedSearch] = []
        self.lock = WriterLock(root / "locks", 5)
        self.gone_from_head = False

    def open(self, *, background: bool = False, lock: WriterLock | None = None) -> OpenedSearch:
        search = OpenedSearch(
            self.wiki,
            self.index,
            lock or WriterLock(self.root / "locks", 5),
            lambda: NOW,
            background=background,
            is_gone_from_head=lambda paths: self.gone_from_head,
        )
        self.opened.append(search)
        return search

    def write(self, path: str, text: str, scope: Scope = SCOPE) -> str:
        """Write a file as an editor would; returns its wiki path."""
        wiki_path = f"{scope}/{path}"
        file = self.wiki / wiki_path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8"))
        return wiki_path

    def remove(self, path: str, scope: Scope = SCOPE) -> str:
        wiki_path = f"{scope}/{path}"
        (self.wiki / wiki_path).unlink()
        return wiki_path

    def found(self, search: OpenedSearch, text: str, scopes: Sequence[Scope] | None = (SCOPE,)) -> list[str]:
        """The paths that a query finds."""
        return [hit.path for hit in search.query(text, scopes, limit=100).hits]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    for search in made.opened:
        search.close()


@pytest.fixture
def no_rebuild(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it to have every later rebuild fail the test."""
    from memory_mcp.search.index import index_build

    def refuse(*_: object) -> int:
        raise AssertionError("the index was rebuilt")

    return lambda: monkeypatch.setattr(index_build, "rebuild_index", refuse)
