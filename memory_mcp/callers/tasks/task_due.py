"""When a task has to be done, and whether that time is over."""

from __future__ import annotations

import re
from datetime import date, datetime

from memory_mcp.callers.profile.preferences import local_date
from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time, parse_time

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def check_due(text: str) -> str:
    """The time as a task's file holds it: a date, or RFC 3339 in UTC with whole seconds; "" for blank.

    Raises:
        InvalidInput: the text is neither.
    """
    text = text.strip()
    if not text:
        return ""
    try:
        moment = parse_time(text)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"due = {text!r:.80} is no time: give a date like 2026-12-01, or an RFC 3339 time like "
            "2026-12-01T09:00:00Z."
        ) from None
    return text if _DATE.match(text) else format_time(moment)


def is_overdue(due: str, now: datetime, profile: str) -> bool:
    """Whether the time is over; a day ends where the caller is, by the time zone of the profile's text."""
    if _DATE.match(due):
        try:
            return date.fromisoformat(due) < local_date(profile, now)
        except ValueError:
            return False
    try:
        return bool(due) and parse_time(due) < now
    except (ValueError, OverflowError):
        return False  # a person wrote something else there; it is shown as it is
