"""`profile show`, `profile set` and `profile nudge`."""

import json

import pytest

from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.model.caller_text import NOTHING


def test_an_empty_profile_is_shown_and_makes_nothing(memory, wiki):
    assert memory("profile", "show").out == EMPTY_PROFILE
    shown = memory("profile", "show", "--json").json
    assert shown["path"] == "memory/USER.md"
    assert shown["file"] == str(wiki / "_callers" / "default" / "memory" / "USER.md")
    assert shown["sections"] == dict.fromkeys(
        ["Profile", "Preferences", "Environment", "Constraints", "Open Questions"], ""
    )
    assert shown["preferences"]["quietHours"]["startLocalTime"] == "21:00"
    assert not (wiki / "_callers").exists()


def test_a_section_and_the_whole_are_written_from_standard_input_and_from_a_file(memory, place, wiki):
    file = wiki / "_callers" / "ana" / "memory" / "USER.md"
    done = memory("profile", "set", "--caller", "ana", stdin="likes thé\n".encode())
    assert done.out == f"created memory/USER.md\n{file}\n"
    (place / "text.md").write_text("- terse\n## Pets\na cat\n", encoding="utf-8")
    done = memory("--caller", "ana", "profile", "set", "preferences", "--file", str(place / "text.md"))
    assert done.err == "note: Headings inside a section are one level lower now: Pets.\n"
    memory("profile", "set", "--caller", "ana", stdin=b"## Hobbies\nchess\n")
    expected = EMPTY_PROFILE.replace(NOTHING, "likes thé", 1).replace(NOTHING, "- terse\n### Pets\na cat", 1)
    assert memory("profile", "show", "--caller", "ana").out == f"{expected}\n## Hobbies\nchess\n"
    shown = memory("profile", "show", "--json", "--caller", "ana").json
    assert shown["others"] == [{"title": "Hobbies", "text": "chess"}]


def test_a_write_tells_programs_what_became_of_it(memory, wiki):
    done = memory("profile", "set", "Environment", "--json", stdin=b"Debian").json
    assert done == {
        "path": "memory/USER.md",
        "file": str(wiki / "_callers" / "default" / "memory" / "USER.md"),
        "outcome": "created",
        "warnings": [],
        "commit": done["commit"],
        "redacted": False,
    }


def test_preferences_are_set_without_reading_a_text_and_decide_about_a_nudge(memory):
    options = ["--timezone", "America/New_York", "--quiet-hours", "21:00-09:00", "--digest", "10:30"]
    options += ["--max-nudges", "2", "--pushiness", "standard", "--less-like-this", "Build times"]
    assert memory("profile", "set", *options, stdin=b"not read").code == 0
    shown = memory("profile", "show", "--json").json
    [signal] = shown["preferences"].pop("feedback")["lessLikeThis"]
    assert signal["topic"] == "build times"
    assert shown["preferences"] == {
        "timezone": "America/New_York",
        "quietHours": {"enabled": True, "startLocalTime": "21:00", "endLocalTime": "09:00"},
        "digestLocalTime": "10:30",
        "maxNudgesPerDay": 2,
        "pushiness": "standard",
    }
    assert shown["sections"]["Profile"] == ""
    night = ["profile", "nudge", "--now", "2026-05-01T02:30:00Z"]
    assert memory(*night).out == "batch  quiet_hours  after 2026-05-01T14:30:00Z\n"
    assert memory(*night, "--json").json == {
        "action": "batch",
        "reason": "quiet_hours",
        "batch_after": "2026-05-01T14:30:00Z",
    }
    assert memory(*night, "--topic", "build TIMES").out == "suppress  less_like_this\n"
    assert memory(*night, "--sent-today", "2").out == "suppress  daily_limit_reached\n"
    asked = memory(*night, "--sent-today", "2", "--source", "user_requested_reminder")
    assert asked.out == "send  explicit_user_request\n"
    assert memory("profile", "set", "--quiet-hours", "off").code == 0
    assert memory(*night).out == "send  within_preferences\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "--timezone", "Paris"], "timezone = 'Paris' is no IANA time zone"),
        (["set", "--quiet-hours", "25:00-09:00"], "quiet_hours = '25:00' is no time of day"),
        (["set", "--digest", ""], "digest = '' is no time of day"),
        (["set", "--max-nudges", "-1"], "max_nudges = -1 is less than 0"),
        (["set", "--pushiness", "loud"], "pushiness = 'loud' is none of minimal, standard, assertive"),
        (["set", "--less-like-this", " "], "less_like_this is blank"),
        (["set"], "content is blank"),
        (["set", "--file", "none.md"], "none.md"),
        (["nudge", "--now", "soon"], "now = 'soon' is not a time"),
    ],
)
def test_a_wrong_value_is_one_sentence_and_changes_nothing(memory, unchanged, arguments, words):
    memory("profile", "set", stdin=b"likes tea")
    unchanged()
    done = memory("profile", *arguments)
    assert done.code == 1
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["set", "Profile", "--max-nudges", "1"],
        ["set", "--file", "x.md", "--max-nudges", "1"],
        ["nudge", "--source", "cron"],
        ["nudge", "--sent-today", "-1"],
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(memory, arguments):
    assert memory("profile", *arguments).code == 2


def test_text_that_is_not_utf_8_is_refused(memory, unchanged):
    memory("profile", "set", stdin=b"likes tea")
    unchanged()
    done = memory("profile", "set", stdin=b"caf\xe9")
    assert done.code == 1
    assert "not UTF-8 (byte 3)" in done.err


def test_the_help_names_the_commands(memory):
    out = memory("profile", "--help").out
    assert all(name in out for name in ("show", "set", "nudge"))
    assert json.dumps(out)
