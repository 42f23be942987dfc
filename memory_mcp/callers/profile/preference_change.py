"""What a person says about being approached, checked and brought into the preferences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, time

from memory_mcp.callers.profile.preferences import (
    PUSHINESS,
    Preferences,
    QuietHours,
    parse_clock,
    record_less_like_this,
    topic_key,
    zone_of,
)
from memory_mcp.errors import InvalidInput

MAX_TOPIC_CHARS = 200
_RANGE = re.compile(r"([^-]*)-([^-]*)\Z")


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """What to change, as it was typed; None leaves what is there.

    `quiet_hours` is two local times such as `21:00-09:00`, or `off`; `less_like_this` is a topic to add.
    """

    timezone: str | None = None
    quiet_hours: str | None = None
    digest: str | None = None
    max_nudges: int | None = None
    pushiness: str | None = None
    less_like_this: str | None = None


def change_preferences(preferences: Preferences, change: PreferenceChange, now: datetime) -> Preferences:
    """The preferences after a change.

    Raises:
        InvalidInput: a value breaks its rule; the message names it.
    """
    new = preferences
    if change.timezone is not None:
        new = replace(new, timezone=_zone_name(change.timezone))
    if change.quiet_hours is not None:
        new = replace(new, quiet_hours=_quiet_hours(new.quiet_hours, change.quiet_hours))
    if change.digest is not None:
        new = replace(new, digest_time=_clock(change.digest, "digest"))
    if change.max_nudges is not None:
        new = replace(new, max_nudges_per_day=_count(change.max_nudges))
    if change.pushiness is not None:
        new = replace(new, pushiness=_pushiness(change.pushiness))
    if change.less_like_this is not None:
        new = record_less_like_this(new, _topic(change.less_like_this), now)
    return new


def _zone_name(text: str) -> str:
    name = text.strip()
    if zone_of(Preferences(timezone=name)) is None:
        raise InvalidInput(
            f"timezone = {text!r:.80} is no IANA time zone: give a name such as Europe/Paris or UTC."
        )
    return name


def _count(number: int) -> int:
    if number < 0:
        raise InvalidInput(f"max_nudges = {number} is less than 0: give 0 for none at all.")
    return number


def _pushiness(text: str) -> str:
    if text not in PUSHINESS:
        raise InvalidInput(f"pushiness = {text!r:.80} is none of {', '.join(PUSHINESS)}.")
    return text


def _quiet_hours(old: QuietHours, text: str) -> QuietHours:
    if text.strip().lower() == "off":
        return replace(old, enabled=False)
    found = _RANGE.match(text)
    if not found:
        raise InvalidInput(f"quiet_hours = {text!r:.80} is neither off nor two times such as 21:00-09:00.")
    start, end = (_clock(each, "quiet_hours") for each in found.groups())
    return QuietHours(True, start, end)


def _clock(text: str, argument: str) -> time:
    clock = parse_clock(text.strip())
    if clock is None:
        raise InvalidInput(f"{argument} = {text!r:.80} is no time of day: give HH:MM from 00:00 to 23:59.")
    return clock


def _topic(text: str) -> str:
    if not topic_key(text):
        raise InvalidInput("less_like_this is blank: name the topic that the person wants to hear less of.")
    if len(text) > MAX_TOPIC_CHARS:
        raise InvalidInput(
            f"less_like_this = {text[:40]!r}… has {len(text)} characters; the limit is {MAX_TOPIC_CHARS}."
        )
    return text
