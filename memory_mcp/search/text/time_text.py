"""The days that a question is about: dates that it names, and times that count from today."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from memory_mcp.search.text.date_text import Span, month_span, named_spans
from memory_mcp.search.text.tokenizer import terms

MAX_SPANS = 8
RECENT_DAYS = 14
"""What `recently`, `last time` and `上次` reach back to."""
_YEARS_OF_A_QUESTION = range(1970, 9000)
"""`as_of` may name others, but nothing was known then, and the calendar ends near."""
_READ_CHARS = 2000
"""A question says soon when; a pasted log is no question."""

_COUNTS = {
    **{"a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    **{"seven": 7, "eight": 8, "nine": 9, "ten": 10},
}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})"
_DAYS, _WEEKS, _MONTHS, _YEARS = "day", "week", "month", "year"
_UNITS = {
    **dict.fromkeys(("day", "天", "日", "일"), _DAYS),
    **dict.fromkeys(("week", "周", "週", "週間", "星期", "주"), _WEEKS),
    **dict.fromkeys(("month", "个月", "個月", "か月", "ヶ月", "개월", "달"), _MONTHS),
    **dict.fromkeys(("year", "年", "년"), _YEARS),
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_WORDS = (
    ("day", 2, r"\b(?:the )?day before yesterday\b|前天|一昨日|그저께|\bпозавчера\b|\bпозавчора\b"),
    ("day", 1, r"\byesterday\b|\blast night\b|昨[天日]|어제|\bвчера\b|\bвчора\b"),
    (
        "day",
        0,
        r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今[天日]|오늘|\bсегодня\b|\bсьогодні\b",
    ),
    ("week", 1, r"\b(?:last|past|previous) week(?:end)?\b|上个?(?:周|星期)|先週|지난\s?주"),
    ("week", 1, r"прошлой неделе|минулого тижня"),
    ("week", 0, r"\bthis week\b|[本这]个?(?:周|星期)|今週|이번\s?주|этой неделе|цього тижня"),
    ("month", 1, r"\b(?:last|past|previous) month\b|上个?月|先月|지난\s?달|прошлом месяце|минулого місяця"),
    ("month", 0, r"\bthis month\b|[本这]个?月|今月|이번\s?달|этом месяце|цього місяця"),
    ("year", 1, r"\b(?:last|past|previous) year\b|去年|昨年|작년|прошлом году|минулого року"),
    ("year", 0, r"\bthis year\b|今年|올해|этом году|цього року"),
    ("recent", 0, r"\b(?:recently|lately|last time|most recent(?:ly)?)\b|上次|最近|前回|지난번|최근"),
    ("recent", 0, r"\bнедавно\b|\bнещодавно\b|прошлый раз"),
)
"""The unit, how many of it back, and the words for that."""
_DOINGS = frozenset(
    terms(
        "do happen work change discuss talk say learn go get make new thing stuff session decide decision "
        "choose agree plan note write record add remove update fix solve finish build try find"
    )
)
"""Terms that say little of what was done: pages of the asked days answer without them, though worse."""


_HINT = re.compile(
    r"(?-i:[^\x00-\x7f])|\d"  # with the flag on, `k` and `s` would count as letters beyond ASCII
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|day|week|year"
    r"|today|tonight|yester|this|last|past|previous|recent|late|most)",
    re.IGNORECASE,
)
"""What every expression of time has; most questions are told by it to have none."""


class _Patterns(NamedTuple):
    """Compiled for the first question that may speak of days, for that takes 10 ms."""

    word: re.Pattern[str]
    ago: re.Pattern[str]
    lately: re.Pattern[str]
    weekday: re.Pattern[str]


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    words = "|".join(f"(?P<w{at}>{words})" for at, (_, _, words) in enumerate(_WORDS))
    return _Patterns(
        word=re.compile(words, re.IGNORECASE),
        ago=re.compile(
            rf"\b{_COUNT}\s+(?:of\s+)?(?P<unit>day|week|month|year)s?\s+(?:ago|back)\b"
            r"|(?P<cjk_count>\d{1,3})\s?(?P<cjk_unit>天|日|周|週間?|星期|[个個かヶ]月|年|일|주|개월|달|년)\s?[以之]?[前전]",
            re.IGNORECASE,
        ),
        lately=re.compile(rf"\b(?:last|past)\s+{_COUNT}\s+(?P<unit>day|week|month|year)s?\b", re.IGNORECASE),
        weekday=re.compile(
            rf"\b(?:on|last|past|this|since)\s+(?P<day>{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE
        ),
    )


def time_spans(text: str, now: datetime) -> tuple[Span, ...]:
    """The days that a question speaks of, at most eight spans; never raises.

    What counts from today counts from the UTC day of `now`.
    """
    return tuple(dict.fromkeys(span for _, _, span in _chosen(text, now)))[:MAX_SPANS]


def is_only_about_time(text: str, now: datetime) -> bool:
    """Whether a question names days and nothing else: `what did we do yesterday?`"""
    chosen = list(_chosen(text, now))
    rest = text
    for start, end, _ in reversed(chosen):
        rest = f"{rest[:start]} {rest[end:]}"
    return bool(chosen) and terms(rest).keys() <= _DOINGS


def _chosen(text: str, now: datetime) -> Iterator[tuple[int, int, Span]]:
    """Where each expression starts and ends, and its days: the longest where several overlap."""
    text = text[:_READ_CHARS]
    if now.year not in _YEARS_OF_A_QUESTION or not _HINT.search(text):
        return
    today = now.astimezone(timezone.utc).date()
    found = [*named_spans(text), *_counted_spans(text, today)]
    end = 0
    for start, stop, span in sorted(found, key=lambda each: (each[0], -each[1])):
        if start >= end:
            yield start, stop, span
            end = stop


def _counted_spans(text: str, today: date) -> Iterator[tuple[int, int, Span]]:
    """The expressions that count from today."""
    for match in _patterns().word.finditer(text):
        unit, count, _ = _WORDS[int((match.lastgroup or "w0")[1:])]
        yield *match.span(), _SPANS[unit](today, count)
    for match in _patterns().ago.finditer(text):
        count = _count(match["count"] or match["cjk_count"])
        yield *match.span(), _SPANS[_unit(match["unit"] or match["cjk_unit"])](today, count)
    for match in _patterns().lately.finditer(text):
        first = _SPANS[_unit(match["unit"])](today, _count(match["count"])).first
        yield *match.span(), Span(first, today)
    for match in _patterns().weekday.finditer(text):
        back = (today.weekday() - _WEEKDAYS.index(match["day"].lower()) - 1) % 7 + 1
        yield *match.span(), _day(today, back)


def _day(today: date, back: int) -> Span:
    at = today - timedelta(back)
    return Span(at, at)


def _week(today: date, back: int) -> Span:
    """A week from Monday to Sunday."""
    monday = today - timedelta(today.weekday() + 7 * back)
    return Span(monday, monday + timedelta(6))


def _month(today: date, back: int) -> Span:
    year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
    return month_span(year, month + 1)


def _year(today: date, back: int) -> Span:
    return Span(date(today.year - back, 1, 1), date(today.year - back, 12, 31))


def _recent(today: date, _: int) -> Span:
    return Span(today - timedelta(RECENT_DAYS - 1), today)


_SPANS: dict[str, Callable[[date, int], Span]] = {
    "day": _day,
    "week": _week,
    "month": _month,
    "year": _year,
    "recent": _recent,
}


def _count(word: str) -> int:
    return _COUNTS.get(word.lower()) or int(word)


def _unit(word: str) -> str:
    return _UNITS[word.lower()]
