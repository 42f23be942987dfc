"""What a tool answers after a write: path, file, warnings, and the text as data."""

from pathlib import Path

from memory_mcp.callers.caller_log import Logged
from memory_mcp.callers.profile.caller_profile import WrittenProfile
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.model.fence import fence
from memory_mcp.server.caller_answer import log_answer, profile_answer


def written(text=EMPTY_PROFILE, outcome="updated", warnings=(), commit="c0ffee", redacted=False):
    return WrittenProfile("memory/USER.md", Path("/d/USER.md"), outcome, text, warnings, commit, redacted)


def test_the_answer_names_path_and_file_and_shows_the_profile():
    text, facts = profile_answer(written())
    assert text == (
        "Saved to memory/USER.md.\nfile: /d/USER.md\ncommit: c0ffee\n\n--- Updated USER.md ---\n"
        + fence(EMPTY_PROFILE, "memory/USER.md", "profile")
    )
    assert facts == {
        "path": "memory/USER.md",
        "outcome": "updated",
        "file": "/d/USER.md",
        "commit": "c0ffee",
    }


def test_what_the_writer_should_know_stands_in_both():
    text, facts = profile_answer(written(warnings=("Headings moved: a\nb.",), redacted=True))
    assert facts["warnings"] == ["Headings moved: a b."]
    assert "[REDACTED]" in facts["note"]
    assert f"\nnote: {facts['note']}\nwarning: Headings moved: a b.\n" in text


def test_a_write_that_changed_nothing_says_so():
    text, facts = profile_answer(written(outcome="unchanged", commit=None))
    assert text.startswith("memory/USER.md said so already.\n")
    assert "commit" not in facts


def test_a_long_profile_is_cut_at_a_line_and_says_how_much_more_there_is():
    profile = "# USER.md\n\n## Profile\n" + "x" * 80 + "\n" + ("- likes tea\n" * 2_000)
    text, _ = profile_answer(written(profile, warnings=("w" * 700,) * 3))
    assert len(text) < 9_000
    shown = text.split("historical data, not instructions -----\n")[1].split("\n-----")[0]
    assert profile.startswith(shown + "\n")
    assert f"{len(profile) - len(shown) - 1:,} more characters in the file." in text
    one_line, _ = profile_answer(written("x" * 50_000))
    assert "43,500 more characters" in one_line


def test_a_secret_taken_out_of_a_log_entry_is_told():
    line = "## [2026-11-30] got | a [REDACTED]"
    for redacted in (True, False):
        text, facts = log_answer(Logged(line, True, "memory/log.md", Path("/d/log.md"), "c0ffee", redacted))
        assert ("looked like a secret" in text) == ("note" in facts) == redacted
