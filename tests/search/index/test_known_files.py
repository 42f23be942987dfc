"""What the index's manifest tells to a process that does not open the index."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.search.index import known_files
from memory_mcp.search.index.current_folder import POINTER
from memory_mcp.search.index.index_format import PREFIX
from memory_mcp.search.index.known_files import read_known_files
from memory_mcp.search.index.manifest import MANIFEST_NAME, Manifest, ManifestChange, ManifestFile

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
    assert known.pinned == {"notes/a.md"}
    assert known.no_pages == {"log-2026-11.md"}
    assert read_known_files(store.index, Scope("acme", "other")).stats() == {}


PATHS = ("a.md", "b.md", "notes/a.md", "notes/log-2026-11.md")
paths = st.sampled_from([f"acme/{project}/{path}" for project in ("importer", "other") for path in PATHS])
numbers = st.integers(0, 2**60)
changes = st.builds(
    ManifestChange,
    numbers,
    st.dictionaries(paths, st.tuples(numbers, numbers, numbers, numbers)),
    st.lists(paths).map(tuple),
    st.lists(paths).map(tuple),
    st.dictionaries(paths, st.text(max_size=3)),
    st.lists(paths).map(tuple),
)


@given(st.lists(changes, max_size=6), st.lists(changes, max_size=6), st.booleans())
def test_the_manifest_is_read_as_the_index_reads_it(before, after, is_torn) -> None:
    with TemporaryDirectory() as folder:
        index = Path(folder)
        (index / POINTER).write_text(f"{PREFIX}12345678\n", encoding="utf-8")
        (index / f"{PREFIX}12345678").mkdir()
        file, manifest = ManifestFile(index / f"{PREFIX}12345678"), Manifest()
        for change in before:
            manifest.apply(change)
        file.replace(manifest)
        for change in after:
            file.append(change, manifest)
        if is_torn:
            with open(index / f"{PREFIX}12345678" / MANIFEST_NAME, "ab") as out:
                out.write(b'{"generation": 3, "seen": {"acme/imp')
        known = read_known_files(index, SCOPE)
    prefix = f"{SCOPE}/"
    expected = {folder: names for folder, names in manifest.files.get(str(SCOPE), {}).items() if names}
    assert {folder: names for folder, names in known.files.items() if names} == expected
    assert known.pinned == {each.removeprefix(prefix) for each in manifest.pinned if each.startswith(prefix)}
    assert known.no_pages == {
        each.removeprefix(prefix)
        for each in (*manifest.ledgers, *manifest.unreadable)
        if each.startswith(prefix)
    }


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
