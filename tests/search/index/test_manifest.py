from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_mcp.search.index.manifest import MANIFEST_NAME, Manifest, ManifestChange, ManifestFile
from memory_mcp.store.stat_scan import Stat

A: Stat = (1, 2, 3, 4)
B: Stat = (5, 6, 7, 8)


def made(folder: Path, *changes: ManifestChange) -> tuple[ManifestFile, Manifest]:
    file, manifest = ManifestFile(folder), Manifest()
    file.replace(manifest)
    for change in changes:
        file.append(change, manifest)
    return file, manifest


def read(folder: Path) -> Manifest:
    return ManifestFile(folder).read(Manifest())


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    _, manifest = made(
        tmp_path,
        ManifestChange(
            3,
            {"w/p/a.md": A, "w/p/notes/b.md": B, "w/p/log-2026-11.md": A, "w/q/bad.md": A},
            ledgers=("w/p/log-2026-11.md",),
            unreadable={"w/q/bad.md": "not UTF-8"},
        ),
        ManifestChange(4, {"w/p/a.md": B}, gone=("w/p/notes/b.md",)),
    )
    assert read(tmp_path) == manifest
    assert manifest.generation == 4
    assert manifest.stat("w/p/a.md") == B
    assert manifest.stat("w/p/notes/b.md") is None
    assert list(manifest.paths("w/p")) == ["w/p/a.md"]
    assert not manifest.holds_page("w/q/bad.md")
    assert manifest.files == {"w/p": {"": {"a.md": B, "log-2026-11.md": A}}, "w/q": {"": {"bad.md": A}}}


def test_a_file_that_became_a_page_is_no_longer_unreadable(tmp_path: Path) -> None:
    _, manifest = made(
        tmp_path,
        ManifestChange(1, {"w/p/a.md": A}, unreadable={"w/p/a.md": "not UTF-8"}),
        ManifestChange(2, {"w/p/a.md": B}),
    )
    assert manifest.holds_page("w/p/a.md")
    assert read(tmp_path) == manifest


def test_another_process_sees_an_append_by_one_stat_and_reads_the_tail_alone(tmp_path: Path) -> None:
    writer, manifest = made(tmp_path, ManifestChange(1, {"w/p/a.md": A}))
    other = ManifestFile(tmp_path)
    seen = other.read(Manifest())
    assert not other.has_news()
    writer.append(ManifestChange(2, {"w/p/b.md": B}), manifest)
    assert not writer.has_news()
    assert other.has_news()
    assert other.read(seen) is seen
    assert seen == manifest


def test_a_replaced_file_is_read_whole(tmp_path: Path) -> None:
    writer, manifest = made(tmp_path, ManifestChange(1, {"w/p/a.md": A}))
    other = ManifestFile(tmp_path)
    seen = other.read(Manifest())
    manifest.apply(ManifestChange(2, gone=("w/p/a.md",)))
    writer.replace(manifest)
    assert other.has_news()
    assert other.read(seen) == manifest


def test_a_torn_line_is_skipped_and_the_next_one_is_not_lost(tmp_path: Path) -> None:
    made(tmp_path, ManifestChange(1, {"w/p/a.md": A}))
    path = tmp_path / MANIFEST_NAME
    path.write_bytes(path.read_bytes() + b'{"generation":2,"seen":{"w/p/b')
    writer = ManifestFile(tmp_path)
    manifest = writer.read(Manifest())
    assert manifest.generation == 1
    writer.append(ManifestChange(3, {"w/p/c.md": B}), manifest)
    assert read(tmp_path) == manifest
    assert list(manifest.paths("w/p")) == ["w/p/a.md", "w/p/c.md"]


def test_a_line_read_while_it_is_being_appended_is_read_when_it_is_whole(tmp_path: Path) -> None:
    made(tmp_path)
    path = tmp_path / MANIFEST_NAME
    before = path.read_bytes()
    made(tmp_path, ManifestChange(1, {"w/p/a.md": A}))
    whole = path.read_bytes()
    path.write_bytes(before + whole[len(before) :][:20])
    other = ManifestFile(tmp_path)
    seen = other.read(Manifest())
    with open(path, "ab") as file:
        file.write(whole[len(before) :][20:])
    assert other.has_news()
    assert other.read(seen).stat("w/p/a.md") == A


def test_many_changes_are_folded_into_the_first_line(tmp_path: Path) -> None:
    writer, manifest = made(tmp_path)
    for generation in range(1, 2500):
        name = f"w/p/notes/page-{generation % 7}.md"
        writer.append(ManifestChange(generation, {name: (generation, 0, 0, 0)}), manifest)
    assert (tmp_path / MANIFEST_NAME).stat().st_size < 200_000
    assert read(tmp_path) == manifest


@pytest.mark.parametrize(
    "damage", [b"", b"null\n", b"[]\n", b"\0" * 100, b'{"files": {}}\n', b'{"generation": 1']
)
def test_a_damaged_first_line_raises(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / MANIFEST_NAME).write_bytes(damage)
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        read(tmp_path)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="manifest"):
        ManifestFile(tmp_path).has_news()


stats = st.tuples(*[st.integers(0, 2**63)] * 4)
names = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=8)
paths = st.builds(
    lambda parts, name: "/".join(["w", "p", *parts, name + ".md"]), st.lists(names, max_size=2), names
)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.dictionaries(paths, stats, max_size=4), st.lists(paths, max_size=3)), max_size=5)
)
def test_any_history_reads_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[dict[str, Stat], list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("manifest")
    changes = [
        ManifestChange(number, seen, tuple(gone), ledgers=tuple(seen)[:1])
        for number, (seen, gone) in enumerate(history)
    ]
    writer, manifest = made(folder, *changes)
    assert read(folder) == manifest
    writer.replace(manifest)
    assert read(folder) == manifest


def test_ten_thousand_files_load_within_ten_milliseconds(tmp_path: Path) -> None:
    now = 1_796_000_000_000_000_000
    seen = {f"w/p/notes/{n % 100}/page-{n}.md": (now + n, now + n, n, 10**8 + n) for n in range(10_000)}
    file, manifest = made(tmp_path, ManifestChange(1, seen))
    file.replace(manifest)
    times = []
    for _ in range(5):
        start = time.thread_time()
        read(tmp_path)
        times.append(time.thread_time() - start)
    assert min(times) < 0.030  # three times what is measured on a quiet core


def test_which_pages_are_pinned_is_known_until_they_change_or_go(tmp_path: Path) -> None:
    file, manifest = made(
        tmp_path, ManifestChange(1, {"w/p/a.md": A, "w/p/b.md": A}, pinned=("w/p/a.md", "w/p/b.md"))
    )
    file.append(manifest.restat({"w/p/a.md": B}), manifest)
    assert read(tmp_path).pinned == {"w/p/a.md", "w/p/b.md"}
    file.append(ManifestChange(2, {"w/p/a.md": A}, gone=("w/p/b.md",)), manifest)
    assert read(tmp_path).pinned == set()
    file.append(ManifestChange(3, {"w/p/a.md": B}, pinned=("w/p/a.md",)), manifest)
    file.replace(manifest)
    assert read(tmp_path).pinned == {"w/p/a.md"}
