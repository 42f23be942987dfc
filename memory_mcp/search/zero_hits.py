"""What to try when no page answers: expired pages, the words without their quotes, other projects.

Each is tried for real, with the text alone. Counts are of the best 50 pages: they tell whether it is worth a
try, not how much there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_mcp.model.scope import GLOBAL, Scope
from memory_mcp.search.answer import ZeroHits
from memory_mcp.search.index.page_terms import SCOPE, StoredPage
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import (
    QueryTerms,
    holds_phrases,
    parse_query,
    query_words,
    without_quotes,
)
from memory_mcp.search.text.stop_words import AddedStopWords

MAX_SCOPES = 5
MAX_COUNT = 50
_MAX_TRIED = 10
"""Scopes that hold the words may yet lack the phrase, or hold expired pages alone."""


class ZeroHitsSearch:
    """The ways out for one question at one moment. `pages` are all that the answer may tell of."""

    def __init__(self, pages: Snapshot, question: str, now: float, stop_words: AddedStopWords) -> None:
        self._pages = pages
        self._question = question
        self._now = now
        self._stop_words = stop_words
        self._query = parse_query(question, stop_words)

    def suggest(self, asked: Sequence[Scope], known: Sequence[Scope], *, include_expired: bool) -> ZeroHits:
        """What to try in place of a query of the scopes `asked`; of the scopes `known` nothing is told."""
        words = query_words(self._question, self._stop_words)
        if self._query.is_empty():
            return ZeroHits(words)
        plain = self._query
        if self._query.phrases:
            plain = parse_query(without_quotes(self._question), self._stop_words)
        return ZeroHits(
            words=words,
            expired=0 if include_expired else len(self._matches(asked, self._query, expired=True)),
            unquoted=len(self._matches(asked, plain)) if self._query.phrases else 0,
            elsewhere=self._elsewhere({scope.workspace for scope in asked}, {*asked, *known}),
        )

    def _elsewhere(self, workspaces: set[str], known: set[Scope]) -> tuple[tuple[Scope, int], ...]:
        """At most five other scopes with pages that match: of these workspaces, others, `_global`."""

        def nearness(holder: tuple[Scope, int]) -> tuple[bool, bool, int, Scope]:
            scope, holding = holder
            return scope == GLOBAL, scope.workspace not in workspaces, -holding, scope

        nearest = sorted(self._holders(known), key=nearness)[:_MAX_TRIED]
        counts = ((scope, len(self._matches((scope,), self._query))) for scope, _ in nearest)
        return tuple(each for each in counts if each[1])[:MAX_SCOPES]

    def _holders(self, known: set[Scope]) -> list[tuple[Scope, int]]:
        """The scopes whose pages hold the words, and how many do."""
        pages = self._pages
        scores = search(pages.reader, self._query, pages.doc_set(), pages.delta, 1).scores
        waiting = [page for place, page in pages.delta.numbered() if pages.delta.base + place in scores]
        holders = []
        for scope in set(pages.scopes) - known:
            holding = sum(map(scores.__contains__, pages.reader.documents(SCOPE, str(scope))))
            holding += sum(page.stored.scope == scope for page in waiting)
            if holding:
                holders.append((scope, holding))
        return holders

    def _matches(
        self, scopes: Sequence[Scope], query: QueryTerms, *, expired: bool = False
    ) -> list[StoredPage]:
        """Those of the best 50 pages that match, either expired ones or the others."""
        pages = replace(self._pages, scopes=tuple(scopes))
        ranking = search(pages.reader, query, pages.doc_set(), pages.delta, MAX_COUNT)
        return [
            scored.page
            for scored in ranking.hits
            if expired == scored.page.is_expired(self._now)
            and pages.holds(scored.page.path)
            and _holds_phrases(pages, scored.page, query)
        ]


def _holds_phrases(pages: Snapshot, page: StoredPage, query: QueryTerms) -> bool:
    text = f"{page.title}\n{pages.text(page) or page.descriptor}" if query.phrases else ""
    return holds_phrases(text, query.phrases)
