"""When a task has to be done."""

from datetime import datetime, timezone

import pytest

from memory_mcp.callers.profile.preferences import Preferences, with_preferences
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.tasks.task_due import check_due, is_overdue
from memory_mcp.errors import InvalidInput

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("  ", ""),
        (" 2026-12-01 ", "2026-12-01"),
        ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
        ("2026-12-01T09:00:00.5+02:00", "2026-12-01T07:00:00Z"),
    ],
)
def test_a_time_is_kept_as_a_date_or_in_utc(given: str, kept: str) -> None:
    assert check_due(given) == kept


@pytest.mark.parametrize("given", ["tomorrow", "2026-02-30", "2026-12-01T09:00", "01.12.2026", "9" * 200])
def test_what_is_no_time_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput, match="is no time: give a date like 2026-12-01"):
        check_due(given)


@pytest.mark.parametrize(
    ("zone", "hour", "late"),
    [
        ("Pacific/Auckland", 10, False),
        ("Pacific/Auckland", 11, True),
        ("America/New_York", 23, False),
        ("", 23, False),
    ],
)
def test_a_day_ends_where_the_caller_is(zone: str, hour: int, late: bool) -> None:
    profile = with_preferences(EMPTY_PROFILE, Preferences(timezone=zone or None))
    assert is_overdue("2026-11-30", NOON.replace(hour=hour), profile) is late


@pytest.mark.parametrize(
    ("due", "late"),
    [
        ("2026-11-29", True),
        ("2026-11-30", False),
        ("2026-11-30T11:59:59Z", True),
        ("2026-11-30T12:00:00Z", False),
        ("", False),
        ("next week", False),
        ("2026-02-30", False),
    ],
)
def test_a_day_is_over_when_it_ends_and_a_time_when_it_is_past(due: str, late: bool) -> None:
    assert is_overdue(due, NOON, "") is late
