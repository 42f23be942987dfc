"""What the product knows of each prompt before it decides, and whether its best page is the right one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.recall.prompts import later_prompts, ordinary_prompts
from bench.retrieval.evaluation_set import EvaluationSet, Question, Space
from bench.retrieval.product import WORKSPACE, Product, groups, opened
from memory_mcp.model.scope import Scope
from memory_mcp.prompt_recall.confidence import RUNNERS_UP, Evidence
from memory_mcp.prompt_recall.prompt_recall import evidence_of
from memory_mcp.prompt_recall.prompt_words import prompt_words
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.page_ranking import PageRanking, RankedPages
from memory_mcp.search.rank.weights import Weights

QUESTION, ORDINARY, LATER = "question", "ordinary", "later"


@dataclass(frozen=True, slots=True)
class Row:
    """One prompt to one wiki. `evidence` is None where no page answers; `is_right` is of the best page.

    `kind` is one of the three above; nothing is learned from those of `LATER`.
    """

    set_name: str
    space: str
    kind: str
    evidence: Evidence | None
    is_right: bool


def rows_of(given: EvaluationSet) -> Iterator[Row]:
    """The questions of a set and the ordinary prompts, each put to the wiki of every space."""
    ordinary = [(ORDINARY, text) for text in ordinary_prompts()]
    ordinary += [(LATER, text) for text in later_prompts()]
    for group in groups(given.spaces):
        with (
            tempfile.TemporaryDirectory(prefix="memory-mcp-recall-") as folder,
            opened(Path(folder) / "data", group, Weights(), vectors=False) as product,
        ):
            for space in group:
                yield from _rows_of_space(given.name, product, space, ordinary)


def _rows_of_space(
    name: str, product: Product, space: Space, ordinary: Sequence[tuple[str, str]]
) -> Iterator[Row]:
    asked_at = space.questions[0].asked_at
    asked = [(QUESTION, question) for question in space.questions]
    asked += [(kind, Question(text, frozenset(), asked_at=asked_at)) for kind, text in ordinary]
    for kind, question in asked:
        ranked = _ranked(product, space, question)
        best = ranked.candidates[0].page.page_path if ranked.candidates else ""
        evidence = evidence_of(ranked.candidates, ranked.asked) if ranked.candidates else None
        yield Row(name, space.name, kind, evidence, best in question.answers)


def _ranked(product: Product, space: Space, question: Question) -> RankedPages:
    def rank(pages: Snapshot) -> RankedPages:
        words = prompt_words(question.text)
        ranking = PageRanking(pages, words, question.asked_at, Weights(), False, linked=pages)
        return ranking.rank(RUNNERS_UP + 1)

    return product.app.index.ask(rank, (Scope(WORKSPACE, space.name),))
