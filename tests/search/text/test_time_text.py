from __future__ import annotations

import time
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.index.index_read import DocSet, IndexReader
from memory_mcp.search.rank.time_stream import time_scores
from memory_mcp.search.text import time_text
from memory_mcp.search.text.time_text import MAX_SPANS, is_only_about_time, time_spans

MONDAY = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def days(text: str) -> list[tuple[str, str]]:
    return [(span.first.isoformat(), span.last.isoformat()) for span in time_spans(text, MONDAY)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did we do today?", "2026-11-30", "2026-11-30"),
        ("Yesterday's deploy", "2026-11-29", "2026-11-29"),
        ("the day before yesterday", "2026-11-28", "2026-11-28"),
        ("3 days ago", "2026-11-27", "2026-11-27"),
        ("a couple of days ago", "2026-11-28", "2026-11-28"),
        ("two weeks ago", "2026-11-16", "2026-11-22"),
        ("last week", "2026-11-23", "2026-11-29"),
        ("this week", "2026-11-30", "2026-12-06"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("11 months ago", "2025-12-01", "2025-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("on Friday", "2026-11-27", "2026-11-27"),
        ("last Monday", "2026-11-23", "2026-11-23"),
        ("in the last 3 days", "2026-11-27", "2026-11-30"),
        ("what happened last time?", "2026-11-17", "2026-11-30"),
        ("昨天做了什么", "2026-11-29", "2026-11-29"),
        ("前天", "2026-11-28", "2026-11-28"),
        ("上周的决定", "2026-11-23", "2026-11-29"),
        ("上个星期", "2026-11-23", "2026-11-29"),
        ("上个月", "2026-10-01", "2026-10-31"),
        ("3天前", "2026-11-27", "2026-11-27"),
        ("2个月前", "2026-09-01", "2026-09-30"),
        ("上次怎么修的", "2026-11-17", "2026-11-30"),
        ("先週の会議", "2026-11-23", "2026-11-29"),
        ("지난주 회의", "2026-11-23", "2026-11-29"),
        ("что мы делали вчера", "2026-11-29", "2026-11-29"),
        ("на прошлой неделе", "2026-11-23", "2026-11-29"),
    ],
)
def test_times_count_from_today(text: str, first: str, last: str) -> None:
    assert days(text) == [(first, last)]


def test_the_longest_expression_counts() -> None:
    assert days("2 May 2023") == [("2023-05-02", "2023-05-02")]
    assert days("between 2 May 2023 and June 2023") == [
        ("2023-05-02", "2023-05-02"),
        ("2023-06-01", "2023-06-30"),
    ]


@pytest.mark.parametrize("text", ["how do I deploy?", "the lasting week", "version 2.0", "Friday", ""])
def test_other_texts_name_no_days(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("What did we do yesterday?", True),
        ("what happened last week", True),
        ("What did we work on in May 2023?", True),
        ("what did we decide on caching yesterday?", False),
        ("what did we do?", False),
    ],
)
def test_a_question_may_be_about_time_alone(text: str, only: bool) -> None:
    assert is_only_about_time(text, MONDAY) == only


@given(st.text() | st.text(alphabet="0123456789 -/agodysltwekmnh上个月前天", max_size=60))
def test_no_text_raises(text: str) -> None:
    assert len(time_spans(text, MONDAY)) <= MAX_SPANS
    is_only_about_time(text, MONDAY)


def test_times_out_of_the_calendar_are_no_error() -> None:
    assert days("999 years ago 999 months ago 999 weeks ago")


@pytest.mark.parametrize("text", ["1 " * 100_000, "last " * 50_000, "2023-" * 50_000, "上个" * 100_000])
def test_a_long_text_takes_bounded_time(text: str) -> None:
    start = time.process_time()
    time_spans(text, MONDAY)
    assert time.process_time() - start < 1


class Nothing:
    """Pages of a moment at which there were none."""

    reader = IndexReader()
    delta = None

    def doc_set(self) -> DocSet:
        return DocSet(b"", 0, 1.0)


@pytest.mark.parametrize("year", [1, 15, 900, 1970, 8999, 9999])
def test_no_moment_is_too_near_to_the_ends_of_the_calendar(year: int) -> None:
    for text in (
        "yesterday",
        "last year",
        "in may",
        "29 feb",
        "999 years ago",
        "999 months ago",
        "this week",
    ):
        for month, day in ((1, 1), (12, 31)):
            now = datetime(year, month, day, tzinfo=timezone.utc)
            time_spans(text, now)
            is_only_about_time(text, now)
            for span in time_spans(text, now):
                assert time_scores(Nothing(), [span], now.date()) == {}


def test_a_question_without_a_hint_of_time_compiles_no_pattern_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(time_text, "_patterns", refuse)
    assert time_spans("why does the importer not use redis", MONDAY) == ()
    with pytest.raises(AssertionError):
        time_spans("what did we do yesterday?", MONDAY)
