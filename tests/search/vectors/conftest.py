"""A wiki that is searched by meaning too, with the model that the extra installs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.vectors import embedder as embedders
from memory_mcp.store.lock import WriterLock
from tests.search.opened import OpenedSearch

SCOPE = Scope("acme", "importer")
NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
FOLDER = "wordllama-l2_supercat-256"


class Wiki:
    """Pages written by hand, and the means to search them as another process would."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pages = root / "wiki"
        self.vectors = root / "vectors" / FOLDER
        self.file = self.vectors / "passages.bin"
        self.pages.mkdir()
        self.opened: list[OpenedSearch] = []

    def open(self, *, background: bool = False, lock: WriterLock | None = None) -> OpenedSearch:
        search = OpenedSearch(
            self.pages,
            self.root / "index",
            lock or WriterLock(self.root / "locks", 5),
            lambda: NOW,
            background=background,
            is_gone_from_head=lambda paths: False,
            vectors_root=self.root / "vectors",
        )
        self.opened.append(search)
        return search

    def write(self, path: str, text: str) -> str:
        """Write a page as an editor would; returns its wiki path."""
        file = self.pages / str(SCOPE) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8"))
        return f"{SCOPE}/{path}"

    def scores(self, search: OpenedSearch, text: str) -> dict[str, float]:
        """The hits of a query with their scores, best first."""
        return {hit.path: hit.score for hit in search.query(text, (SCOPE,)).hits}

    def notes(self, search: OpenedSearch, text: str = "car") -> str:
        return " ".join(search.query(text, (SCOPE,)).notes)


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    made = Wiki(tmp_path)
    made.write("cars.md", "# Wheels\n\nThe automobile has a strong engine and new tires.\n")
    made.write("bread.md", "# Oven\n\nThe baker kneads dough with flour and yeast.\n")
    made.write("login.md", "# Passwords\n\nUsers sign in with two factors of authentication.\n")
    yield made
    for search in made.opened:
        search.close()


class Picky:
    """A model that knows texts by their letters, and breaks at the word poison."""

    provider, model, dimension, is_loaded = "test", "letters", 26, True

    def __init__(self) -> None:
        self.breaks = True
        self.embedded: list[str] = []

    def embed(self, texts):
        if self.breaks and any("poison" in text for text in texts):
            raise ValueError("this text\nis poison")
        self.embedded += texts
        rows = np.array(
            [[text.lower().count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts], np.float32
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def picky(monkeypatch: pytest.MonkeyPatch) -> Picky:
    """Install a model that breaks at some texts."""
    model = Picky()
    monkeypatch.setattr(embedders, "find_embedder", lambda: model)
    return model


@pytest.fixture
def count_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many stored pages had their version decoded since the last call."""
    from memory_mcp.search.vectors import document_vectors

    real, count = document_vectors.decode_version, 0

    def counted(data: bytes) -> str:
        nonlocal count
        count += 1
        return real(data)

    def since() -> int:
        nonlocal count
        done, count = count, 0
        return done

    monkeypatch.setattr(document_vectors, "decode_version", counted)
    return since
