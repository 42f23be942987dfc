"""Pages by the days that a question speaks of.

A page dated inside them counts 1, one dated soon after 0.5, since people write down later what happened: in
the month after a month, in the week after anything shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from memory_mcp.search.index.page_terms import DATE
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.text.date_text import Span, month_span

AFTER = 0.5
WEEK = timedelta(7)
YEARS = 20
"""How far back a date without a year is looked for."""


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
        found.update((number, weight) for number in _documents(collection, term) if allow.bits[number])
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


def _documents(collection: Collection, term: str) -> Iterator[int]:
    yield from collection.reader.documents(DATE, term)
    delta = collection.delta
    if delta is not None:
        for place, page in delta.numbered():
            if term in page.keywords.get(DATE, ()):
                yield delta.base + place
