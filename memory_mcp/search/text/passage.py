"""How well the best passage of a page answers a query.

A long page that answers in one paragraph loses against a short one that only names the words. So the best
pages are read at query time, cut into passages, and each is scored by its best one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import itemgetter
from typing import TypeVar

from memory_mcp.search.text.characters import unspaced_run
from memory_mcp.search.text.tokenizer import chunk_terms, find_terms

PASSAGE_WORDS, SECTION_WORDS = 80, 160
"""A page is cut twice: a fact stands in a few sentences, what it is about in the paragraphs around them."""
BIGRAM_WEIGHT = 0.3
"""What two query words count in addition where they stand side by side."""

_K1 = 1.2
_B = 0.5
_READ_CHARS = 300_000

_PLACE = itemgetter(0)
_T = TypeVar("_T")
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Passage:
    """The best passage of a page: its score, 0 when it holds no term, and its text on one line.

    The score is that of the best passage of 80 words and of the best of 160 together; the text is the
    shorter one's. `begins` and `ends` say whether the page does so with it.
    """

    score: float
    text: str
    begins: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """The query's terms in a text and where they stand, and where its pairs stand side by side."""

    hits: list[tuple[int, str]]
    pairs: list[tuple[int, _Pair]]

    def within(self, start: int, end: int) -> _Found:
        """What lies between two places; a pair has the place of its second word."""
        return _Found(_slice(self.hits, start, end), _slice(self.pairs, start, end))


def best_passage(
    title: str, text: str, weights: Mapping[str, float], pairs: Mapping[_Pair, float]
) -> Passage:
    """The passage with the highest BM25 score; the first of equal ones.

    Each is read under the title, whose words are among its 80 or 160.

    `weights` are the query's terms with their idf among the pages, `pairs` the pairs of terms that are
    neighbours in the query with theirs. K1 1.2, B 0.5 and the sizes are those that ranked best on
    development sets of conversations, code and documentation.
    """
    title_words = title.split()
    heading = _find(title_words, weights, pairs)
    text = without_title(title, text[:_READ_CHARS])
    lines = [line.split() for line in text.split("\n")]
    shown: list[list[str]] | None = None
    if not text.isascii() and unspaced_run().search(text):
        pieces = [[piece for word in line for piece in _pieces(word)] for line in lines]
        lines = [[searched for searched, _ in line] for line in pieces]
        shown = [[show for _, show in line] for line in pieces]
    words = list(chain.from_iterable(lines))
    found = _find(words, weights, pairs)

    def best(size: int) -> tuple[float, int, int]:
        room = max(size // 2, size - len(title_words))
        scored = []
        for start, end in _passages(map(len, lines), room):
            inside = found.within(start, end)
            if inside.hits or start == 0:
                norm = _K1 * (1 - _B + _B * (end - start) / room)
                scored.append((_score(inside, heading, norm, weights, pairs), start, end))
        return max(scored, key=itemgetter(0))

    section_score, _, _ = best(SECTION_WORDS)
    score, first, last = best(PASSAGE_WORDS)
    if shown is None:
        passage = " ".join(words[first:last])
    else:
        passage = "".join(list(chain.from_iterable(shown))[first:last]).rstrip()
    return Passage(section_score + score, passage, first == 0, last == len(words))


def without_title(title: str, text: str) -> str:
    """A text without a heading at its start that says what the title says, unless nothing else is there."""
    text = text.lstrip()
    heading, _, rest = text.partition("\n")
    repeats = heading.startswith("# ") and heading[2:].strip() == title
    return rest if repeats and rest.strip() else text


def _pieces(chunk: str) -> list[tuple[str, str]]:
    """A piece of text between spaces as words: what is searched of each, and what it shows.

    In scripts without spaces two characters are a word. It is searched with the next character, so that each
    pair of characters, which is a term of the index, is in one word and only there.
    """
    found: list[tuple[str, str]] = []
    at = 0
    for run in unspaced_run().finditer(chunk):
        if before := chunk[at : run.start()]:
            found.append((before, before))
        text = run[0]
        ends = len(text) - 1
        for start in range(0, max(1, ends), 2):
            show = text[start:] if start + 2 >= ends else text[start : start + 2]
            found.append((text[start : start + 3], show))
        at = run.end()
    if rest := chunk[at:]:
        found.append((rest, rest))
    found[-1] = (found[-1][0], found[-1][1] + " ")
    return found


def query_pairs(terms: list[str], weights: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The neighbours in a query and what they count: the sum of both, for a pair is rarer than either."""
    return {
        (first, second): weights[first] + weights[second]
        for first, second in pairwise(terms)
        if first in weights and second in weights
    }


def _find(words: Sequence[str], weights: Mapping[str, float], pairs: Container[_Pair]) -> _Found:
    hits = find_terms(words, weights)
    neighbours = [
        (end, (first, second))
        for (start, first), (end, second) in pairwise(hits)
        if (first, second) in pairs and _side_by_side(words[start : end + 1], (first, second))
    ]
    return _Found(hits, neighbours)


def _side_by_side(words: Iterable[str], pair: _Pair) -> bool:
    """Whether no other term, but maybe stop words, stands between the two."""
    return pair in pairwise([term for word in words for term in chunk_terms(word)])


def _score(
    passage: _Found, heading: _Found, norm: float, weights: Mapping[str, float], pairs: Mapping[_Pair, float]
) -> float:
    terms = Counter([term for _, term in passage.hits + heading.hits])
    score = sum([weights[term] * _saturation(count, norm) for term, count in terms.items()])
    if passage.pairs or heading.pairs:
        for pair, count in Counter([pair for _, pair in passage.pairs + heading.pairs]).items():
            score += BIGRAM_WEIGHT * pairs[pair] * _saturation(count, norm)
    return score


def _saturation(count: int, norm: float) -> float:
    return count * (_K1 + 1) / (count + norm)


def _slice(found: list[tuple[int, _T]], start: int, end: int) -> list[tuple[int, _T]]:
    """Those at places from `start` to before `end`."""
    return found[bisect_left(found, start, key=_PLACE) : bisect_left(found, end, key=_PLACE)]


def _passages(lengths: Iterable[int], size: int) -> Iterator[tuple[int, int]]:
    """The first word of each passage and the one behind its last; `lengths` are those of the lines in words.

    Whole lines are joined up to `size` words; each passage begins with the last line of the one before.
    """
    start = end = last = 0
    for length in filter(None, lengths):
        if end > start and end - start + length > size:
            yield start, end
            start = last if end - last + length <= size else end
        last = end
        end += length
        while end - start > size:
            yield start, start + size
            start += size
    if end > start or not end:
        yield start, end
