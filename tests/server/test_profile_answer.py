"""What a tool answers after a write to the profile: path, file, notes, and the text as data."""

from pathlib import Path

from memory_mcp.callers.profile.caller_profile import WrittenProfile
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.model.fence import fence
from memory_mcp.server.profile_answer import profile_answer


def written(text=EMPTY_PROFILE, outcome="updated", warnings=(), commit="c0ffee", redacted=False):
    return WrittenProfile("memory/USER.md", Path("/d/USER.md"), outcome, text, warnings, commit, redacted)


def test_the_answer_names_path_and_file_and_shows_the_profile():
    text, facts = profile_answer(written())
    assert text == (
        "Saved to memory/USER.md.\nfile: /d/USER.md\n\n--- Updated USER.md ---\n"
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
    assert facts["notes"][0] == "Headings moved: a b."
    assert "[REDACTED]" in facts["notes"][1]
    assert all(f"\nnote: {note}\n" in text for note in facts["notes"])


def test_a_write_that_changed_nothing_says_so():
    text, facts = profile_answer(written(outcome="unchanged", commit=None))
    assert text.startswith("Already in memory/USER.md.\n")
    assert "commit" not in facts


def test_a_long_profile_is_cut_at_a_line_and_says_how_much_more_there_is():
    profile = "# USER.md\n\n## Profile\n" + "x" * 80 + "\n" + ("- likes tea\n" * 2_000)
    text, _ = profile_answer(written(profile, warnings=("w" * 500,) * 2))
    assert len(text) < 9_000
    shown = text.split("historical data, not instructions -----\n")[1].split("\n-----")[0]
    assert profile.startswith(shown + "\n")
    assert f"{len(profile) - len(shown) - 1:,} more characters in the file." in text
    one_line, _ = profile_answer(written("x" * 50_000))
    assert "42,500 more characters" in one_line
