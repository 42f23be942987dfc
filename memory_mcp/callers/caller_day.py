"""The day that it is where a caller is: what log lines and archived texts are dated by."""

from __future__ import annotations

from datetime import date, datetime

from memory_mcp.callers.caller_folder import PROFILE, CallerFolder
from memory_mcp.callers.profile.preferences import local_date
from memory_mcp.errors import Conflict


def caller_day(folder: CallerFolder, now: datetime) -> date:
    """The day by the time zone of the profile; by UTC where the profile has none or cannot be read."""
    try:
        profile = folder.read_text(PROFILE)
    except Conflict:
        profile = ""
    return local_date(profile, now)
