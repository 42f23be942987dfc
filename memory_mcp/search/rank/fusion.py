"""One score from the signals of a page.

Convex on normalised scores with the full text in the lead, and small boosts on top: adding reciprocal ranks
instead would throw away how much better the best page matches than the second (`docs/retrieval.md`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from memory_mcp.search.rank.weights import Weights

DIGITS = 6
"""Signals are rounded to so many decimals before they are added, so that what `explain` shows is exact."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the streams say of one page. `cosine` is None for a page that has no vector (yet)."""

    bm25: float = 0.0
    passage: float = 0.0
    cosine: float | None = None
    entity: float = 0.0
    link: float = 0.0
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class Scale:
    """What the signals of a query are measured by: the greatest of each, and the least cosine."""

    bm25: float
    passage: float
    entity: float
    least_cosine: float
    most_cosine: float


def scale_of(signals: Collection[Signals]) -> Scale:
    """The scale of a query with these pages."""
    cosines = [each.cosine for each in signals if each.cosine is not None]
    return Scale(
        bm25=max((each.bm25 for each in signals), default=0.0),
        passage=max((each.passage for each in signals), default=0.0),
        entity=max((each.entity for each in signals), default=0.0),
        least_cosine=min(cosines, default=0.0),
        most_cosine=max(cosines, default=0.0),
    )


def relevance(signals: Signals, scale: Scale, weights: Weights) -> float:
    """How well a page answers, before its authority; the formula of `Weights`.

    While no page has a passage score, BM25 stands in for it. A page without a vector counts as similar as
    its text is, so that a new page is at no disadvantage.
    """
    bm25 = _part(signals.bm25, scale.bm25)
    passage = _part(signals.passage, scale.passage) if scale.passage else bm25
    text = weights.page * bm25 + weights.passage * passage
    if signals.cosine is not None:
        spread = scale.most_cosine - scale.least_cosine
        cosine = (signals.cosine - scale.least_cosine) / spread if spread else 1.0
        text = (1 - weights.vector) * text + weights.vector * cosine
    entity = weights.entity * _part(signals.entity, scale.entity)
    return text + entity + weights.link * signals.link + weights.time * signals.time


def score(signals: Signals, scale: Scale, weights: Weights, authority: float) -> float:
    """The score that pages are ordered by; a higher one is better."""
    return round(relevance(signals, scale, weights) * authority, DIGITS)


def _part(value: float, most: float) -> float:
    return value / most if most else 0.0
