"""What the product knows of each prompt before it decides, and whether its best page is the right one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.recall.prompts import ordinary_prompts
from bench.retrieval.evaluation_set import EvaluationSet, Question, Space
from bench.retrieval.product import WORKSPACE, Product, groups, opened
from memory_mcp.model.scope import Scope
from memory_mcp.prompt_recall.confidence import RUNNERS_UP, Evidence
from memory_mcp.prompt_recall.prompt_recall import evidence_of
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.page_ranking import PageRanking, RankedPages
from memory_mcp.search.rank.weights import Weights


@dataclass(frozen=True, slots=True)
class Row:
    """One prompt to one wiki. `evidence` is None where no page answers; `is_right` is of the best page."""

    set_name: str
    space: str
    is_question: bool
    evidence: Evidence | None
    is_right: bool


def rows_of(given: EvaluationSet) -> Iterator[Row]:
    """The questions of a set and the ordinary prompts, each put to the wiki of every space."""
    ordinary = ordinary_prompts()
    for group in groups(given.spaces):
        with (
            tempfile.TemporaryDirectory(prefix="memory-mcp-recall-") as folder,
            opened(Path(folder) / "data", group, Weights(), vectors=False) as product,
        ):
            for space in group:
                yield from _rows_of_space(given.name, product, space, ordinary)


def _rows_of_space(name: str, product: Product, space: Space, ordinary: Sequence[str]) -> Iterator[Row]:
    for question in space.questions:
        ranked = _ranked(product, space, question)
        best = ranked.candidates[0].page.page_path if ranked.candidates else ""
        evidence = evidence_of(ranked) if ranked.candidates else None
        yield Row(name, space.name, True, evidence, best in question.answers)
    asked_at = space.questions[0].asked_at
    for text in ordinary:
        ranked = _ranked(product, space, Question(text, frozenset(), asked_at=asked_at))
        evidence = evidence_of(ranked) if ranked.candidates else None
        yield Row(name, space.name, False, evidence, False)


def _ranked(product: Product, space: Space, question: Question) -> RankedPages:
    def rank(pages: Snapshot) -> RankedPages:
        ranking = PageRanking(pages, question.text, question.asked_at, Weights(), False, linked=pages)
        return ranking.rank(RUNNERS_UP + 1)

    return product.app.index.ask(rank, (Scope(WORKSPACE, space.name),))
