"""Whether two configurations differ on the same questions: a sign-flip permutation test on the differences.

Under the hypothesis that they do not, each difference is as likely as its negative (Fisher's randomisation
test; Smucker, Allan and Carterette, CIKM 2007, find it the one to use for comparing retrieval systems).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bench.retrieval.measures import Mean, mean

FLIPS = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean difference, and how likely one at least as large is by chance (two-sided)."""

    difference: Mean
    p: float


def compare(before: Sequence[float], after: Sequence[float]) -> Comparison:
    """What `after` is better by, over the same questions in the same order."""
    differences = [b - a for a, b in zip(before, after, strict=True)]
    return Comparison(mean(differences), _p_value([each for each in differences if each]))


def _p_value(differences: Sequence[float]) -> float:
    """Equal values stay out of it: flipping a zero changes nothing. The observed signs count as one flip."""
    if not differences:
        return 1.0
    rand = random.Random(0)
    observed = abs(sum(differences)) - 1e-9
    as_large = 1
    for _ in range(FLIPS):
        signs = rand.getrandbits(len(differences))
        total = sum(each if signs >> bit & 1 else -each for bit, each in enumerate(differences))
        as_large += abs(total) >= observed
    return as_large / (FLIPS + 1)
