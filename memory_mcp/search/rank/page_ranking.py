"""The pages that answer a question, best first: every stream, then one score.

1. The full text gives the first candidates; names, dates and vectors add theirs, and say something of all.
2. The links of the best so far give more, and lift those that the best agree on.
3. The best of all are read from their files, and ranked by page and best passage together.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory_mcp.search.index.page_terms import StoredPage
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.authority import Authority, authority
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.rank.entity_stream import EntityMatch, entity_stream
from memory_mcp.search.rank.fusion import DIGITS, Scale, Signals, relevance, scale_of, score
from memory_mcp.search.rank.link_stream import LinkMatch, link_stream
from memory_mcp.search.rank.scorer import Ranking, search
from memory_mcp.search.rank.session_recall import recalls_session
from memory_mcp.search.rank.weights import Weights
from memory_mcp.search.text.passage import Passage, best_passage, query_pairs
from memory_mcp.search.text.query_text import QueryTerms, contains_phrase, parse_query
from memory_mcp.search.text.stop_words import AddedStopWords

_SPARE = 10
"""Ranked beyond the window at first, in place of pages that turn out to be expired."""
_MAX_PHRASE_SECONDS = 1.0


@dataclass(slots=True)
class Candidate:
    """A page and what is known of how well it answers. `score` is final once the ranking is made."""

    collection: Collection
    page: StoredPage
    authority: Authority
    signals: Signals
    entity: EntityMatch | None = None
    link: LinkMatch | None = None
    passage: Passage | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class RankedPages:
    """Candidates, best first, and what they were measured by.

    `streams` are those that had a say, `terms` the words that were searched with their idf.
    """

    candidates: tuple[Candidate, ...]
    scale: Scale
    streams: tuple[str, ...]
    terms: dict[str, float]
    notes: tuple[str, ...]


@dataclass(slots=True)
class PageRanking:
    """One question to one or more collections. Each text is read once.

    `linked` are the pages whose links are followed, if any. Pages that expire until `now` are left out unless
    `include_expired`. `stop_words` are more words that the question is searched without.
    """

    collections: Sequence[Collection]
    question: str
    now: datetime
    weights: Weights
    include_expired: bool
    linked: Snapshot | None = None
    stop_words: AddedStopWords = field(default_factory=AddedStopWords)
    _candidates: dict[str, Candidate] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _terms: dict[str, float] = field(default_factory=dict)
    _scores: dict[int, dict[int, float]] = field(default_factory=dict)
    _notes: list[str] = field(default_factory=list)
    _query: QueryTerms = field(init=False)
    _recall: float = field(init=False)

    def __post_init__(self) -> None:
        self._query = parse_query(self.question, self.stop_words)
        self._recall = self.weights.session_recall if recalls_session(self.question) else 0.0

    def rank(self, limit: int) -> RankedPages:
        """The `limit` best pages."""
        window = max(limit, self.weights.rescored)
        if self._query.is_empty():
            self._notes.append("The query holds no words to search for.")
        for collection in self.collections:
            self._add_text(collection, window)
            self._add_entities(collection, window)
        if self.linked is not None:
            self._add_links(self.linked)
        best = self._best(self.weights.rescored)
        self._read_ahead(best)
        for candidate in best:
            self._read_passage(candidate)
        found = self._best(limit)
        self._read_ahead(found)
        return RankedPages(tuple(found), self._scale(), self._streams(), self._terms, tuple(self._notes))

    def text(self, candidate: Candidate) -> str | None:
        """What is searched of a page."""
        page = candidate.page
        if page.path not in self._texts:
            self._texts[page.path] = candidate.collection.text(page)
        return self._texts[page.path]

    def candidate(self, collection: Collection, page: StoredPage) -> Candidate:
        """A page with nothing known but its authority."""
        path = collection.place(page)[1]
        factor = authority(page, path, self.weights.authority, self._recall)
        return Candidate(collection, page, factor, Signals())

    def is_expired(self, page: StoredPage) -> bool:
        """Whether a page has expired at the moment of the question."""
        return page.expires_at is not None and page.expires_at <= self.now.timestamp()

    def _add_text(self, collection: Collection, window: int) -> None:
        if self._query.is_empty():
            return
        deadline = time.monotonic() + _MAX_PHRASE_SECONDS
        done = 0
        for ranking in self._rankings(collection, window):
            if self._query.phrases:
                collection.read_ahead([scored.page for scored in ranking.hits[done:]])
            for scored in ranking.hits[done:]:
                if self._query.phrases and time.monotonic() > deadline:
                    self._notes.append(f"Only the best {done:,} pages were checked for the quoted words.")
                    return
                done += 1
                candidate = self._accept(collection, scored.number, scored.page)
                if candidate is not None:
                    window -= 1
                    if window == 0:
                        return

    def _rankings(self, collection: Collection, window: int) -> Iterator[Ranking]:
        """Ever longer rankings, until one holds everything that matches."""
        allow = collection.doc_set()
        size = window + _SPARE
        while True:
            ranking = search(collection.reader, self._query, allow, collection.delta, size)
            self._terms = {**ranking.idf, **self._terms}
            self._scores[id(collection)] = ranking.scores
            yield ranking
            if len(ranking.hits) < size:
                return
            size *= 4

    def _add_entities(self, collection: Collection, window: int) -> None:
        for number, page, match in entity_stream(collection, self.question, window):
            candidate = self._accept(collection, number, page)
            if candidate is not None:
                candidate.entity = match
                candidate.signals = replace(candidate.signals, entity=match.weight)

    def _add_links(self, pages: Snapshot) -> None:
        """Follow the links of the best candidates; each hands on its relevance relative to the best."""
        best = self._best(self.weights.seeds)
        scale = self._scale()
        strengths = [relevance(each.signals, scale, self.weights) for each in best]
        most = max(strengths, default=0.0) or 1.0
        seeds = [
            (strength / most, each.page)
            for strength, each in zip(strengths, best, strict=True)
            if pages.holds(each.page.path)
        ]
        for path, match in link_stream(pages, seeds, dict(self.weights.relations)).items():
            candidate = self._accept_linked(path)
            if candidate is not None:
                candidate.link = match
                candidate.signals = replace(candidate.signals, link=match.weight)

    def _accept(self, collection: Collection, number: int, page: StoredPage) -> Candidate | None:
        """The candidate for a page; None when the page is gone, expired or lacks a quoted phrase."""
        known = self._candidates.get(page.path)
        if known is not None:
            return known
        if not collection.holds(page.path) or (self.is_expired(page) and not self.include_expired):
            return None
        candidate = self.candidate(collection, page)
        if self._query.phrases:
            text = self.text(candidate)
            text = f"{page.title}\n{page.descriptor if text is None else text}"
            if not all(contains_phrase(text, phrase) for phrase in self._query.phrases):
                return None
        bm25 = self._scores.get(id(collection), {}).get(number, 0.0)
        candidate.signals = Signals(bm25=round(bm25, DIGITS))
        self._candidates[page.path] = candidate
        return candidate

    def _accept_linked(self, path: str) -> Candidate | None:
        """The candidate for a page that a link leads to."""
        for collection in self.collections:
            if (number := collection.number(path)) is not None:
                return self._accept(collection, number, collection.page(number))
        return None

    def _read_ahead(self, candidates: Sequence[Candidate]) -> None:
        for collection in self.collections:
            collection.read_ahead([each.page for each in candidates if each.collection is collection])

    def _read_passage(self, candidate: Candidate) -> None:
        text = self.text(candidate)
        text = candidate.page.descriptor if text is None else text
        pairs = query_pairs(list(self._query.terms), self._terms)
        passage = best_passage(candidate.page.title, text, self._terms, pairs)
        candidate.passage = passage
        candidate.signals = replace(candidate.signals, passage=round(passage.score, DIGITS))

    def _best(self, limit: int) -> list[Candidate]:
        scale = self._scale()
        for each in self._candidates.values():
            each.score = score(each.signals, scale, self.weights, each.authority.factor)
        ordered = sorted(self._candidates.values(), key=lambda each: (-each.score, each.page.path))
        return ordered[:limit]

    def _scale(self) -> Scale:
        return scale_of([each.signals for each in self._candidates.values()])

    def _streams(self) -> tuple[str, ...]:
        """The streams that could have a say."""
        return ("text", "entity", *(("link",) if self.linked is not None else ()))
