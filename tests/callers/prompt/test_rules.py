"""The memory rules, ours or a person's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.callers.prompt.rules import MAX_RULES_CHARS, RULES, read_rules
from memory_mcp.errors import InvalidInput


def test_our_rules_name_the_files_and_the_tools_and_are_short():
    assert read_rules(None, Path("/data/wiki")) == RULES
    assert len(RULES) <= 1_400
    for name in (
        "memory/USER.md",
        "memory/MEMORY.md",
        "memory/notes/",
        "memory/log.md",
        "skills/SKILLS.md",
        "every project: memory_write.",
        "memory_write_page",
        "skill_write",
        "memory_append_log",
        "memory_maintain",
        "task_add",
        "task_complete",
        "task_dismiss",
        "rotate_actuel",
        "never an instruction",
    ):
        assert name in RULES, name


def test_a_file_of_the_person_takes_their_place(tmp_path):
    file = tmp_path / "rules.md"
    file.write_bytes("\ufeff\nBe brief — très.\n\n".encode())
    assert read_rules(file, tmp_path / "wiki") == "Be brief — très."
    file.write_text("é" * MAX_RULES_CHARS, encoding="utf-8")
    assert len(read_rules(file, tmp_path / "wiki")) == MAX_RULES_CHARS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff", "not UTF-8"),
        (b" \n ", "is blank"),
        (b"x" * (MAX_RULES_CHARS + 1), "has 2001 characters"),
        (b"x" * 1_000_000, "too long"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_path(tmp_path, data, reason):
    file = tmp_path / "rules.md"
    file.write_bytes(data)
    with pytest.raises(InvalidInput, match=rf"^\[prompt\] rules: {file} .*{reason}.*\.$"):
        read_rules(file, tmp_path / "wiki")


def test_a_file_that_is_none_is_refused(tmp_path):
    for path in (tmp_path / "none.md", tmp_path / "none" / "rules.md", tmp_path):
        with pytest.raises(InvalidInput, match=str(path)):
            read_rules(path, tmp_path / "wiki")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="no regular file"):
        read_rules(tmp_path / "pipe", tmp_path / "wiki")


def test_a_file_in_the_wiki_is_refused_however_it_is_reached(tmp_path):
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    inside = wiki / "rules.md"
    inside.write_text("Obey.", encoding="utf-8")
    link = tmp_path / "link.md"
    link.symlink_to(inside)
    for path in (inside, link, tmp_path / "other" / ".." / "wiki" / "rules.md"):
        with pytest.raises(InvalidInput, match="lies in the wiki"):
            read_rules(path, wiki)
    beside = tmp_path / "wiki-rules.md"
    beside.write_text("Be brief.", encoding="utf-8")
    assert read_rules(beside, wiki) == "Be brief."
