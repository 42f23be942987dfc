"""The pages that answer a question, best first: every stream, then one score.

1. The full text gives the first candidates; names, dates and vectors add theirs, and say something of all.
2. The links of the best so far give more, and lift those that the best agree on.
3. The best of all are read from their files, and ranked by page and best passage together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory_mcp.search.index.page_terms import StoredPage
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.authority import Authority, authority
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.rank.entity_stream import EntityMatch, entity_stream
from memory_mcp.search.rank.fusion import DIGITS, Scale, Signals, relevance, scale_of, score
from memory_mcp.search.rank.link_stream import LinkMatch, link_stream
from memory_mcp.search.rank.scorer import Ranking, search
from memory_mcp.search.rank.time_stream import TimeStream, Written
from memory_mcp.search.rank.weights import Weights
from memory_mcp.search.text.passage import Passage, best_passage, query_pairs
from memory_mcp.search.text.query_text import QueryTerms, holds_phrases, parse_query
from memory_mcp.search.text.stop_words import AddedStopWords

if TYPE_CHECKING:
    from memory_mcp.search.vectors.vector_search import VectorSearch

_SPARE = 10
"""Ranked beyond the window at first, in place of pages that turn out to be expired."""
MAX_PHRASE_PAGES = 500
"""How many pages are checked for quoted words, the best first: 0.1 s, unless the disk is slow."""
_MAX_PHRASE_SECONDS = 1.0


@dataclass(slots=True)
class Candidate:
    """A page and what is known of how well it answers. `score` is final once the ranking is made.

    `number` is its document number, -1 for one that no stream found.
    """

    page: StoredPage
    authority: Authority
    signals: Signals
    entity: EntityMatch | None = None
    link: LinkMatch | None = None
    passage: Passage | None = None
    score: float = 0.0
    number: int = -1


@dataclass(frozen=True, slots=True)
class RankedPages:
    """Candidates, best first, and what they were measured by.

    `streams` are those that had a say, `terms` the words that were found with their idf, `asked` all words
    that were searched.
    """

    candidates: tuple[Candidate, ...]
    scale: Scale
    streams: tuple[str, ...]
    terms: dict[str, float]
    notes: tuple[str, ...]
    asked: frozenset[str] = frozenset()


@dataclass(slots=True)
class PageRanking:
    """One question to some pages. Each text is read once.

    `linked` are the pages whose links are followed, and `vectors` tell which pages are near in meaning, if
    they are given. Pages that expire until `now` are left out unless `include_expired`. `stop_words` are more
    words that the question is searched without. `written` tells which pages were written from one
    moment to before another. `leaves_out` tells which pages are no answer, however well they match.
    """

    pages: Collection
    question: str
    now: datetime
    weights: Weights
    include_expired: bool
    linked: Snapshot | None = None
    stop_words: AddedStopWords = field(default_factory=AddedStopWords)
    vectors: VectorSearch | None = None
    written: Written | None = None
    leaves_out: Callable[[StoredPage], bool] = lambda _: False
    _candidates: dict[str, Candidate] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _terms: dict[str, float] = field(default_factory=dict)
    _scores: dict[int, float] = field(default_factory=dict)
    _times: TimeStream | None = None
    _notes: list[str] = field(default_factory=list)
    _query: QueryTerms = field(init=False)

    def __post_init__(self) -> None:
        self._query = parse_query(self.question, self.stop_words)

    def rank(self, limit: int) -> RankedPages:
        """The `limit` best pages."""
        window = max(limit, self.weights.rescored)
        if self._query.is_empty():
            self._notes.append("The query holds no words to search for.")
        if self.weights.time:
            self._times = TimeStream(self.pages, self.question, self.now, self.written)
        self._add_candidates(window)
        if self._query.phrases and not self._query.only_phrases and not self._candidates:
            self._notes.append("No page holds the quoted words as they stand: they were searched one by one.")
            self._query = replace(self._query, phrases=(), required=frozenset())
            self._add_candidates(window)
        if self.linked is not None and self.weights.link:
            self._add_links(self.linked, window)
            self._add_vectors(0)
        best = self._best(self.weights.rescored)
        self.pages.read_ahead([each.page for each in best])
        pairs = query_pairs(list(self._query.terms), self._terms)
        for candidate in best:
            self._read_passage(candidate, pairs)
        found = self._best(limit)
        self.pages.read_ahead([each.page for each in found])
        asked = frozenset(self._query.terms)
        notes = tuple(self._notes)
        return RankedPages(tuple(found), self._scale(), self._streams(), self._terms, notes, asked)

    def _add_candidates(self, window: int) -> None:
        self._add_text(window)
        self._add_times(window)
        if self.weights.entity:
            self._add_entities(window)
        self._add_vectors(window)

    def text(self, candidate: Candidate) -> str | None:
        """What is searched of a page."""
        page = candidate.page
        if page.path not in self._texts:
            self._texts[page.path] = self.pages.text(page)
        return self._texts[page.path]

    def _known_text(self, candidate: Candidate) -> str:
        """What is searched of a page, else what the index remembers of it."""
        text = self.text(candidate)
        return candidate.page.descriptor if text is None else text

    def candidate(self, page: StoredPage) -> Candidate:
        """A page with nothing known but its authority."""
        path = self.pages.place(page)[1]
        if self.pages.is_superseded(page):  # counts like a page that people have marked so
            page = page._replace(tags=(*page.tags, "superseded"))
        factor = authority(page, path, self.weights.authority)
        return Candidate(page, factor, Signals())

    def is_expired(self, page: StoredPage) -> bool:
        """Whether a page has expired at the moment of the question."""
        return page.is_expired(self.now.timestamp())

    def _add_text(self, window: int) -> None:
        if self._query.is_empty():
            return
        deadline = time.monotonic() + _MAX_PHRASE_SECONDS
        done = 0
        for ranking in self._rankings(window):
            if self._query.phrases:
                self.pages.read_ahead([scored.page for scored in ranking.hits[done:]])
            for scored in ranking.hits[done:]:
                if self._query.phrases and (done == MAX_PHRASE_PAGES or time.monotonic() > deadline):
                    self._notes.append(f"Only the best {done:,} pages were checked for the quoted words.")
                    return
                done += 1
                candidate = self._accept(scored.number, scored.page)
                if candidate is not None:
                    window -= 1
                    if window == 0:
                        return

    def _rankings(self, window: int) -> Iterator[Ranking]:
        """Ever longer rankings, until one holds everything that matches."""
        pages = self.pages
        allow = pages.doc_set()
        size = window + _SPARE
        while True:
            ranking = search(pages.reader, self._query, allow, pages.delta, size)
            self._terms, self._scores = ranking.idf, ranking.scores
            yield ranking
            if len(ranking.hits) < size:
                return
            size *= 4

    def _add_entities(self, window: int) -> None:
        for number, page, match in entity_stream(self.pages, self.question, window):
            candidate = self._accept(number, page)
            if candidate is not None:
                candidate.entity = match
                candidate.signals = replace(candidate.signals, entity=match.weight)

    def _add_times(self, window: int) -> None:
        """Add the pages of the asked days when the question names nothing else."""
        if self._times and self._times.is_all:
            for number in self._times.numbers(window):
                self._accept(number, self.pages.page(number))

    def _add_vectors(self, window: int) -> None:
        """Add the nearest pages, and say how near all candidates are."""
        if self.vectors is None or not self.weights.vector or self._query.is_empty():
            return
        known = [each.number for each in self._candidates.values()]
        for number, cosine in self.vectors.cosines(self.question, self.pages, known, window).items():
            candidate = self._accept(number, self.pages.page(number))
            if candidate is not None:
                candidate.signals = replace(candidate.signals, cosine=cosine)

    def _add_links(self, pages: Snapshot, window: int) -> None:
        """Follow the links of the best candidates; each hands on its relevance relative to the best.

        They lift other candidates, and add the heaviest of the pages that are none yet.
        """
        best = self._best(self.weights.seeds)
        scale = self._scale()
        strengths = [relevance(each.signals, scale, self.weights) for each in best]
        most = max(strengths, default=0.0) or 1.0
        seeds = [
            (strength / most, each.page)
            for strength, each in zip(strengths, best, strict=True)
            if pages.holds(each.page.path)
        ]
        matches = link_stream(pages, seeds, dict(self.weights.relations))
        for path, match in sorted(matches.items(), key=lambda item: (-item[1].weight, item[0])):
            candidate = self._candidates.get(path)
            if candidate is None and window > 0:
                window -= 1
                number = self.pages.number(path)
                candidate = None if number is None else self._accept(number, self.pages.page(number))
            if candidate is not None:
                candidate.link = match
                candidate.signals = replace(candidate.signals, link=match.weight)

    def _accept(self, number: int, page: StoredPage) -> Candidate | None:
        """The candidate for a page; None when it is left out, gone, expired or lacks a quoted phrase."""
        known = self._candidates.get(page.path)
        if known is not None:
            return known
        if not self.pages.holds(page.path) or (self.is_expired(page) and not self.include_expired):
            return None
        if self.leaves_out(page):
            return None
        candidate = self.candidate(page)
        if self._query.phrases:
            text = f"{page.title}\n{self._known_text(candidate)}"
            if not holds_phrases(text, self._query.phrases):
                return None
        candidate.number = number
        bm25 = round(self._scores.get(number, 0.0), DIGITS)
        days = self._times.score(number, page.path) if self._times else 0.0
        candidate.signals = Signals(bm25=bm25, time=days)
        self._candidates[page.path] = candidate
        return candidate

    def _read_passage(self, candidate: Candidate, pairs: Mapping[tuple[str, str], float]) -> None:
        passage = best_passage(candidate.page.title, self._known_text(candidate), self._terms, pairs)
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
        weights = self.weights
        active = {
            "text": True,
            "entity": weights.entity,
            "vector": weights.vector and self.vectors is not None,
            "link": weights.link and self.linked is not None,
            "time": self._times,
        }
        return tuple(name for name, is_active in active.items() if is_active)
