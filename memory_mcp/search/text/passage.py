"""How well the best passage of a page answers a query.

A long page that answers in one paragraph loses against a short one that only names the words. So the best
pages are read at query time, cut into passages, and each is scored by its best one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from memory_mcp.search.text.tokenizer import chunk_terms, find_terms

PASSAGE_WORDS = 80
BIGRAM_WEIGHT = 0.3
"""What two query words count in addition where they stand side by side."""

_K1 = 1.2
_B = 0.5
_READ_CHARS = 300_000


@dataclass(frozen=True, slots=True)
class Passage:
    """The best passage of a page: its score, 0 when it holds no term, and its words without the title.

    `begins` and `ends` say whether the text does so with it.
    """

    score: float
    words: tuple[str, ...]
    begins: bool
    ends: bool


def best_passage(
    title: str, text: str, weights: Mapping[str, float], pairs: Mapping[tuple[str, str], float]
) -> Passage:
    """The passage with the highest BM25 score; the first of equal ones. The title stands before the text.

    `weights` are the query's terms with their idf among the pages, `pairs` the pairs of terms that are
    neighbours in the query with theirs. K1 1.2, B 0.5 and 80 words are those that ranked best on
    development sets of conversations, code and documentation.
    """
    heading = title.split()
    lines = [heading, *(line.split() for line in without_title(title, text[:_READ_CHARS]).split("\n"))]
    words = list(chain.from_iterable(lines))
    hits = find_terms(words, weights)
    places = [place for place, _ in hits]
    best, first, last = 0.0, 0, 0
    for start, end in _passages(map(len, lines)):
        last = last or end
        found = hits[bisect_left(places, start) : bisect_left(places, end)]
        if found:
            norm = _K1 * (1 - _B + _B * (end - start) / PASSAGE_WORDS)
            counts = Counter([term for _, term in found])
            score = sum(weights[term] * _saturation(count, norm) for term, count in counts.items())
            for pair, count in _neighbours(words, found, pairs).items():
                score += BIGRAM_WEIGHT * pairs[pair] * _saturation(count, norm)
            if score > best:
                best, first, last = score, start, end
    first = max(first, len(heading))
    return Passage(best, tuple(words[first:last]), first == len(heading), last == len(words))


def without_title(title: str, text: str) -> str:
    """A text without a heading at its start that says what the title says, unless nothing else is there."""
    text = text.lstrip()
    heading, _, rest = text.partition("\n")
    repeats = heading.startswith("# ") and heading[2:].strip() == title
    return rest if repeats and rest.strip() else text


def query_pairs(terms: list[str], weights: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The neighbours in a query and what they count: the sum of both, for a pair is rarer than either."""
    return {
        (first, second): weights[first] + weights[second]
        for first, second in pairwise(terms)
        if first in weights and second in weights
    }


def _neighbours(
    words: list[str], hits: list[tuple[int, str]], pairs: Container[tuple[str, str]]
) -> Counter[tuple[str, str]]:
    """How often each pair stands side by side: with no other term, but maybe stop words, in between."""
    found: Counter[tuple[str, str]] = Counter()
    for (start, first), (end, second) in pairwise(hits):
        if (first, second) in pairs:
            terms = [term for chunk in words[start : end + 1] for term in chunk_terms(chunk)]
            found[first, second] += (first, second) in pairwise(terms)
    return +found


def _saturation(count: int, norm: float) -> float:
    return count * (_K1 + 1) / (count + norm)


def _passages(lengths: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first word of each passage and the one behind its last; `lengths` are those of the lines in words.

    Whole lines are joined up to 80 words; each passage begins with the last line of the one before.
    """
    start = end = last = 0
    for length in filter(None, lengths):
        if end > start and end - start + length > PASSAGE_WORDS:
            yield start, end
            start = last if end - last + length <= PASSAGE_WORDS else end
        last = end
        end += length
        while end - start > PASSAGE_WORDS:
            yield start, start + PASSAGE_WORDS
            start += PASSAGE_WORDS
    if end > start:
        yield start, end
