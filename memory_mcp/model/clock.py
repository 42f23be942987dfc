"""Times: UTC, RFC 3339, from a clock that is handed in."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timezone

from memory_mcp.errors import InvalidInput

Clock = Callable[[], datetime]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})\Z")


def utc_now() -> datetime:
    """The time of the machine's clock."""
    return datetime.now(timezone.utc)


def format_time(moment: datetime) -> str:
    """RFC 3339 in UTC with whole seconds, as markdown files carry it."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_milliseconds(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, as JSONL files carry it."""
    utc = moment.astimezone(timezone.utc)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def parse_time(text: str) -> datetime:
    """Parse RFC 3339, or a date, which means the end of that day in UTC.

    Raises:
        ValueError: the text is neither.
    """
    if _DATE.match(text):
        return datetime.combine(date.fromisoformat(text), time.max, timezone.utc)
    found = _TIME.match(text)
    if not found:
        raise ValueError(text)
    day, clock, fraction, zone = found.groups()
    micro = f".{fraction[:6]:0<6}" if fraction else ""
    offset = "+00:00" if zone in "Zz" else zone
    return datetime.fromisoformat(f"{day}T{clock}{micro}{offset}").astimezone(timezone.utc)


def parse_moment(text: str, argument: str, now: datetime) -> datetime:
    """A moment that is not in the future: RFC 3339, or a date, which means its end in UTC, today's `now`.

    Raises:
        InvalidInput: the text is neither, or lies in the future.
    """
    text = text.strip()
    try:
        moment = parse_time(text)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{argument} = {text!r:.80} is not a time: give a date like 2026-11-30 or an RFC 3339 time like "
            "2026-11-30T12:00:00Z."
        ) from None
    if moment > now and _DATE.match(text) and moment.date() == now.astimezone(timezone.utc).date():
        return now
    if moment > now:
        raise InvalidInput(
            f"{argument} = {text!r:.80} is in the future (now: {format_time(now)}): give an earlier time, or "
            f"leave {argument} out to ask for what is known now."
        )
    return moment
