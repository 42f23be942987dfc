"""The journal holds a change that is under way, and nothing that cannot be trusted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory_mcp.model.actor import Actor
from memory_mcp.store.journal import Entry, Journal

ENTRY = Entry(
    "write-page",
    "acme/importer/a.md",
    Actor("codex", "5b1e0d6c"),
    {"acme/importer/a.md": b"\xff new\r\n", "acme/importer/b.md": None},
    {"acme/importer/a.md": None, "acme/importer/b.md": b"old"},
)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert not journal.exists()
    journal.write(ENTRY)
    assert journal.exists()
    assert Journal(tmp_path).read() == ENTRY
    journal.clear()
    assert not journal.exists()


def test_a_change_that_is_turned_back_is_read_the_other_way_round(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write(ENTRY)
    journal.turn_back()
    assert Journal(tmp_path).exists()
    assert Journal(tmp_path).read() == replace(ENTRY, new=ENTRY.old, old=ENTRY.new)
    journal.clear()
    assert not list(tmp_path.iterdir())


def test_a_torn_journal_is_no_entry(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write(ENTRY)
    file = tmp_path / "journal.json"
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert journal.read() is None


@pytest.mark.parametrize("text", ["[]", "null", '{"v": 1}', '{"new": 1, "old": 1}', "\x00"])
def test_what_is_no_journal_is_no_entry(tmp_path: Path, text: str) -> None:
    (tmp_path / "journal.json").write_text(text, encoding="utf-8")
    assert Journal(tmp_path).read() is None
