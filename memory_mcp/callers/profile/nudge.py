"""The fatigue guard: whether a person may be approached now, later, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone, tzinfo

from memory_mcp.callers.profile.preferences import Preferences, QuietHours, topic_key, zone_of

ASKED_FOR = ("user_requested_timer", "user_requested_reminder")
SOURCES = ("prepared_follow_up", "digest", *ASKED_FOR)
"""Where a nudge comes from; what the user asked for is never held back."""

MAX_MINUTES = 1441
"""How far ahead a batch may be put off: a day and a minute, so that the same time tomorrow is reached."""

_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Nudge:
    """What to do with a nudge: `action` is send, batch (keep it and send it later) or suppress.

    `batch_after` is the earliest time for a batch in UTC. It is None if that cannot be known: the time zone
    is unknown, or nearly all day is quiet and the day has more than 24 hours.
    """

    action: str
    reason: str
    batch_after: datetime | None = None


def decide_nudge(
    preferences: Preferences,
    now: datetime,
    sent_today: int = 0,
    source: str = "prepared_follow_up",
    topic: str = "",
) -> Nudge:
    """Whether a nudge about `topic` may be sent at `now`, after `sent_today` others on this local day.

    `batch_after` is at most `MAX_MINUTES` after `now`, and outside the quiet hours unless these are all day,
    or all day but for the hour that the clocks skip.
    """
    if source in ASKED_FOR:
        return Nudge("send", "explicit_user_request")
    key = topic_key(topic)
    if any(topic_key(signal.topic) == key for signal in preferences.less_like_this):
        return Nudge("suppress", "less_like_this")
    if sent_today >= preferences.max_nudges_per_day:
        return Nudge("suppress", "daily_limit_reached")
    quiet = preferences.quiet_hours
    if quiet.enabled:
        zone = zone_of(preferences)
        if zone is None:
            return Nudge("batch", "timezone_unknown")
        if is_quiet(quiet, now.astimezone(zone).time()):
            return Nudge("batch", "quiet_hours", _end_of_quiet(preferences, now, zone))
    return Nudge("send", "within_preferences")


def is_quiet(quiet: QuietHours, local: time) -> bool:
    """Whether a local time lies in the quiet hours, which may run over midnight."""
    if quiet.start < quiet.end:
        return quiet.start <= local < quiet.end
    return local >= quiet.start or local < quiet.end


def _end_of_quiet(preferences: Preferences, now: datetime, zone: tzinfo) -> datetime | None:
    """When the quiet hours are over, or the digest that comes after them, whichever is later."""
    quiet, digest = preferences.quiet_hours, preferences.digest_time
    end = _next(now, zone, quiet.end)
    if end is None or is_quiet(quiet, digest) or digest < quiet.end:
        return end
    return max(end, _next(now, zone, digest) or end)


def _next(now: datetime, zone: tzinfo, local: time) -> datetime | None:
    """The first whole number of minutes after `now` at which the clocks there show `local`, or skip it.

    A time that comes twice counts the first time.
    """
    utc = now.astimezone(timezone.utc)
    wanted = _minute(local)
    before = _minute(utc.astimezone(zone))
    for number in range(1, MAX_MINUTES + 1):
        moment = utc + timedelta(minutes=number)
        shown = _minute(moment.astimezone(zone))
        passed = (shown - before) % _DAY  # 1, or more where the clocks are put forward
        if (shown - wanted) % _DAY < (passed if passed < _DAY // 2 else 1):
            return moment
        before = shown
    return None


def _minute(local: time | datetime) -> int:
    return local.hour * 60 + local.minute
