"""What sessions captured about a question that no page answers."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import RawHit
from memory_mcp.search.observation_read import Observation, ObservationReader
from memory_mcp.search.rank.bm25 import idf, saturation
from memory_mcp.search.text.query_text import QueryTerms, holds_phrases, parse_query
from memory_mcp.search.text.snippet import snippet
from memory_mcp.search.text.stop_words import AddedStopWords
from memory_mcp.search.text.tokenizer import terms

TITLE_WEIGHT = 2
MAX_BODY_CHARS = 20_000
"""What is searched of one observation; a longer one is the output of a tool."""


class RawSearch:
    """Ranks observations with BM25 among themselves, in memory: they are in no index."""

    def __init__(self, raw: Path, stop_words: Sequence[str] = ()) -> None:
        self._reader = ObservationReader(raw)
        self._stop_words = AddedStopWords(stop_words)

    def search(self, text: str, scopes: Sequence[Scope], limit: int) -> tuple[RawHit, ...]:
        """The observations of the newest sessions of these scopes that answer `text` best, best first.

        Equal ones stand newest first.
        """
        query = parse_query(text, self._stop_words)
        if query.is_empty():
            return ()
        bags: list[tuple[Observation, Counter[str], int]] = []
        count = total = 0
        holders: Counter[str] = Counter()
        for observation in self._reader.newest(scopes):
            bag = terms("\n".join([*[observation.title] * TITLE_WEIGHT, observation.body[:MAX_BODY_CHARS]]))
            length = sum(bag.values())
            count += 1
            total += length
            found = Counter({term: bag[term] for term in _matching(query, bag)})
            holders.update(found.keys())
            if found and _holds_phrases(query, observation):
                bags.append((observation, found, length))
        weights = {term: idf(count, containing) for term, containing in holders.items()}
        average = total / count if total else 1.0
        scored = [
            (_score(query, found, length, weights, average), observation)
            for observation, found, length in bags
        ]
        best = heapq.nlargest(limit, scored, key=lambda each: (each[0], each[1].at, each[1].id))
        return tuple(_hit(observation, weights) for _, observation in best)


def _matching(query: QueryTerms, bag: Counter[str]) -> list[str]:
    found = [term for term in query.terms if term in bag]
    if query.prefixes:
        found += [term for term in bag if term not in query.terms and term.startswith(query.prefixes)]
    return found


def _holds_phrases(query: QueryTerms, observation: Observation) -> bool:
    text = f"{observation.title}\n{observation.body[:MAX_BODY_CHARS]}" if query.phrases else ""
    return holds_phrases(text, query.phrases)


def _score(
    query: QueryTerms, found: Counter[str], length: int, weights: dict[str, float], average: float
) -> float:
    return sum(
        weights[term] * query.terms.get(term, 1) * saturation(weight, length, average)
        for term, weight in found.items()
    )


def _hit(observation: Observation, weights: dict[str, float]) -> RawHit:
    return RawHit(
        scope=observation.scope,
        id=observation.id,
        session_id=observation.session_id,
        kind=observation.kind,
        title=observation.title,
        snippet=snippet(observation.body[:MAX_BODY_CHARS], weights),
        created_at=observation.at,
    )
