"""The answer to a query: the ranked pages, each with the passage that answers, pinned ones first if asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.search.answer import Hit, QueryAnswer
from memory_mcp.search.explain import HitDetails, explain_hits, explain_query
from memory_mcp.search.index.page_terms import FLAG, PINNED, StoredPage
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.page_ranking import Candidate, PageRanking, RankedPages
from memory_mcp.search.text.passage import without_title
from memory_mcp.search.text.snippet import snippet

if TYPE_CHECKING:
    from memory_mcp.search.history.past_pages import PastPages

MAX_PINS = 10


def answer_query(
    ranking: PageRanking,
    pages: Snapshot | PastPages,
    limit: int,
    *,
    pin_first: bool,
    explain_from: Path | None,
) -> QueryAnswer:
    """The best `limit` pages; those pinned before the others, at most ten, if asked.

    `explain_from` asks for explanations; it is the wiki with the evidence.
    """
    ranked = ranking.rank(limit)
    found = {candidate.page.path: candidate for candidate in ranked.candidates}
    pins: dict[str, Candidate] = {}
    if pin_first:
        for page in _pinned(ranking, pages)[: min(limit, MAX_PINS)]:
            pins[page.path] = found.get(page.path) or ranking.candidate(page)
    ordered = [*pins.values(), *(each for path, each in found.items() if path not in pins)][:limit]
    details: Iterable[HitDetails | None] = repeat(None)
    if explain_from is not None:
        details = explain_hits(explain_from, ranking.pages, ordered)
    return QueryAnswer(
        hits=tuple(
            _hit(ranking, ranked, candidate, detail, pinned=candidate.page.path in pins)
            for candidate, detail in zip(ordered, details, strict=False)
        ),
        behind=pages.behind,
        notes=(*pages.notes, *ranked.notes),
        streams=ranked.streams,
        explanation=explain_query(ranked, ranking.weights) if explain_from else None,
    )


def _pinned(ranking: PageRanking, pages: Snapshot | PastPages) -> Sequence[StoredPage]:
    asked = set(pages.scopes)
    return sorted(
        page
        for page in pages.holding(FLAG, PINNED)
        if page.scope in asked and (ranking.include_expired or not ranking.is_expired(page))
    )


def _hit(
    ranking: PageRanking,
    ranked: RankedPages,
    candidate: Candidate,
    details: HitDetails | None,
    *,
    pinned: bool,
) -> Hit:
    page = candidate.page
    text = ranking.text(candidate)
    scope, path = ranking.pages.place(page)
    return Hit(
        scope=scope,
        path=path,
        title=page.title,
        kind=page.kind,
        snippet=page.descriptor if text is None else _snippet(candidate, text, ranked.terms),
        score=candidate.score,
        pinned=pinned,
        expired=ranking.is_expired(page),
        file_missing=text is None,
        superseded=ranking.pages.is_superseded(page),
        window=ranking.pages.window(page),
        details=details,
    )


def _snippet(candidate: Candidate, text: str, terms: dict[str, float]) -> str:
    """What to show of the best passage, else of the whole text."""
    passage = candidate.passage
    if passage is not None and passage.score and passage.text:
        return snippet(passage.text, terms, begins=passage.begins, ends=passage.ends)
    return snippet(without_title(candidate.page.title, text), terms)
