"""Whether the best page for a prompt is worth showing.

A logistic model over four facts that mean the same in a wiki of ten pages and of ten thousand. Learned on
questions about conversations, code, documentation and abstracts, each with the pages that answer it, and on
two hundred prompts that have nothing to remember; `python -m bench.recall DATA` prints what it gives there,
also with each set of questions left out of the learning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEAST_MATCHED = 3
"""So many words of the prompt must stand in the passage or its title: two are chance."""
MAX_MATCHED = 10
MAX_ASKED = 30
RUNNERS_UP = 4

WEIGHTS = (2.28, 1.9, 0.794, -0.223)
"""Of the facts, in their order."""
CONSTANT = -3.2
THRESHOLD = 0.1


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the best page.

    `scores` are those of the best pages, highest first. `asked` is how many words of the prompt were
    searched, `matched` how many of them the best page's passage or title holds.
    """

    scores: Sequence[float]
    asked: int
    matched: int


def facts_of(evidence: Evidence) -> tuple[float, float, float, float]:
    """How far the best page is before the second and the fifth; how many words were matched, and asked."""
    best, *others = (*evidence.scores, *[0.0] * (RUNNERS_UP + 1))
    if best <= 0:
        return 0.0, 0.0, 0.0, 0.0
    return (
        (best - others[0]) / best,
        (best - others[RUNNERS_UP - 1]) / best,
        float(min(evidence.matched, MAX_MATCHED)),
        float(min(evidence.asked, MAX_ASKED)),
    )


def confidence(evidence: Evidence) -> float:
    """The log-odds that the best page is the right one."""
    return sum(weight * fact for weight, fact in zip(WEIGHTS, facts_of(evidence), strict=True)) + CONSTANT


def is_worth_showing(evidence: Evidence) -> bool:
    """Whether the best page should be shown unasked."""
    return evidence.matched >= LEAST_MATCHED and confidence(evidence) >= THRESHOLD
