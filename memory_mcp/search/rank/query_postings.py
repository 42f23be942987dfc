"""The posting lists that a query needs, inside the documents it may see."""

from __future__ import annotations

from array import array
from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Union

from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.index_read import DocSet, IndexReader
from memory_mcp.search.index.page_terms import TEXT
from memory_mcp.search.text.query_text import QueryTerms

MAX_TERMS = 64
"""How many terms of a query are searched: the rarest, which say most."""
MAX_LOOKED_UP = 512
"""How many are looked up to know which are rare."""
MAX_EXPANSIONS = 32
"""How many terms a prefix stands for: the most frequent."""
MAX_CANDIDATES = 1000
"""Among how many of all prefixes together those are chosen."""
MAX_SCANNED = 10_000
"""How many terms of the dictionary all prefixes together may walk through: 20 ms."""

Numbers = Union["array[int]", "list[int]"]


@dataclass(frozen=True, slots=True)
class TermPostings:
    """A term, how often the query names it, and its documents and impacts in one list a segment."""

    term: str
    times: int
    lists: list[tuple[Numbers, Numbers]]
    containing: int
    """How many documents hold the term."""


def query_postings(
    reader: IndexReader, query: QueryTerms, allow: DocSet | None, delta: Delta | None
) -> list[TermPostings]:
    """The terms of a query with their postings, the most frequent first.

    Without `allow` deleted documents are included, as stock searches count them.
    """
    wanted = dict(list(query.terms.items())[:MAX_LOOKED_UP])
    for term in query.required:
        wanted.setdefault(term, 1)
    found = {term: _postings(reader, term, times, allow, delta) for term, times in wanted.items()}
    for prefix in query.prefixes:
        share = len(query.prefixes)
        most = _candidates(reader, delta, prefix, MAX_SCANNED // share)[: MAX_CANDIDATES // share]
        expansions: list[TermPostings] = []
        for count, term in most:
            if len(expansions) == MAX_EXPANSIONS and count < expansions[-1].containing:
                break  # nor can those after it be in more documents
            insort(
                expansions, found.get(term) or _postings(reader, term, 1, allow, delta), key=_most_frequent
            )
            del expansions[MAX_EXPANSIONS:]
        found.update((each.term, each) for each in expansions)
    chosen = [each for each in found.values() if each.containing or each.term in query.required]
    if len(chosen) > MAX_TERMS:
        chosen.sort(key=lambda each: (each.term not in query.required, each.containing, each.term))
        del chosen[max(MAX_TERMS, len(query.required)) :]
    chosen.sort(key=lambda each: -each.containing)
    return chosen


def _candidates(reader: IndexReader, delta: Delta | None, prefix: str, limit: int) -> list[tuple[int, str]]:
    """The terms with a prefix, each with how many documents may hold it at most; the most frequent first."""
    counts = reader.frequencies(TEXT, prefix, limit)
    for term, count in delta.frequencies(prefix) if delta is not None else ():
        counts[term] = counts.get(term, 0) + count
    return sorted(((count, term) for term, count in counts.items()), key=lambda each: (-each[0], each[1]))


def _most_frequent(each: TermPostings) -> tuple[int, str]:
    return -each.containing, each.term


def _postings(
    reader: IndexReader, term: str, times: int, allow: DocSet | None, delta: Delta | None
) -> TermPostings:
    lists: list[tuple[Numbers, Numbers]] = []
    for base, postings in _all_postings(reader, term, delta):
        documents: Numbers = postings[0]
        impacts: Numbers = postings[1]
        if base:
            documents = [number + base for number in documents]
        if allow is not None and not allow.is_complete:
            inside = bytes(map(allow.bits.__getitem__, documents))
            if 0 in inside:
                documents = list(compress(documents, inside))
                impacts = list(compress(impacts, inside))
        if documents:
            lists.append((documents, impacts))
    return TermPostings(term, times, lists, sum(len(documents) for documents, _ in lists))


def _all_postings(
    reader: IndexReader, term: str, delta: Delta | None
) -> Iterator[tuple[int, tuple[array[int], array[int]]]]:
    for leaf in reader.leaves:
        if postings := leaf.postings(TEXT, term):
            yield leaf.base, postings
    if delta is not None and (postings := delta.postings(term)):
        yield delta.base, postings
