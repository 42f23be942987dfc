"""What the index's manifest tells to a process that does not open the index."""

from __future__ import annotations

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.index import known_files
from memory_mcp.search.index.current_folder import POINTER
from memory_mcp.search.index.known_files import read_known_files

SCOPE = Scope("acme", "importer")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_files, "MIN_BYTES", 10)


def built(store) -> None:
    store.write("notes/a.md", "---\npinned: true\n---\ntext")
    store.write("notes/b.md", "text")
    store.write("log-2026-11.md", "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] session | codex\n")
    search = store.open()
    search.links(SCOPE, "", ())
    search.close()


def test_pages_and_pins_are_known_as_the_index_saw_them(store) -> None:
    built(store)
    known = read_known_files(store.index, SCOPE)
    assert sorted(known.stats()) == ["notes/a.md", "notes/b.md"]
    assert known.pinned == ("notes/a.md",)
    assert known.no_pages == ("log-2026-11.md",)
    assert read_known_files(store.index, Scope("acme", "other")).stats() == {}


def test_without_an_index_that_can_be_read_nothing_is_known(store) -> None:
    assert read_known_files(store.index, SCOPE).files == {}
    built(store)
    name = (store.index / POINTER).read_text(encoding="utf-8").strip()
    manifest = store.index / name / "manifest.jsonl"
    whole = manifest.read_bytes()
    for damage in (b"{}" * 20, b"[1, 2, 3, 4, 5, 6]\n", b"\xff" * 40, whole[:30]):
        manifest.write_bytes(damage)
        assert read_known_files(store.index, SCOPE).files == {}
    manifest.write_bytes(whole)
    (store.index / name).rename(store.index / "v1-12345678")
    (store.index / POINTER).write_text("v1-12345678\n", encoding="utf-8")
    assert read_known_files(store.index, SCOPE).files == {}
    (store.index / POINTER).write_text("../../elsewhere\n", encoding="utf-8")
    assert read_known_files(store.index, SCOPE).files == {}


def test_a_manifest_of_few_or_of_very_many_files_is_not_read(store, monkeypatch: pytest.MonkeyPatch) -> None:
    built(store)
    monkeypatch.setattr(known_files, "MAX_BYTES", 20)
    assert read_known_files(store.index, SCOPE).files == {}
    monkeypatch.setattr(known_files, "MAX_BYTES", 10_000)
    assert read_known_files(store.index, SCOPE).files
    monkeypatch.setattr(known_files, "MIN_BYTES", 5_000)
    assert read_known_files(store.index, SCOPE).files == {}
