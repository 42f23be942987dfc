"""The fatigue guard: send, keep for later, or drop; and until when."""

import time as clock
from dataclasses import replace
from datetime import datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.profile.nudge import MAX_MINUTES, SOURCES, Nudge, decide_nudge, is_quiet
from memory_mcp.callers.profile.preferences import LessLikeThis, Preferences, QuietHours, zone_of

NEW_YORK = Preferences(timezone="America/New_York")


def at(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def quiet(start, end, preferences=NEW_YORK, digest="09:00", **other):
    hours = QuietHours(True, time.fromisoformat(start), time.fromisoformat(end))
    return replace(preferences, quiet_hours=hours, digest_time=time.fromisoformat(digest), **other)


@pytest.mark.parametrize(
    ("preferences", "now", "after"),
    [
        (NEW_YORK, "2026-05-01T02:30:00Z", "2026-05-01T13:00:00Z"),
        (quiet("21:00", "09:00", digest="10:30"), "2026-05-01T02:30:00Z", "2026-05-01T14:30:00Z"),
        (quiet("21:00", "09:00", digest="22:00"), "2026-05-01T02:30:00Z", "2026-05-01T13:00:00Z"),
        (quiet("12:00", "13:00", digest="12:30"), "2026-05-01T16:15:00Z", "2026-05-01T17:00:00Z"),
        (quiet("12:00", "13:00", digest="11:00"), "2026-05-01T16:15:00Z", "2026-05-01T17:00:00Z"),
        (NEW_YORK, "2026-05-01T01:00:30Z", "2026-05-01T13:00:30Z"),
        (quiet("09:00", "09:00"), "2026-05-01T15:00:00Z", "2026-05-02T13:00:00Z"),
        (quiet("09:00", "09:00"), "2026-05-01T13:00:00Z", "2026-05-02T13:00:00Z"),
    ],
)
def test_in_quiet_hours_a_nudge_waits_for_their_end_or_for_the_digest_after_them(preferences, now, after):
    assert decide_nudge(preferences, at(now)) == Nudge("batch", "quiet_hours", at(after))


def test_the_end_of_quiet_hours_is_not_quiet_and_their_start_is():
    assert decide_nudge(NEW_YORK, at("2026-05-01T13:00:00Z")) == Nudge("send", "within_preferences")
    assert decide_nudge(NEW_YORK, at("2026-05-01T00:59:59Z")).action == "send"
    assert decide_nudge(NEW_YORK, at("2026-05-01T01:00:00Z")).action == "batch"


def test_without_a_known_zone_quiet_hours_cannot_be_told():
    now = at("2026-05-01T15:00:00Z")
    for preferences in (Preferences(), Preferences(timezone="Nowhere/Else")):
        assert decide_nudge(preferences, now) == Nudge("batch", "timezone_unknown")
    open_all_day = Preferences(quiet_hours=QuietHours(enabled=False))
    assert decide_nudge(open_all_day, now) == Nudge("send", "within_preferences")


@pytest.mark.parametrize("source", SOURCES)
def test_only_what_the_user_asked_for_passes_everything(source):
    closed = quiet("00:00", "00:00", max_nudges_per_day=0, less_like_this=(LessLikeThis("tea", "x"),))
    decided = decide_nudge(closed, at("2026-05-01T02:30:00Z"), 9, source, "tea")
    asked = source.startswith("user_requested")
    assert decided == (
        Nudge("send", "explicit_user_request") if asked else Nudge("suppress", "less_like_this")
    )


def test_a_topic_is_left_alone_by_its_exact_words_in_any_case():
    preferences = replace(NEW_YORK, less_like_this=(LessLikeThis(" Build  Times", "x"),))
    now = at("2026-05-01T15:00:00Z")
    assert decide_nudge(preferences, now, topic="build\ntimes ").reason == "less_like_this"
    for topic in ("build", "build times today", "", " "):
        assert decide_nudge(preferences, now, topic=topic).action == "send"


def test_the_daily_limit_counts_before_quiet_hours_and_zero_means_never():
    night = at("2026-05-01T02:30:00Z")
    limit = Nudge("suppress", "daily_limit_reached")
    assert decide_nudge(NEW_YORK, night, 1) == limit
    assert decide_nudge(replace(NEW_YORK, max_nudges_per_day=0), night) == limit
    assert decide_nudge(replace(NEW_YORK, max_nudges_per_day=2), night, 1).action == "batch"


@pytest.mark.parametrize(
    ("start", "end", "inside", "outside"),
    [
        ("21:00", "09:00", ["21:00", "23:59", "00:00", "08:59"], ["09:00", "20:59"]),
        ("12:00", "13:00", ["12:00", "12:59"], ["11:59", "13:00", "00:00"]),
        ("00:00", "09:00", ["00:00", "08:59"], ["09:00", "23:59"]),
        ("21:00", "00:00", ["21:00", "23:59"], ["00:00", "20:59"]),
        ("09:00", "09:00", ["00:00", "09:00", "23:59"], []),
    ],
)
def test_quiet_hours_may_run_over_midnight(start, end, inside, outside):
    hours = QuietHours(True, time.fromisoformat(start), time.fromisoformat(end))
    assert all(is_quiet(hours, time.fromisoformat(local)) for local in inside)
    assert not any(is_quiet(hours, time.fromisoformat(local)) for local in outside)


@pytest.mark.parametrize("now", ["2026-03-08T06:10:00Z", "2026-03-08T06:59:00Z"])
def test_an_end_that_the_clocks_skip_is_reached_when_they_are_put_forward(now):
    spring = quiet("21:00", "02:30", digest="01:00")  # in New York 02:00 becomes 03:00 on 2026-03-08
    assert decide_nudge(spring, at(now)).batch_after == at("2026-03-08T07:00:00Z")
    later = at(now) + timedelta(seconds=20)
    assert decide_nudge(spring, later).batch_after == at("2026-03-08T07:00:20Z")


def test_a_digest_that_the_clocks_skip_is_reached_when_they_are_put_forward():
    spring = quiet("21:00", "01:30", digest="02:30")
    assert decide_nudge(spring, at("2026-03-08T06:10:00Z")).batch_after == at("2026-03-08T07:00:00Z")


def test_clocks_that_are_put_forward_at_midnight_skip_its_first_hour():
    santiago = quiet("21:00", "00:30", Preferences("America/Santiago"), digest="00:00")
    assert decide_nudge(santiago, at("2026-09-06T03:30:00Z")).batch_after == at("2026-09-06T04:00:00Z")


def test_where_the_clocks_are_put_back_the_end_is_the_first_of_two():
    autumn = quiet("21:00", "01:30", digest="01:00")  # 01:00 to 02:00 comes twice on 2026-11-01
    assert decide_nudge(autumn, at("2026-11-01T04:10:00Z")).batch_after == at("2026-11-01T05:30:00Z")
    assert decide_nudge(autumn, at("2026-11-01T06:10:00Z")).batch_after == at("2026-11-01T06:30:00Z")


def test_a_digest_more_than_a_day_ahead_is_not_waited_for():
    autumn = quiet("21:00", "09:00", digest="20:30")  # 2026-11-01 has 25 hours
    assert decide_nudge(autumn, at("2026-11-01T01:00:00Z")).batch_after == at("2026-11-01T14:00:00Z")


def test_an_all_day_quiet_whose_end_does_not_come_within_a_day_has_no_time():
    for all_day in (quiet("09:00", "09:00"), quiet("09:01", "09:00")):
        decided = decide_nudge(all_day, at("2026-10-31T13:01:00Z"))
        assert decided == Nudge("batch", "quiet_hours")


ZONES = ["America/New_York", "Europe/Paris", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"]
local_times = st.times().map(lambda local: local.replace(second=0, microsecond=0))
seasons = st.sampled_from(
    [at("2026-03-08T00:00:00Z"), at("2026-11-01T00:00:00Z"), at("2026-03-29T00:00:00Z")]
)
moments = st.builds(
    lambda day, seconds: day + timedelta(seconds=seconds), seasons, st.integers(-90_000, 90_000)
) | st.datetimes(datetime(1970, 1, 1), datetime(2040, 1, 1), timezones=st.just(timezone.utc))


@given(moments, st.sampled_from(ZONES), local_times, local_times, local_times)
def test_a_batch_goes_out_within_a_day_and_never_in_quiet_hours(now, zone, start, end, digest):
    hours = QuietHours(True, start, end)
    preferences = Preferences(zone, hours, digest)
    decided = decide_nudge(preferences, now)
    local = now.astimezone(zone_of(preferences)).time()
    assert decided.action == ("batch" if is_quiet(hours, local) else "send")
    awake = timedelta(hours=start.hour - end.hour, minutes=start.minute - end.minute) % timedelta(days=1)
    after = decided.batch_after
    if after is None:
        assert decided.action == "send" or awake < timedelta(hours=1)
        return
    assert after.tzinfo is timezone.utc
    assert timedelta(minutes=1) <= after - now <= timedelta(minutes=MAX_MINUTES)
    assert (after - now) % timedelta(minutes=1) == timedelta(0)
    if awake >= timedelta(hours=1):  # else the clocks may skip all of it
        assert not is_quiet(hours, after.astimezone(zone_of(preferences)).time())
        assert decide_nudge(preferences, after).action == "send"


def test_a_decision_takes_milliseconds():
    slowest = quiet("09:00", "09:00", digest="09:00")
    started = clock.process_time()
    for _ in range(20):
        decide_nudge(slowest, at("2026-10-31T13:00:00Z"))
    assert (clock.process_time() - started) / 20 < 0.02
