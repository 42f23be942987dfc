"""Atomic writes: the old bytes or the new, never a mix, and a sentence when the disk refuses."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memory_mcp.errors import Unavailable
from memory_mcp.store import steps
from memory_mcp.store.files import remove_durably, write_atomically


def refuse(code: int):
    def listener(step: str) -> None:
        if step == "file.written":
            raise OSError(code, os.strerror(code))

    return listener


def test_a_write_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "page.md"
    write_atomically(file, b"old")
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    assert [p.name for p in file.parent.iterdir()] == ["page.md"]


def test_a_write_keeps_the_mode_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_atomically(file, b"new")
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("code", "words"), [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "the file system is read-only")]
)
def test_a_refusing_disk_gives_a_sentence_and_leaves_the_old_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    file = tmp_path / "page.md"
    write_atomically(file, b"old")
    monkeypatch.setattr(steps, "listeners", [refuse(code)])
    with pytest.raises(Unavailable, match=words):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["page.md"]


def test_a_folder_that_is_a_file_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(Unavailable, match="a part of the path is a file"):
        write_atomically(tmp_path / "a" / "page.md", b"new")


def test_removing_what_is_not_there_is_no_error(tmp_path: Path) -> None:
    remove_durably(tmp_path / "nowhere" / "page.md")
