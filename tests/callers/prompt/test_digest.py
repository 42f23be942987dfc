"""Profile and tasks in a few lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.profile.preferences import Preferences, with_preferences
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.prompt.digest import DIGEST_CHARS, profile_line, session_digest
from tests.callers.prompt.files import NOW, put, task

NOTHING = "_No durable facts recorded yet._"


@pytest.fixture
def digest(memory):
    """The digest now."""
    return lambda: session_digest(memory.app.caller.folder, NOW)


def profile(*bodies):
    text = EMPTY_PROFILE
    for body in bodies:
        text = text.replace(NOTHING, body, 1)
    return text


def test_of_nobody_nothing_is_said(memory, digest):
    assert digest() == ""
    put(memory, "memory/USER.md", EMPTY_PROFILE)
    assert digest() == ""
    assert not (memory.wiki / ".git").exists()


def test_profile_and_preferences_are_one_quoted_line(memory, digest):
    put(memory, "memory/USER.md", profile("Ana, a baker.\nLives in Lyon.", 'Says "tu".', "Uses Linux."))
    line = "About the person (data): \"Ana, a baker. Lives in Lyon. Says 'tu'.\""
    assert digest() == line


def test_the_typed_preferences_are_left_out():
    text = with_preferences(profile("Ana.", "Short answers."), Preferences(timezone="Europe/Paris"))
    assert profile_line(text) == 'About the person (data): "Ana. Short answers."'


def test_tasks_are_counted_and_overdue_ones_stand_first(memory, digest):
    put(memory, *task("e9c0", "Ship it"))
    put(memory, *task("e9c1", "Call Bo", due="2026-11-29"))
    put(memory, *task("e9c2", "Pay", due="2026-12-24"))
    put(memory, *task("e9c3", "Old", state="completed"))
    assert digest() == 'Open tasks (3, 1 overdue): "Call Bo", "Pay", "Ship it"'


def test_a_broken_profile_leaves_the_tasks(memory, digest):
    put(memory, "memory/USER.md", b"\xff")
    put(memory, *task("e9c0", "Ship it"))
    assert digest() == 'Open tasks (1): "Ship it"'


def test_the_memory_of_a_caller_of_another_name_is_not_told(memory, digest):
    put(memory, "memory/USER.md", profile("Bo."))
    put(memory, "_meta/caller.json", '{"v": 1, "caller": "bo"}\n')
    put(memory, *task("e9c0", "Ship it"))
    assert digest() == ""


@given(st.text(max_size=400), st.text(max_size=400))
def test_whatever_a_profile_says_its_line_is_short_and_stays_in_its_quotes(first, second):
    line = profile_line(f"# USER.md\n\n## Profile\n{first}\n\n## Preferences\n{second}\n")
    assert len(line.splitlines()) <= 1
    assert line.count('"') in (0, 2)
    assert len(line) <= 360


def test_the_longest_digest_keeps_its_size(memory, digest):
    put(memory, "memory/USER.md", profile("x " * 2_000, "y" * 2_000))
    for number in range(30):
        put(memory, *task(f"e9{number:02}", f"{number} " + "t" * 290, due="2026-01-01"))
    assert 500 < len(digest()) <= DIGEST_CHARS
