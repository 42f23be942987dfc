"""How good a ranking is: the usual measures, their means and standard errors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import sqrt

DEPTH = 10
"""How many hits are asked for and looked at."""

Measure = Callable[[Sequence[str], Collection[str]], float]
"""From the paths that were found, best first, and those that answer."""


def hit_at(depth: int) -> Measure:
    """1 if an answer is among the first."""
    return lambda found, answers: float(any(path in answers for path in found[:depth]))


def recall_at(depth: int) -> Measure:
    """The share of the answers that are among the first."""
    return lambda found, answers: sum(path in answers for path in found[:depth]) / len(answers)


def reciprocal_rank(found: Sequence[str], answers: Collection[str]) -> float:
    """1 over the rank of the first answer, 0 if there is none."""
    return next((1 / rank for rank, path in enumerate(found, 1) if path in answers), 0.0)


MEASURES: dict[str, Measure] = {
    "hit@1": hit_at(1),
    "hit@5": hit_at(5),
    "hit@10": hit_at(10),
    "R@5": recall_at(5),
    "R@10": recall_at(10),
    "MRR": reciprocal_rank,
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and its standard error."""

    value: float
    error: float


def mean(values: Sequence[float]) -> Mean:
    """The mean of independent values; the error is 0 where one value says nothing of it."""
    count = len(values)
    middle = sum(values) / count
    if count < 2:
        return Mean(middle, 0.0)
    variance = sum((value - middle) ** 2 for value in values) / (count - 1)
    return Mean(middle, sqrt(variance / count))
