"""When a version was the page."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import NamedTuple

from memory_mcp.model.clock import format_time


class Window(NamedTuple):
    """When a version was the page, in seconds since 1970: from the first until before the second.

    Without a second it is the version that HEAD holds.
    """

    valid_from: int
    valid_to: int | None

    def facts(self) -> dict[str, str]:
        """The two as RFC 3339 times, the second only if there is one."""
        times = {"valid_from": self.valid_from, "valid_to": self.valid_to}
        return {name: format_moment(seconds) for name, seconds in times.items() if seconds is not None}


def format_moment(seconds: int) -> str:
    """Seconds since 1970 as an RFC 3339 time."""
    return format_time(datetime.fromtimestamp(seconds, timezone.utc))
