"""Learning the weights of `prompt_recall.confidence`: logistic regression by Newton's method."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bench.recall.evidence_rows import LATER, QUESTION, Row
from memory_mcp.prompt_recall.confidence import facts_of

ROUNDS = 25
RIDGE = 1e-3
ORDINARY_MASS = 4.0
"""How much all ordinary prompts of a set weigh; questions weigh as the root of their number."""


def learn(rows: Sequence[Row]) -> list[float]:
    """The weights of the facts, and the constant at the end."""
    rows = [row for row in rows if row.kind != LATER]
    counts = Counter((row.set_name, row.kind) for row in rows if row.evidence)
    examples = []
    for row in rows:
        if row.evidence is None:
            continue
        count = counts[row.set_name, row.kind]
        weight = count**-0.5 if row.kind == QUESTION else ORDINARY_MASS / count
        examples.append(([*facts_of(row.evidence), 1.0], float(row.is_right), weight))
    scale = len(examples) / sum(weight for _, _, weight in examples)
    size = len(examples[0][0])
    found = [0.0] * size
    for _ in range(ROUNDS):
        slope = [0.0] * size
        curve = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for facts, wanted, weight in examples:
            guess = 1 / (1 + math.exp(-sum(w * x for w, x in zip(found, facts, strict=True))))
            for i in range(size):
                slope[i] += scale * weight * (guess - wanted) * facts[i]
                for j in range(size):
                    curve[i][j] += scale * weight * guess * (1 - guess) * facts[i] * facts[j]
        found = [w - step for w, step in zip(found, _solve(curve, slope), strict=True)]
    return found


def _solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gaussian elimination with partial pivoting."""
    size = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            rows[below] = [b - factor * a for a, b in zip(rows[at], rows[below], strict=True)]
    solved = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][right] * solved[right] for right in range(at + 1, size))
        solved[at] = (rows[at][size] - known) / rows[at][at]
    return solved
