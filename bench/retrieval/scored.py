"""A run with the value of each question under each measure, by type of question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench.measure import percentile
from bench.retrieval.evaluation_set import EvaluationSet
from bench.retrieval.goals import ALL
from bench.retrieval.measures import MEASURES
from bench.retrieval.product import Run


@dataclass(frozen=True, slots=True)
class Scored:
    """The values of a run by type and measure, and what it cost."""

    values: dict[str, dict[str, list[float]]]
    index_cpu: float
    median_ms: float
    mean_ms: float


def score(given: EvaluationSet, run: Run) -> Scored:
    """Values in the order of the questions; the type `ALL` holds all of them."""
    values: dict[str, dict[str, list[float]]] = {ALL: {name: [] for name in MEASURES}}
    for question, found in zip(given.questions, run.found, strict=True):
        for kind in {ALL, question.type}:
            of_type = values.setdefault(kind, {name: [] for name in MEASURES})
            for name, measure in MEASURES.items():
                of_type[name].append(measure(found, question.answers))
    return Scored(values, run.index_cpu, percentile(run.query_ms, 50), sum(run.query_ms) / len(run.query_ms))


def types(scored: Scored) -> Iterator[str]:
    """The types that are there, without `ALL`."""
    return (name for name in sorted(scored.values) if name != ALL)
