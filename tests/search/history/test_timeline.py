from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.window import Window
from memory_mcp.search.history.timeline import Change, HistoryCommit, Timeline, TimelineFile
from memory_mcp.search.index.segment_files import CorruptIndex

changes = st.lists(
    st.builds(
        Change,
        st.sampled_from(["a/b/c.md", "a/b/d.md"]),
        st.integers(0, 20),
        st.sampled_from([None, "x", "y", "z"]),
    ),
    max_size=20,
)


def timeline_of(found: list[Change]) -> Timeline:
    timeline = Timeline()
    timeline.apply(HistoryCommit(1, "", None, "h1", tuple(found)))
    return timeline


@given(changes, st.integers(-1, 21))
def test_a_version_is_alive_in_its_window_and_nowhere_else(found: list[Change], moment: int) -> None:
    timeline = timeline_of(found)
    for path in ("a/b/c.md", "a/b/d.md"):
        latest, now, blobs = 0, None, []
        for change in found:
            if change.path == path and change.blob != now:
                latest = max(latest, change.time)
                blobs.append((latest, change.blob))
                now = change.blob
        alive = next((blob for time, blob in reversed(blobs) if time <= moment), None)
        assert timeline.blob_at(path, moment) == alive
        assert timeline.blob_at(path, 1000) == now
        if alive:
            window = timeline.window(path, alive, moment)
            assert window is not None
            assert window.valid_from <= moment
            assert window.valid_to is None or moment < window.valid_to
        for blob in {"x", "y", "z"} - {alive}:
            assert timeline.window(path, blob, moment) is None


def test_the_last_time_of_a_version_is_told_when_no_moment_is_given() -> None:
    timeline = timeline_of(
        [Change("p", 1, "x"), Change("p", 3, "y"), Change("p", 5, "x"), Change("p", 9, None)]
    )
    assert timeline.window("p", "x") == Window(5, 9)
    assert timeline.window("p", "y") == Window(3, 5)
    assert timeline.window("p", "z") is None
    assert timeline.window("q", "x") is None


def test_a_change_that_changes_nothing_does_not_begin_a_version() -> None:
    timeline = timeline_of(
        [Change("p", 1, "x"), Change("p", 3, "x"), Change("p", 4, None), Change("p", 5, None)]
    )
    assert timeline.window("p", "x", 3) == Window(1, 4)


def open_file(folder: Path) -> tuple[TimelineFile, Timeline]:
    file, timeline = TimelineFile(folder), Timeline()
    file.read(timeline)
    return file, timeline


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    file = TimelineFile(tmp_path)
    file.create()
    timeline = Timeline()
    file.append(HistoryCommit(2, "", None, "h1", (Change("caf\u00e9", 1, "x"),)), timeline)
    file.append(HistoryCommit(3, "ws", None, "n1", ()), timeline)
    return tmp_path


def test_what_is_appended_is_read_by_others(folder: Path) -> None:
    writer, known = open_file(folder)
    reader, timeline = open_file(folder)
    writer.append(HistoryCommit(4, "", "h1", "h2", (Change("caf\u00e9", 5, None),)), known)
    assert timeline.blob_at("caf\u00e9", 9) == "x"
    reader.read(timeline)
    assert timeline.blob_at("caf\u00e9", 9) is None
    assert (timeline.heads, timeline.generation) == ({"": "h2", "ws": "n1"}, 4)


@pytest.mark.parametrize("torn", [b'{"generation": 4, "repos', b"\xff\xfe{", b"[]"])
def test_a_line_torn_by_a_kill_is_passed_over(folder: Path, torn: bytes) -> None:
    with open(folder / "timeline.jsonl", "ab") as file:
        file.write(torn)
    writer, known = open_file(folder)
    assert known.heads == {"": "h1", "ws": "n1"}
    writer.append(HistoryCommit(4, "", "h1", "h2", ()), known)
    assert open_file(folder)[1].heads == {"": "h2", "ws": "n1"}
    writer.read(known)
    assert known.heads == {"": "h2", "ws": "n1"}


def test_a_file_that_shrank_is_noticed(folder: Path) -> None:
    writer, known = open_file(folder)
    (folder / "timeline.jsonl").write_bytes(b"")
    with pytest.raises(CorruptIndex, match="shorter"):
        writer.read(known)


def test_a_lost_line_is_noticed(folder: Path) -> None:
    writer, known = open_file(folder)
    writer.append(HistoryCommit(4, "", "h1", "h2", ()), known)
    file = folder / "timeline.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[1:]))
    with pytest.raises(CorruptIndex, match="gap"):
        open_file(folder)


def test_no_flipped_bit_moves_a_version(folder: Path) -> None:
    """It costs the line, and so at most a reading of its commits anew; a time or a blob never changes."""
    file = folder / "timeline.jsonl"
    file.write_bytes(b"")
    writer, known = open_file(folder)
    writer.append(HistoryCommit(4, "", None, "h1", (Change("a.md", 7, "x"),)), known)
    data = file.read_bytes()
    for place in range(len(data)):
        for bit in range(8):
            file.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
            timeline = Timeline()
            try:
                TimelineFile(folder).read(timeline)
            except CorruptIndex:
                continue
            assert timeline.heads in ({}, known.heads)
            assert timeline.blob_at("a.md", 6) is None
            assert timeline.blob_at("a.md", 7) in (None, "x")
