"""Dates that a text names: `8 May 2023`, `May 8th`, `in May`, `2023-05-08`, `2023年5月8日`, `in 2023`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

MAX_PAGE_DATES = 8

_LEAP_YEAR = 2000
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_NUMBERS = {name[:size]: at for at, name in enumerate(_MONTHS, 1) for size in (3, len(name))} | {"sept": 9}
_WORDS_TOO = frozenset({"march", "may", "august"})
"""Months that are other words as well; alone they count behind a preposition or with a capital."""

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_DIGITS = r"(?P<month>1[0-2]|0?[1-9])"
_NAME = rf"\b(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b\.?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_BEFORE = "in|of|during|since|until|till|by|before|after|from|to|between|early|mid|late|last|this|next|for"
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")


@lru_cache(maxsize=1)
def _dates() -> tuple[re.Pattern[str], ...]:
    """Compiled when a text may name a date, for that takes 10 ms."""
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?<!\d){_YEAR}([-/]){_DIGITS}(?:\2{_DAY})?(?!\d)",
            rf"(?<!\d){_YEAR}(?P<month>1[0-2]|0[1-9])(?P<day>3[01]|[12]\d|0[1-9])(?!\d)",
            rf"(?<!\d){_DAY}{_ORDINAL}\s+(?:of\s+)?{_NAME}(?:,?\s+{_YEAR}\b)?",
            rf"{_NAME}\s+{_DAY}{_ORDINAL}\b(?:,?\s+{_YEAR}\b)?",
            rf"{_NAME},?\s+(?:of\s+)?{_YEAR}\b",
            rf"(?:{_YEAR}\s*[年년]\s*)?(?<!\d){_DIGITS}\s*[月월](?:\s*{_DAY}\s*[日号일])?",
            rf"{_YEAR}\s*[年년]",
            rf"\b(?:in|of|during|throughout|since)\s+{_YEAR}\b(?!-)",
        )
    )


@lru_cache(maxsize=1)
def _month_alone() -> re.Pattern[str]:
    return re.compile(rf"(?:\b(?P<before>{_BEFORE})[\s-]+)?\b(?P<month>{'|'.join(_MONTHS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`. With `any_year` their years say nothing, as in `in May`."""

    first: date
    last: date
    any_year: bool = False


def month_span(year: int, month: int, *, any_year: bool = False) -> Span:
    """The days of a month."""
    return Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]), any_year)


def named_spans(text: str) -> Iterator[tuple[int, int, Span]]:
    """Each date, month and year that a text names: where it starts and ends, and its days; some overlap."""
    for pattern in _dates():
        for match in pattern.finditer(text):
            span = _span(*_numbers(match))
            if span is not None:
                yield *match.span(), span
    for match in _month_alone().finditer(text):
        name = match["month"]
        inside = match.start("month") > 0 and name[0].isupper()
        if match["before"] or inside or name.lower() not in _WORDS_TOO:
            yield *match.span("month"), month_span(_LEAP_YEAR, _NUMBERS[name.lower()], any_year=True)


def text_dates(text: str) -> tuple[str, ...]:
    """The dates with month and year in a title or path: `2023-05-08`, or `2023-05` where no day is said."""
    if not _HAS_YEAR.search(text):
        return ()
    found: dict[str, None] = {}
    for pattern in _dates():
        for match in pattern.finditer(text):
            year, month, day = _numbers(match)
            if year and month and _span(year, month, day):
                found[f"{year:04}-{month:02}" + (f"-{day:02}" if day else "")] = None
    longer = {day[:7] for day in found if len(day) > 7}
    return tuple(each for each in found if each not in longer)[:MAX_PAGE_DATES]


def _numbers(match: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day of a match, each 0 where it is not named."""
    named = match.groupdict()
    month = (named.get("month") or "0").lower()
    return int(named["year"] or 0), _NUMBERS.get(month) or int(month), int(named.get("day") or 0)


def _span(year: int, month: int, day: int) -> Span | None:
    """The days of what is named; None for a day that is none, like 31 June."""
    if not month:
        return Span(date(year, 1, 1), date(year, 12, 31))
    whole = month_span(year or _LEAP_YEAR, month, any_year=not year)
    if not day:
        return whole
    if day > whole.last.day:
        return None
    at = whole.first.replace(day=day)
    return Span(at, at, not year)
