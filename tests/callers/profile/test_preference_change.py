"""What a person says about being approached is checked strictly."""

from datetime import datetime, time, timezone

import pytest

from memory_mcp.callers.profile.preference_change import PreferenceChange, change_preferences
from memory_mcp.callers.profile.preferences import LessLikeThis, Preferences, QuietHours
from memory_mcp.errors import InvalidInput

NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)


def changed(preferences=None, **wanted):
    return change_preferences(preferences or Preferences(), PreferenceChange(**wanted), NOW)


def test_what_is_not_given_stays():
    old = Preferences("Asia/Tokyo", QuietHours(False, time(1), time(2)), time(3), 4, "standard")
    assert changed(old) == old
    assert changed(old, max_nudges=0) == Preferences(
        "Asia/Tokyo", QuietHours(False, time(1), time(2)), time(3), 0, "standard"
    )


def test_everything_can_be_changed_at_once():
    assert changed(
        timezone=" Europe/Paris ",
        quiet_hours=" 22:30 - 07:00 ",
        digest="07:15",
        max_nudges=3,
        pushiness="assertive",
        less_like_this="Build times",
    ) == Preferences(
        "Europe/Paris",
        QuietHours(True, time(22, 30), time(7)),
        time(7, 15),
        3,
        "assertive",
        (LessLikeThis("build times", "2026-05-01T00:00:00Z"),),
    )


def test_quiet_hours_can_be_off_and_remember_when_they_were():
    off = changed(Preferences(quiet_hours=QuietHours(True, time(1), time(2))), quiet_hours="Off")
    assert off.quiet_hours == QuietHours(False, time(1), time(2))
    assert changed(off, quiet_hours="03:00-04:00").quiet_hours == QuietHours(True, time(3), time(4))


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(
            ("timezone", value)
            for value in ("", " ", "Paris", "Europe", "+02:00", "../UTC", "a\0b", "é" * 400)
        ),
        *(("quiet_hours", value) for value in ("", "on", "21:00", "25:00-09:00", "21:00-9", "1-2-3", "-")),
        *(("digest", value) for value in ("", "9:00", "24:00", "09:60", "09:00:00", "noon")),
        ("max_nudges", -1),
        *(("pushiness", value) for value in ("", "loud", "Minimal")),
        *(("less_like_this", value) for value in ("", " \n", "x" * 201)),
    ],
)
def test_a_wrong_value_is_one_sentence_that_names_it(argument, value):
    with pytest.raises(InvalidInput) as refused:
        changed(**{argument: value})
    sentence = str(refused.value)
    assert sentence.startswith(argument)
    assert sentence.endswith(".")
    assert len(sentence) < 250
