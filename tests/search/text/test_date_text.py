from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.date_text import Span, month_span, named_spans, text_dates


def named(text: str) -> set[Span]:
    return {span for _, _, span in named_spans(text)}


DAY = Span(date(2023, 5, 8), date(2023, 5, 8))
MONTH = Span(date(2023, 5, 1), date(2023, 5, 31))


@pytest.mark.parametrize(
    "text",
    [
        *("on 8 May 2023?", "8th of May, 2023", "May 8, 2023", "may 8th 2023", "2023-05-08", "2023/5/8"),
        *("20230508", "2023年5月8日", "2023년 5월 8일", "8 may. 2023"),
    ],
)
def test_a_day_is_named(text: str) -> None:
    assert DAY in named(text)


@pytest.mark.parametrize(
    "text", ["in May 2023", "May, 2023", "2023-05", "2023/05", "2023年5月", "2023년 5월"]
)
def test_a_month_is_named(text: str) -> None:
    assert MONTH in named(text)


def test_a_year_is_named_behind_a_preposition_or_by_its_sign() -> None:
    year = Span(date(2023, 1, 1), date(2023, 12, 31))
    assert named("what changed in 2023?") == {year}
    assert named("2023年") == {year}
    assert named("error 2023 again") == set()


def test_without_a_year_any_year_is_meant() -> None:
    assert named("in August") == {month_span(2000, 8, any_year=True)}
    assert Span(date(2000, 2, 29), date(2000, 2, 29), any_year=True) in named("29 February")
    assert named("5月") == {month_span(2000, 5, any_year=True)}


@pytest.mark.parametrize("text", ["It may fail", "May I deploy?", "march on", "an august body", "may"])
def test_months_that_are_words_as_well_stay_words(text: str) -> None:
    assert named(text) == set()


@pytest.mark.parametrize("text", ["what did she do in may?", "Is it May yet", "this march", "since August"])
def test_behind_a_preposition_or_with_a_capital_they_are_months(text: str) -> None:
    assert len(named(text)) == 1


def test_a_day_that_is_none_is_not_named() -> None:
    assert DAY not in named("31 June 2023")
    assert text_dates("2023-02-30") == ()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("Ana and Ben, 8 May 2023", ("2023-05-08",)),
        ("sessions/2026-05-08-import.md", ("2026-05-08",)),
        ("sessions/2026_05_08.md", ()),
        ("Retro of May 2023", ("2023-05",)),
        ("Notes of 2023-05-08 and May 2023", ("2023-05-08",)),
        ("Release 2023", ()),
        ("May 8", ()),
        ("", ()),
    ],
)
def test_a_page_is_dated_by_dates_with_their_year(text: str, dates: tuple[str, ...]) -> None:
    assert text_dates(text) == dates


@given(st.text() | st.text(alphabet="0123456789-/ May年月日", max_size=40))
def test_no_text_raises(text: str) -> None:
    for start, end, span in named_spans(text):
        assert 0 <= start < end <= len(text)
        assert span.first <= span.last
    text_dates(text)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_an_iso_date_is_found_as_it_is(day: date) -> None:
    assert text_dates(f"x {day.isoformat()}") == (day.isoformat(),)
    assert Span(day, day) in named(f"{day.day} {day:%B} {day.year}")
