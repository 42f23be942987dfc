"""Text search over a snapshot: rank, check what only the files can tell, show a passage of each hit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.search.answer import Hit, QueryAnswer
from memory_mcp.search.index.page_source import read_text
from memory_mcp.search.index.page_terms import FLAG, PINNED, StoredPage
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.scorer import Ranking, search
from memory_mcp.search.text.passage import passage_score, query_pairs
from memory_mcp.search.text.query_text import QueryTerms, contains_phrase, parse_query
from memory_mcp.search.text.snippet import snippet
from memory_mcp.search.text.stop_words import AddedStopWords

MAX_PINS = 10
RESCORED = 15
"""Pages whose best passage is looked up; more cost time and change no rank worth it."""

_SPARE = 10
"""Ranked beyond the limit at first, in place of hits that turn out to be expired."""
_MAX_PHRASE_SECONDS = 1.0


class TextSearch:
    """One query. Files are read once, for phrases and passages alike."""

    def __init__(
        self, wiki: Path, pages: Snapshot, text: str, now: float, stop_words: AddedStopWords
    ) -> None:
        self._wiki = wiki
        self._pages = pages
        self._query: QueryTerms = parse_query(text, stop_words)
        self._now = now
        self._texts: dict[str, str | None] = {}
        self._notes = list(pages.notes)
        self._weights: dict[str, float] = {}

    def answer(self, limit: int, *, include_expired: bool, pin_first: bool) -> QueryAnswer:
        """The best `limit` pages; pinned ones before the others, at most ten, if asked."""
        found = self._reranked(list(self._ranked(max(limit, RESCORED), include_expired)))[:limit]
        pins: list[StoredPage] = []
        if pin_first:
            pins = self._pinned(include_expired)[: min(limit, MAX_PINS)]
        first = {page.path for page in pins}
        scores = {page.path: score for score, page in found}
        hits = [self._hit(page, scores.get(page.path, 0.0), pinned=True) for page in pins]
        hits += [self._hit(page, score) for score, page in found if page.path not in first]
        return QueryAnswer(tuple(hits[:limit]), self._pages.behind, tuple(self._notes))

    def _ranked(self, limit: int, include_expired: bool) -> Iterator[tuple[float, StoredPage]]:
        """The best pages that exist, are not expired, and hold the phrases."""
        if self._query.is_empty():
            self._notes.append("The query holds no words to search for.")
            return
        deadline = time.monotonic() + _MAX_PHRASE_SECONDS
        done = 0
        for ranking in self._rankings(limit):
            for scored in ranking.hits[done:]:
                page = scored.page
                if self._query.phrases and time.monotonic() > deadline:
                    self._notes.append(f"Only the best {done:,} pages were checked for the quoted words.")
                    return
                done += 1
                if self._is_answer(page, include_expired):
                    yield scored.score, page
                    limit -= 1
                    if limit == 0:
                        return

    def _reranked(self, found: list[tuple[float, StoredPage]]) -> list[tuple[float, StoredPage]]:
        """The first pages in the order of page and best passage together, each half of the score.

        Both scores are taken relative to the best one of the query, so that neither outweighs the other.
        """
        pairs = query_pairs(list(self._query.terms), self._weights)
        passages = []
        for _, page in found[:RESCORED]:
            text = self._read(page)
            text = page.descriptor if text is None else f"{page.title}\n{text}"
            passages.append(passage_score(text, self._weights, pairs))
        passages += [0.0] * (len(found) - len(passages))
        most_page = max((score for score, _ in found), default=0.0) or 1.0
        most_passage = max(passages, default=0.0) or 1.0
        mixed = [
            (0.5 * score / most_page + 0.5 * passage / most_passage, page)
            for (score, page), passage in zip(found, passages, strict=True)
        ]
        return sorted(mixed, key=lambda item: (-item[0], item[1].path))

    def _rankings(self, limit: int) -> Iterator[Ranking]:
        """Ever longer rankings, until one holds everything that matches."""
        allow = self._pages.doc_set()
        size = limit + _SPARE
        while True:
            ranking = search(self._pages.reader, self._query, allow, self._pages.delta, size)
            self._weights = ranking.idf
            yield ranking
            if len(ranking.hits) < size:
                return
            size *= 4

    def _is_answer(self, page: StoredPage, include_expired: bool) -> bool:
        if not self._pages.holds(page.path) or (self._is_expired(page) and not include_expired):
            return False
        if not self._query.phrases:
            return True
        text = self._read(page)
        text = f"{page.title}\n{page.descriptor if text is None else text}"
        return all(contains_phrase(text, phrase) for phrase in self._query.phrases)

    def _pinned(self, include_expired: bool) -> list[StoredPage]:
        asked = set(self._pages.scopes)
        pages = [page for page in self._pages.holding(FLAG, PINNED) if page.scope in asked]
        return sorted(page for page in pages if include_expired or not self._is_expired(page))

    def _is_expired(self, page: StoredPage) -> bool:
        return page.expires_at is not None and page.expires_at <= self._now

    def _hit(self, page: StoredPage, score: float, *, pinned: bool = False) -> Hit:
        text = self._read(page)
        return Hit(
            scope=page.scope,
            path=page.page_path,
            title=page.title,
            kind=page.kind,
            snippet=page.descriptor if text is None else snippet(_without_title(page, text), self._weights),
            score=score,
            pinned=pinned,
            expired=self._is_expired(page),
            file_missing=text is None,
        )

    def _read(self, page: StoredPage) -> str | None:
        if page.path not in self._texts:
            self._texts[page.path] = read_text(self._wiki, page)
        return self._texts[page.path]


def _without_title(page: StoredPage, text: str) -> str:
    """The text of a page without a heading at its start that says what the title says."""
    text = text.lstrip()
    heading, _, rest = text.partition("\n")
    repeats = heading.startswith("# ") and heading[2:].strip() == page.title
    return rest if repeats and rest.strip() else text
