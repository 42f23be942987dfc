"""Pages by the days that a question speaks of.

A page dated inside them counts 1, one dated soon after 0.5, since people write down later what happened: in
the month after a month, in the week after anything shorter. So does one that was written in these days as the
project's log tells, whatever date it names, if any: most pages name none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from heapq import nsmallest

from memory_mcp.search.index.doc_set import documents_in
from memory_mcp.search.index.page_terms import DATE
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.text.date_text import Span, month_span
from memory_mcp.search.text.time_text import is_only_about_time, time_spans

Written = Callable[[datetime, datetime], Iterable[str]]
"""The ids of the pages that were written from one moment to before another."""

AFTER = 0.5
WEEK = timedelta(7)
YEARS = 20
"""How far back a date without a year is looked for."""


class TimeStream:
    """What the days of a question say of pages; nothing for a question that names none."""

    def __init__(self, collection: Collection, question: str, now: datetime, written: Written | None) -> None:
        self._spans = time_spans(question, now)
        self.is_all = bool(self._spans) and is_only_about_time(question, now)
        """Whether the question names nothing else."""
        self._collection = collection
        self._dated = time_scores(collection, self._spans, now.date()) if self._spans else {}
        self._written: set[str] = set()
        for span in self._spans:
            if written is not None and not span.any_year and span.first <= now.date():
                self._written.update(written(*_moments(span)))

    def __bool__(self) -> bool:
        """Whether the question names days."""
        return bool(self._spans)

    def score(self, number: int, page_id: str) -> float:
        """0, 0.5 or 1 for a document."""
        return max(self._dated.get(number, 0.0), AFTER if page_id in self._written else 0.0)

    def numbers(self, limit: int) -> list[int]:
        """The documents of the asked days, at most twice so many."""
        pages = self._collection
        dated = nsmallest(limit, ((-weight, pages.page(n).path, n) for n, weight in self._dated.items()))
        written = (pages.number(path) for path in nsmallest(limit, self._written))
        return [number for _, _, number in dated] + [number for number in written if number is not None]


def _moments(span: Span) -> tuple[datetime, datetime]:
    """When the days of a span begin, and when the day after them does; UTC."""
    days = (span.first, span.last + timedelta(1))
    first, until = (datetime.combine(day, time(), timezone.utc) for day in days)
    return first, until


def time_scores(collection: Collection, spans: Iterable[Span], today: date) -> dict[int, float]:
    """The document numbers of the pages dated in the days of `spans` or soon after, with 1 or 0.5."""
    allow = collection.doc_set()
    weights: dict[str, float] = {}
    for span in spans:
        for each in _with_years(span, today):
            for term in date_terms(_after(each)):
                weights.setdefault(term, AFTER)
            weights.update(dict.fromkeys(date_terms(each), 1.0))
    found: dict[int, float] = {}
    for term, weight in sorted(weights.items(), key=lambda item: item[1]):
        documents = documents_in(allow, collection.reader, collection.delta, DATE, term)
        found.update(dict.fromkeys(documents, weight))
    return found


def date_terms(span: Span) -> Iterator[str]:
    """The terms of the field `date` for the days of a span: whole months, and days where it is not whole."""
    at = span.first
    while at <= span.last:
        month = month_span(at.year, at.month)
        if at == month.first and month.last <= span.last:
            yield at.isoformat()[:7]
            at = month.last
        else:
            yield at.isoformat()
        at += timedelta(1)


def _with_years(span: Span, today: date) -> Iterator[Span]:
    if not span.any_year:
        yield span
        return
    for year in range(today.year + 1, today.year - YEARS, -1):
        first, last = (_in_year(at, year) for at in (span.first, span.last))
        yield Span(first, last)


def _in_year(at: date, year: int) -> date:
    return at.replace(year=year) if (at.month, at.day) != (2, 29) else month_span(year, 2).last


def _after(span: Span) -> Span:
    first = span.last + timedelta(1)
    if span.last - span.first < timedelta(27):
        return Span(first, span.last + WEEK)
    return month_span(first.year, first.month)
