"""The preferences block: typed, with defaults for what is wrong, and apart from the text around it."""

import json
from datetime import date, datetime, time, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.profile.preferences import (
    LessLikeThis,
    Preferences,
    QuietHours,
    local_date,
    parse_block,
    preferences_json,
    read_preferences,
    record_less_like_this,
    with_preferences,
    zone_of,
)
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE, is_empty, parse_profile
from memory_mcp.model.caller_text import NOTHING

START = "<!-- proactive-preferences:start -->"
END = "<!-- proactive-preferences:end -->"
DEFAULT_BLOCK = """\
<!-- proactive-preferences:start -->
{
	"timezone": null,
	"quietHours": {
		"enabled": true,
		"startLocalTime": "21:00",
		"endLocalTime": "09:00"
	},
	"digestLocalTime": "09:00",
	"maxNudgesPerDay": 1,
	"pushiness": "minimal",
	"feedback": {
		"lessLikeThis": []
	}
}
<!-- proactive-preferences:end -->"""

ODD = {
    "timezone": " Europe/Paris ",
    "quietHours": {"enabled": "x", "startLocalTime": "25:00", "endLocalTime": "09:00"},
    "digestLocalTime": "9:00",
    "maxNudgesPerDay": -1,
    "pushiness": "loud",
    "feedback": {
        "lessLikeThis": [
            {"topic": " builds ", "recordedAt": " 2026-05-01T00:00:00Z "},
            {"topic": " ", "recordedAt": "2026-05-01T00:00:00Z"},
            {"topic": "builds"},
            "builds",
        ]
    },
    "extra": 1,
}
PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters="\r")
signals = st.builds(
    LessLikeThis, *(st.text(PLAIN, min_size=1).filter(lambda text: text == text.strip()),) * 2
)
minutes = st.times().map(lambda local: local.replace(second=0, microsecond=0))
preferences = st.builds(
    Preferences,
    timezone=st.sampled_from([None, "Europe/Paris", "Nowhere/Else", "$1 \\g<0>"]),
    quiet_hours=st.builds(QuietHours, st.booleans(), minutes, minutes),
    digest_time=minutes,
    max_nudges_per_day=st.integers(0, 10**9),
    pushiness=st.sampled_from(["minimal", "standard", "assertive"]),
    less_like_this=st.lists(signals, max_size=3).map(tuple),
)


def profile_with(block, before=""):
    return EMPTY_PROFILE.replace(
        f"## Preferences\n{NOTHING}", f"## Preferences\n{before}{START}\n{block}\n{END}"
    )


def test_what_is_wrong_in_the_block_counts_as_its_default():
    read = read_preferences(profile_with(json.dumps(ODD)))
    assert read == Preferences(
        timezone="Europe/Paris", less_like_this=(LessLikeThis("builds", "2026-05-01T00:00:00Z"),)
    )
    written = with_preferences("", read)
    assert "extra" not in written
    assert read_preferences(written) == read


@pytest.mark.parametrize(
    "block",
    [
        *("", "{", "[]", "null", "7", "[" * 50_000, "1" * 5_000),
        *('{"timezone": 7}', '{"timezone": "  "}', '{"pushiness": []}', '{"quietHours": []}'),
        *('{"maxNudgesPerDay": false}', '{"maxNudgesPerDay": 1.5}', '{"maxNudgesPerDay": NaN}'),
        *('{"quietHours": {"endLocalTime": "24:00"}}', '{"quietHours": {"startLocalTime": "22:00\\n"}}'),
        *('{"quietHours": {"startLocalTime": "1٩:00"}}', '{"feedback": {"lessLikeThis": 1}}'),
    ],
    ids=lambda block: block[:50],
)
def test_a_block_that_says_nothing_sensible_leaves_the_defaults(block):
    assert read_preferences(profile_with(block)) == Preferences()


def test_without_a_block_in_the_section_preferences_the_defaults_hold():
    block = f"{START}\n" + '{"maxNudgesPerDay": 7}' + f"\n{END}"
    for text in ("", EMPTY_PROFILE, "likes tea", f"## Profile\n{block}", f"## Preferences\n{block[:-3]}"):
        assert read_preferences(text) == Preferences()
    assert read_preferences(f"## Preferences\n{block}").max_nudges_per_day == 7


def test_reading_writes_no_defaults_and_a_block_is_a_fact():
    assert is_empty(EMPTY_PROFILE)
    assert not is_empty(with_preferences(EMPTY_PROFILE, Preferences()))


def test_the_block_is_tab_indented_json_in_the_place_of_the_placeholder():
    text = with_preferences("", Preferences())
    assert text == EMPTY_PROFILE.replace(f"## Preferences\n{NOTHING}", f"## Preferences\n{DEFAULT_BLOCK}")


def test_the_block_stands_after_the_text_and_is_replaced_in_its_place():
    text = with_preferences("## Preferences\n- terse\n", Preferences())
    assert parse_profile(text).sections["Preferences"] == f"- terse\n\n{DEFAULT_BLOCK}"
    text = profile_with("{}", before="- terse\n\n").replace(END, f"{END}\n\n- formal")
    text = with_preferences(text, Preferences(max_nudges_per_day=3))
    changed = DEFAULT_BLOCK.replace('"maxNudgesPerDay": 1', '"maxNudgesPerDay": 3')
    assert parse_profile(text).sections["Preferences"] == f"- terse\n\n{changed}\n\n- formal"


def test_of_two_blocks_the_first_counts_and_the_other_stays():
    text = profile_with("{}", before=f"{DEFAULT_BLOCK}\n\n")
    changed = with_preferences(text, Preferences(max_nudges_per_day=3))
    assert read_preferences(changed).max_nudges_per_day == 3
    assert changed == text.replace('"maxNudgesPerDay": 1', '"maxNudgesPerDay": 3')


def test_a_topic_cannot_end_the_block_nor_be_taken_for_a_pattern():
    odd = Preferences(less_like_this=(LessLikeThis(f"{END} $& \\1 ## x", "2026-05-01T00:00:00Z"),))
    text = with_preferences(with_preferences("", Preferences()), odd)
    assert read_preferences(text) == odd
    assert text.count(END) == 1


@given(preferences)
def test_what_is_written_is_read_back(value):
    text = with_preferences("## Preferences\n- terse\n## Hobbies\nchess", value)
    assert read_preferences(text) == value
    assert with_preferences(text, value) == text
    assert parse_profile(text).others == (("Hobbies", "chess"),)


def test_the_keys_are_those_of_the_format_in_their_order():
    keys = ["timezone", "quietHours", "digestLocalTime", "maxNudgesPerDay", "pushiness", "feedback"]
    assert list(preferences_json(Preferences())) == keys
    assert parse_block(DEFAULT_BLOCK) == Preferences()


def test_a_topic_is_recorded_once_in_lower_case_with_single_blanks():
    now = datetime(2026, 5, 1, 2, 30, 7, 5, tzinfo=timezone.utc)
    before = Preferences()
    once = record_less_like_this(before, "  Build \n TIMES ", now)
    assert once.less_like_this == (LessLikeThis("build times", "2026-05-01T02:30:07Z"),)
    assert before == Preferences()
    assert record_less_like_this(once, "build times", now) is once
    assert record_less_like_this(once, " \n", now) is once
    twice = record_less_like_this(once, "tea", now)
    assert [signal.topic for signal in twice.less_like_this] == ["build times", "tea"]


@pytest.mark.parametrize(
    "name", [None, "", "America", "../../etc/passwd", "/etc/passwd", "\0", "x" * 5_000, "Nowhere/Else", "."]
)
def test_a_zone_that_is_none_is_no_zone(name):
    assert zone_of(Preferences(timezone=name)) is None


def test_the_day_is_that_of_the_callers_zone_else_that_of_utc():
    late = datetime(2026, 4, 30, 22, 30, tzinfo=timezone.utc)
    for zone, day in [("Europe/Paris", 1), ("America/New_York", 30), ("Nowhere/Else", 30), (None, 30)]:
        month = 5 if day == 1 else 4
        profile = with_preferences("", Preferences(timezone=zone))
        assert local_date(profile, late) == date(2026, month, day)
    assert local_date("", late) == date(2026, 4, 30)


def test_the_defaults_are_those_of_the_format():
    assert Preferences() == Preferences(None, QuietHours(True, time(21), time(9)), time(9), 1, "minimal", ())
