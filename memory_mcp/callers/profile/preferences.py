"""The typed preferences inside a profile."""

from __future__ import annotations

from datetime import date, datetime, timezone


def local_date(profile: str, now: datetime) -> date:
    """The day where the caller is, by the time zone of the profile's text; else that in UTC."""
    return now.astimezone(timezone.utc).date()
