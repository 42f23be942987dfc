"""What a session was shown: hashes in a small file of its own, for a month."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memory_mcp.prompt_recall.shown_passages import (
    FORGOTTEN_AFTER,
    MAX_SHOWN,
    ShownPassages,
    passage_hash,
)

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"


@pytest.fixture
def shown(tmp_path: Path) -> ShownPassages:
    return ShownPassages(tmp_path)


def test_a_session_remembers_what_it_was_shown_in_order(shown: ShownPassages) -> None:
    shown.add(ONE, ["b"])
    shown.add(ONE, ["a"])
    assert (shown.read(ONE), shown.read(TWO)) == (("b", "a"), ())


def test_only_the_newest_are_kept(shown: ShownPassages) -> None:
    shown.add(ONE, [f"{number}" for number in reversed(range(MAX_SHOWN))])
    shown.add(ONE, ["new"])
    known = shown.read(ONE)
    assert (len(known), known[0], known[-1]) == (MAX_SHOWN, f"{MAX_SHOWN - 2}", "new")


def test_the_file_is_private_and_holds_no_text(shown: ShownPassages, tmp_path: Path) -> None:
    shown.add(ONE, [passage_hash("acme/importer/notes/a.md", "the staging bucket")])
    [file] = (tmp_path / "recall").iterdir()
    assert b"bucket" not in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "data", [b"{ torn", b"", b"[]", b'{"v": 1}', b'{"shown": 7}', b"[" * 100_000, b"\xff"]
)
def test_a_damaged_file_counts_as_nothing(shown: ShownPassages, tmp_path: Path, data: bytes) -> None:
    shown.add(ONE, ["a"])
    [file] = (tmp_path / "recall").iterdir()
    file.write_bytes(data)
    assert shown.read(ONE) == ()
    shown.add(ONE, ["b"])
    assert shown.read(ONE) == ("b",)


def test_sessions_of_long_ago_are_forgotten_when_another_begins(shown: ShownPassages, tmp_path: Path) -> None:
    shown.add(ONE, ["a"])
    [file] = (tmp_path / "recall").iterdir()
    long_ago = time.time() - FORGOTTEN_AFTER - 60
    os.utime(file, (long_ago, long_ago))
    shown.add(TWO, ["b"])
    assert (shown.read(ONE), shown.read(TWO)) == ((), ("b",))


def test_a_session_of_any_name_has_its_file_in_the_folder(shown: ShownPassages, tmp_path: Path) -> None:
    for name in ("../../etc/passwd", "a/b", ".", "x" * 500):
        shown.add(name, ["a"])
        assert shown.read(name) == ("a",)
    assert {each.name for each in tmp_path.iterdir()} == {"recall"}


def test_another_text_or_page_is_another_passage() -> None:
    assert len({passage_hash(path, text) for path in ("a.md", "b.md") for text in ("one", "two")}) == 4
