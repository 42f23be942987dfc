"""Times as files carry them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time, parse_moment, parse_time, utc_now

MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 30), timezones=st.just(timezone.utc))


@given(MOMENTS)
def test_a_written_time_reads_back_to_the_second(moment: datetime) -> None:
    assert parse_time(format_time(moment)) == moment.replace(microsecond=0)


def test_other_offsets_and_fractions_are_read() -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
    for text in ("2026-11-30T12:00:00Z", "2026-11-30t12:00:00z", "2026-11-30 13:00:00+01:00"):
        assert parse_time(text) == noon
    assert parse_time("2026-11-30T12:00:00.5Z").microsecond == 500_000
    assert parse_time("2026-11-30T12:00:00.123456789Z").microsecond == 123_456


def test_a_date_means_the_end_of_that_day() -> None:
    end = parse_time("2026-11-30")
    assert (format_time(end), end.microsecond) == ("2026-11-30T23:59:59Z", 999_999)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-13-01",
        "2026-02-30",
        "2026-11-30T12:00:00",
        "2026-11-30T25:00:00Z",
        "20261130",
        " 2026-11-30",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)


def test_now_is_in_utc() -> None:
    assert utc_now().tzinfo is timezone.utc


NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def test_a_moment_is_a_time_or_the_end_of_a_day() -> None:
    assert parse_moment(" 2026-11-29 ", "as_of", NOW) == parse_time("2026-11-29")
    assert parse_moment("2026-11-30T13:00:00+02:00", "as_of", NOW).hour == 11
    assert parse_moment("2026-11-30T12:00:00Z", "as_of", NOW) == NOW


def test_today_means_now() -> None:
    assert parse_moment("2026-11-30", "as_of", NOW) == NOW
    late = NOW.astimezone(timezone(timedelta(hours=14)))
    assert parse_moment("2026-11-30", "as_of", late) == NOW


@pytest.mark.parametrize("text", ["2026-12-01", "2026-11-30T12:00:01Z", "9999-12-31"])
def test_a_moment_in_the_future_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"as_of = '.*' is in the future \(now: 2026-11-30T12:00:00Z\)"):
        parse_moment(text, "as_of", NOW)


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-11", "2026-11-31", "0001-01-01T00:00:00+14:00", "x" * 500]
)
def test_what_is_no_moment_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a time: give a date like"):
        parse_moment(text, "as_of", NOW)
