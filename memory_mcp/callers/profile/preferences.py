"""When and how often a person wants to be approached: a typed block inside the profile.

It stands in the section Preferences, between two comments, as JSON (indented by tabs):

    <!-- proactive-preferences:start -->
    {
        "timezone": "Europe/Paris",
        …
    }
    <!-- proactive-preferences:end -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timezone, tzinfo

from memory_mcp.callers.profile.profile_text import format_profile, parse_profile
from memory_mcp.model.clock import format_time

PUSHINESS = ("minimal", "standard", "assertive")

BLOCK_START = "<!-- proactive-preferences:start -->"
_END = "<!-- proactive-preferences:end -->"
_BLOCK = re.compile(rf"{BLOCK_START}(.*?){_END}", re.DOTALL)
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])\Z")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """When a person is not to be disturbed, in local time; `start` = `end` is the whole day."""

    enabled: bool = True
    start: time = time(21)
    end: time = time(9)


@dataclass(frozen=True, slots=True)
class LessLikeThis:
    """A topic that a person does not want to be approached about, and when that was said."""

    topic: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """When and how often a person wants to be approached; the defaults hold where nothing was said.

    `timezone` is a name of the IANA data base, None if unknown. `pushiness` is for the agent's tone.
    """

    timezone: str | None = None
    quiet_hours: QuietHours = QuietHours()
    digest_time: time = time(9)
    max_nudges_per_day: int = 1
    pushiness: str = "minimal"
    less_like_this: tuple[LessLikeThis, ...] = ()


def read_preferences(profile: str) -> Preferences:
    """The preferences in the text of a profile; the default for whatever is absent or malformed."""
    block = find_block(parse_profile(profile).sections["Preferences"])
    try:
        return parse_block(block) if block else Preferences()
    except ValueError:
        return Preferences()


def preferences_of(value: object) -> Preferences:
    """The preferences that a JSON value holds; the default for whatever is absent or of a wrong type."""
    known = _object(value)
    quiet = _object(known.get("quietHours"))
    default = Preferences()
    enabled = quiet.get("enabled")
    nudges = known.get("maxNudgesPerDay")
    pushiness = known.get("pushiness")
    signals = _object(known.get("feedback")).get("lessLikeThis")
    return Preferences(
        timezone=_text(known.get("timezone")),
        quiet_hours=QuietHours(
            enabled=enabled if isinstance(enabled, bool) else default.quiet_hours.enabled,
            start=parse_clock(quiet.get("startLocalTime")) or default.quiet_hours.start,
            end=parse_clock(quiet.get("endLocalTime")) or default.quiet_hours.end,
        ),
        digest_time=parse_clock(known.get("digestLocalTime")) or default.digest_time,
        max_nudges_per_day=nudges if type(nudges) is int and nudges >= 0 else default.max_nudges_per_day,
        pushiness=pushiness if pushiness in PUSHINESS else default.pushiness,
        less_like_this=tuple(
            LessLikeThis(topic, recorded_at)
            for signal in (signals if isinstance(signals, list) else [])
            if (topic := _text(_object(signal).get("topic")))
            and (recorded_at := _text(_object(signal).get("recordedAt")))
        ),
    )


def preferences_json(preferences: Preferences) -> dict[str, object]:
    """The preferences as the block holds them."""
    quiet = preferences.quiet_hours
    return {
        "timezone": preferences.timezone,
        "quietHours": {
            "enabled": quiet.enabled,
            "startLocalTime": f"{quiet.start:%H:%M}",
            "endLocalTime": f"{quiet.end:%H:%M}",
        },
        "digestLocalTime": f"{preferences.digest_time:%H:%M}",
        "maxNudgesPerDay": preferences.max_nudges_per_day,
        "pushiness": preferences.pushiness,
        "feedback": {
            "lessLikeThis": [
                {"topic": signal.topic, "recordedAt": signal.recorded_at}
                for signal in preferences.less_like_this
            ]
        },
    }


def with_preferences(profile: str, preferences: Preferences) -> str:
    """The text of a profile in which the preferences are these."""
    parsed = parse_profile(profile)
    body = put_block(parsed.sections["Preferences"], format_block(preferences))
    return format_profile(replace(parsed, sections={**parsed.sections, "Preferences": body}))


def find_block(body: str) -> str | None:
    """The block in the body of a section, None where there is none."""
    found = _BLOCK.search(body)
    return found[0] if found else None


def put_block(body: str, block: str) -> str:
    """The body with this block in the place of its first, else after all of it."""
    if _BLOCK.search(body):
        return _BLOCK.sub(lambda _: block, body, count=1)
    return f"{body}\n\n{block}" if body else block


def parse_block(block: str) -> Preferences:
    """The preferences in a block.

    Raises:
        ValueError: it holds no JSON object.
    """
    try:
        value = json.loads(block.removeprefix(BLOCK_START).removesuffix(_END))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return preferences_of(value)


def format_block(preferences: Preferences) -> str:
    """The block that says this, with its two comments."""
    text = json.dumps(preferences_json(preferences), ensure_ascii=False, indent="\t")
    text = text.replace("<!--", "\\u003c!--")  # a topic must not end the block
    return f"{BLOCK_START}\n{text}\n{_END}"


def zone_of(preferences: Preferences) -> tzinfo | None:
    """The time zone of the preferences, None if they name none that exists."""
    return _zone(preferences.timezone) if preferences.timezone else None


def local_date(profile: str, now: datetime) -> date:
    """The day where the caller is, by the time zone of the profile's text; else that in UTC."""
    return now.astimezone(zone_of(read_preferences(profile)) or timezone.utc).date()


def topic_key(topic: str) -> str:
    """What makes two topics the same: their letters in lower case, with single blanks."""
    return " ".join(topic.split()).lower()


def record_less_like_this(preferences: Preferences, topic: str, now: datetime) -> Preferences:
    """The preferences with one more topic to leave alone; the same ones if it is blank or known."""
    key = topic_key(topic)
    if not key or any(topic_key(signal.topic) == key for signal in preferences.less_like_this):
        return preferences
    signal = LessLikeThis(key, format_time(now))
    return replace(preferences, less_like_this=(*preferences.less_like_this, signal))


def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - only where a zone is known

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return (value.strip() or None) if isinstance(value, str) else None


def parse_clock(value: object) -> time | None:
    """The time of day that `HH:MM` means, None for anything else."""
    found = _CLOCK.match(value) if isinstance(value, str) else None
    return time(int(found[1]), int(found[2])) if found else None
