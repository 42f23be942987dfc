"""The service: one commit a write, nothing changed by a refusal or a read."""

from datetime import datetime, timezone

import pytest

from memory_mcp.callers.content_clean import MAX_CONTENT_BYTES
from memory_mcp.callers.profile.nudge import Nudge
from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.profile.preferences import LessLikeThis, Preferences
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.model.caller_text import NOTHING
from tests.memory import CODEX

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def profile(memory):
    return memory.app.caller.profile


@pytest.fixture
def file(memory):
    return memory.app.caller.folder.root / "memory" / "USER.md"


def put(file, data):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def test_before_the_first_write_the_profile_is_empty_and_makes_nothing(memory, profile, file):
    view = profile.show()
    assert (view.path, view.file, view.text) == ("memory/USER.md", file, EMPTY_PROFILE)
    assert view.preferences == Preferences()
    assert profile.nudge().reason == "timezone_unknown"
    assert not memory.wiki.joinpath("_callers").exists()


def test_a_write_is_one_commit_with_the_files_that_were_missing(memory, profile, file):
    written = profile.write("likes tea", CODEX, section="Profile")
    assert written.text == file.read_text(encoding="utf-8") == EMPTY_PROFILE.replace(NOTHING, "likes tea", 1)
    assert (written.path, written.file, written.outcome) == ("memory/USER.md", file, "created")
    assert written.commit == memory.git("rev-parse", "HEAD")
    assert (written.warnings, written.redacted) == ((), False)
    assert memory.operations() == ["init", "profile-write"]
    assert memory.git("status", "--porcelain") == ""
    assert (file.parent / "MEMORY.md").exists()
    assert profile.show().profile.sections["Profile"] == "likes tea"


def test_the_same_write_again_changes_nothing(memory, profile, file):
    profile.write("likes tea", CODEX)
    before = memory.state()
    again = profile.write("likes tea", CODEX)
    (file.parent / "log.md").rename(file.parent / "log.bak")
    assert profile.write("likes tea", CODEX).commit is None
    (file.parent / "log.bak").rename(file.parent / "log.md")
    assert (again.outcome, again.commit) == ("unchanged", None)
    assert memory.state() == before


def test_the_old_profile_stays_in_git_and_a_hand_edit_is_the_persons(memory, profile, file):
    profile.write("likes tea", CODEX)
    file.write_text(EMPTY_PROFILE.replace(NOTHING, "likes coffee", 1), encoding="utf-8")
    assert profile.write("- terse", CODEX, section="Preferences").outcome == "updated"
    assert "likes coffee" in file.read_text(encoding="utf-8")
    assert memory.git("log", "-3", "--format=%an").splitlines()[1] == "Ana Pérez"
    assert "likes tea" in memory.git("show", "HEAD~2:_callers/default/memory/USER.md")


def test_an_old_profile_is_read_without_rewriting_and_normalised_by_the_next_write(profile, file):
    text = "\ufeff# USER.md\n\n## Actuel\nlikes tea\n\n## Archive\n\n### [2026-04-10]\nold\n"
    old = text.replace("\n", "\r\n").encode()
    put(file, old)
    assert profile.show().profile.sections["Profile"] == "likes tea"
    profile.nudge()
    assert file.read_bytes() == old
    profile.write("- terse", CODEX, section="Preferences")
    expected = EMPTY_PROFILE.replace(NOTHING, "likes tea", 1).replace(NOTHING, "- terse", 1)
    assert file.read_bytes().decode() == f"{expected}\n## Archive\n### [2026-04-10]\nold\n"


def test_a_secret_does_not_reach_the_profile(profile, file):
    written = profile.write(f"token {TOKEN}", CODEX, section="Environment")
    assert written.redacted
    assert "token [REDACTED]" in written.text
    topic = profile.set_preferences(PreferenceChange(less_like_this=f"the {TOKEN}"), CODEX)
    assert topic.redacted
    assert TOKEN.lower() not in file.read_text(encoding="utf-8").lower()


def test_preferences_are_set_in_one_commit_and_hold_at_once(memory, profile):
    profile.write("- terse", CODEX, section="Preferences")
    wanted = PreferenceChange(timezone="America/New_York", max_nudges=2)
    assert profile.set_preferences(wanted, CODEX).outcome == "updated"
    assert profile.set_preferences(wanted, CODEX).outcome == "unchanged"
    assert memory.operations() == ["init", "profile-write", "profile-preferences"]
    assert profile.show().preferences == Preferences("America/New_York", max_nudges_per_day=2)
    assert profile.show().profile.sections["Preferences"].startswith("- terse\n\n<!--")
    night = "2026-05-01T02:30:00Z"
    after = datetime(2026, 5, 1, 13, tzinfo=timezone.utc)
    assert profile.nudge(now=night, sent_today=1) == Nudge("batch", "quiet_hours", after)
    assert profile.nudge(now=night, sent_today=2).reason == "daily_limit_reached"
    assert profile.nudge(now=night, sent_today=2, source="user_requested_timer").action == "send"


def test_a_topic_to_leave_alone_is_remembered(profile):
    profile.set_preferences(PreferenceChange(less_like_this="Build  times"), CODEX)
    assert (
        profile.set_preferences(PreferenceChange(less_like_this="build times"), CODEX).outcome == "unchanged"
    )
    [signal] = profile.show().preferences.less_like_this
    assert signal == LessLikeThis("build times", signal.recorded_at)
    assert signal.recorded_at.startswith("2026-11-30T12:00:")
    assert profile.nudge(topic="BUILD TIMES").reason == "less_like_this"


def test_the_profile_of_another_caller_is_another_file(memory, profile):
    profile.write("likes tea", CODEX)
    other = memory.open(caller="bob").caller.profile
    assert other.show().text == EMPTY_PROFILE
    other.write("likes coffee", CODEX)
    assert profile.show().profile.sections["Profile"] == "likes tea"


@pytest.mark.parametrize(
    ("content", "section", "words"),
    [
        ("", "", "blank"),
        (" \n\t", "Profile", "blank"),
        ("# USER.md\n", "", "blank"),
        ("x" * (MAX_CONTENT_BYTES + 1), "Profile", "limit is 100,000"),
        ("é" * (MAX_CONTENT_BYTES // 2 + 1), "", "limit is 100,000"),
        ("x" * (MAX_CONTENT_BYTES - 10), "Constraints", "memory/USER.md would have"),
        ("a\0b", "", "NUL"),
        ("a\ud800b", "", "surrogate"),
        ("x", "Hobby", "give one of"),
    ],
)
@pytest.mark.parametrize("exists", [True, False])
def test_bad_content_is_one_sentence_and_changes_nothing(memory, profile, content, section, words, exists):
    if exists:
        profile.write("likes tea", CODEX)
    assert words in memory.refusal(lambda: profile.write(content, CODEX, section=section))
    assert exists or not (memory.wiki / ".git").exists()


def test_the_folder_of_a_caller_of_another_name_is_not_read(memory, profile):
    profile.write("likes tea", CODEX)
    identity = memory.app.caller.folder.root / "_meta" / "caller.json"
    identity.write_text('{"v": 1, "caller": "bob"}', encoding="utf-8")
    for call in (profile.show, profile.nudge):
        assert "'bob'" in memory.refusal(call)


MARKERS = b"## Profile\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (MARKERS, "merge conflict markers at line 2"),
        (b"## Profile\ncaf\xe9\n", "not UTF-8 text (byte 0xe9 on line 2)"),
    ],
)
def test_a_file_that_a_person_has_to_mend_is_not_written(memory, profile, file, data, words):
    memory.write("notes/x.md")
    put(file, data)
    assert words in memory.refusal(lambda: profile.write("x", CODEX, section="Profile"))
    assert words in memory.refusal(lambda: profile.set_preferences(PreferenceChange(max_nudges=1), CODEX))
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"source": "cron"}, "none of prepared_follow_up"),
        ({"sent_today": -1}, "less than 0"),
        ({"now": "yesterday"}, "not a time"),
        ({"now": "0001-01-01T00:00:00Z"}, "not a time"),
        ({"now": "9999-12-31T23:59:59Z"}, "not a time"),
    ],
)
def test_a_question_about_a_nudge_that_makes_no_sense_is_refused(memory, profile, arguments, words):
    assert words in memory.refusal(lambda: profile.nudge(**arguments))


def test_a_profile_that_a_person_made_too_large_can_still_shrink(profile, file):
    put(file, f"## Profile\n{'x' * 500}\n\n## Hobbies\n{'x' * MAX_CONTENT_BYTES}\n".encode())
    assert profile.write("less", CODEX, section="Profile").outcome == "updated"
