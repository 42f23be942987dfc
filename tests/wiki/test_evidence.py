"""What a version of a page rests on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.wiki import evidence
from memory_mcp.wiki.evidence import Evidence, read_evidence

SCOPE = Scope("acme", "importer")
VERSION = "0f3c0f3c0f3c0f3c"


def line(source: object = "session", source_id: object = "s1", **other: object) -> str:
    entry = {"v": 1, "id": "019a", "at": "2026-11-30T12:00:00.000Z", "path": "notes/a.md", "version": VERSION}
    return json.dumps({**entry, "source": source, "source_id": source_id, **other}) + "\n"


def ledger(wiki: Path, *lines: str) -> Path:
    file = wiki / "acme" / "importer" / "_meta" / "evidence.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(lines), encoding="utf-8", newline="\n")
    return file


def read(wiki: Path) -> Evidence:
    page = ("notes/a.md", VERSION)
    return read_evidence(wiki, SCOPE, {page})[page]


def test_distinct_sources_of_this_version_count(tmp_path: Path) -> None:
    ledger(
        tmp_path,
        line("session", "s1"),
        line("session", "s1", id="019b"),
        line("session", "s2"),
        line("feedback", "s1"),
        line("observation", "o1", version="another"),
        line("observation", "o2", path="notes/b.md"),
    )
    assert read(tmp_path) == Evidence(sources=3, sessions=2)


def test_several_pages_are_looked_up_at_once(tmp_path: Path) -> None:
    ledger(
        tmp_path,
        line(),
        line(version="b" * 16, source_id="of an older version"),
        line(path="notes/b.md", version="b" * 16, source="feedback"),
    )
    older = "b" * 16
    expected = {
        ("notes/a.md", VERSION): Evidence(1, 1),
        ("notes/a.md", older): Evidence(1, 1),
        ("notes/b.md", older): Evidence(1, 0),
        ("notes/c.md", VERSION): Evidence(0, 0),
    }
    assert read_evidence(tmp_path, SCOPE, expected.keys()) == expected
    assert read_evidence(tmp_path, SCOPE, ()) == {}


def test_torn_and_foreign_lines_are_skipped(tmp_path: Path) -> None:
    torn = line()[:-20]
    markers = "<<<<<<< HEAD\n=======\n>>>>>>> b\n"
    ledger(tmp_path, torn + "\n", markers, "[1]\n", line(3), line(source_id=None), line("session", "s9"))
    assert read(tmp_path) == Evidence(1, 1)


def test_without_a_ledger_there_is_none(tmp_path: Path) -> None:
    assert read(tmp_path) == Evidence(0, 0)


@pytest.mark.parametrize("place", ["acme", "acme/importer", "acme/importer/_meta"])
def test_a_ledger_behind_a_symbolic_link_is_not_read(tmp_path: Path, place: str) -> None:
    ledger(tmp_path / "wiki", line())
    assert read(tmp_path / "wiki").sources == 1
    (tmp_path / "wiki" / place).rename(tmp_path / "outside")
    (tmp_path / "wiki" / place).symlink_to(tmp_path / "outside")
    assert read(tmp_path / "wiki").sources == 0


def test_a_link_a_pipe_or_a_folder_in_its_place_is_no_ledger(tmp_path: Path) -> None:
    file = ledger(tmp_path, line())
    file.rename(tmp_path / "outside.jsonl")
    file.symlink_to(tmp_path / "outside.jsonl")
    assert read(tmp_path).sources == 0
    file.unlink()
    os.mkfifo(file)
    assert read(tmp_path).sources == 0
    file.unlink()
    file.mkdir()
    assert read(tmp_path).sources == 0


def test_of_a_long_ledger_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MAX_BYTES", 3 * len(line()))
    ledger(tmp_path, *(line(source_id=f"s{number}") for number in range(9)))
    assert read(tmp_path).sources == 3


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8"))))
def test_no_text_in_a_ledger_is_an_error(tmp_path_factory, lines: list[str]) -> None:
    wiki = tmp_path_factory.mktemp("wiki")
    ledger(wiki, *(f'{{"version": "{VERSION}", {each}\n' for each in lines))
    read(wiki)
