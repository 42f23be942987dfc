"""The ranking formula: BM25 with Lucene's inverse document frequency.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); the idf that
never falls below zero is Lucene's `BM25Similarity`. K1 and B were chosen on development sets of
conversations, code and documentation pages.
"""

from __future__ import annotations

from math import log

K1 = 2.0
B = 0.75


def idf(documents: int, containing: int) -> float:
    """Inverse document frequency of a term that `containing` of `documents` documents hold."""
    return log(1 + (documents - containing + 0.5) / (containing + 0.5))


def saturation(weight: int, length: int, average_length: float) -> float:
    """What one term frequency counts in a document of that length; at most K1 + 1."""
    return weight * (K1 + 1) / (weight + K1 * ((1 - B) + B * length / average_length))
