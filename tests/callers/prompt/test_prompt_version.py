"""The stamp of a session's prompt."""

from __future__ import annotations

import re

import pytest

from memory_mcp.callers.prompt.prompt_version import prompt_version
from tests.callers.prompt.files import PROFILE, index, note, put, task


@pytest.fixture
def stamp(memory):
    """The stamp now."""
    return lambda rules="rules": prompt_version(memory.app.caller.folder, rules)


def test_it_is_sixteen_digits_also_of_a_caller_without_files(memory, stamp):
    assert re.fullmatch("[0-9a-f]{16}", stamp())
    assert stamp() == stamp()
    assert stamp("other rules") != stamp()
    assert not memory.wiki.joinpath("_callers").exists()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/USER.md", PROFILE),
        ("memory/MEMORY.md", index("MEMORY.md", "- [a](notes/a.md): x")),
        ("skills/SKILLS.md", index("SKILLS.md", "- [a](a.md): x")),
        ("memory/USER.md", b"\xff"),
        task("e9c4", "Ship it"),
    ],
)
def test_it_changes_with_every_file_that_a_prompt_carries(memory, stamp, path, text):
    before = stamp()
    put(memory, path, text)
    assert stamp() != before


@pytest.mark.parametrize(
    ("path", "text"),
    [("memory/notes/a.md", note()), ("memory/log.md", "# Log\n"), task("e9c4", "Done", state="completed")],
)
def test_it_stays_with_what_a_prompt_does_not_carry(memory, stamp, path, text):
    before = stamp()
    put(memory, path, text)
    assert stamp() == before


@pytest.mark.parametrize("change", [{"due": "2026-12-01"}, {"note": "soon"}, {"state": "dismissed"}])
def test_it_changes_with_what_is_known_of_a_task(memory, stamp, change):
    put(memory, *task("e9c4", "Ship it"))
    before = stamp()
    put(memory, *task("e9c4", "Ship it", **change))
    assert stamp() != before


def test_text_that_moves_from_one_file_to_the_next_changes_it(memory, stamp):
    put(memory, "memory/USER.md", "ab")
    put(memory, "memory/MEMORY.md", "c")
    before = stamp()
    put(memory, "memory/USER.md", "a")
    put(memory, "memory/MEMORY.md", "bc")
    assert stamp() != before


def test_a_link_in_the_place_of_a_file_is_not_followed_and_the_stamp_is_given(memory, stamp):
    before = stamp()
    put(memory, "memory/USER.md", "").unlink()
    (memory.wiki / "_callers/default/memory/USER.md").symlink_to("/etc/hostname")
    assert re.fullmatch("[0-9a-f]{16}", stamp())
    assert stamp() != before
