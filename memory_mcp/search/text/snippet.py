"""The passage of a page that answers a query, as one line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory_mcp.search.text.tokenizer import find_terms

MAX_CHARS = 240
MAX_WORDS = 40
_READ_CHARS = 300_000
_PIECE_CHARS = 40
_NOISE = re.compile(r"(?:#+|[-*+>|]+|[-=_|:]{3,}|```\S*|~~~\S*|\d+[.)])\Z")
_NOISE_BEGINS = frozenset("#-*+>|=_:`~0123456789")


def snippet(
    text: str,
    weights: Mapping[str, float],
    max_chars: int = MAX_CHARS,
    *,
    begins: bool = True,
    ends: bool = True,
) -> str:
    """The window of at most 40 words with the heaviest terms; the earliest of equal ones.

    `weights` are the query's terms and what each counts, its idf say. A text without any of them gives
    its beginning. `begins` and `ends` say whether the text is cut off already.
    """
    pieces = _pieces(text[:_READ_CHARS])
    hits = find_terms(map(str.rstrip, pieces), weights)
    first, last = _best_window(hits, weights)
    return _cut(pieces, first, last, max_chars, begins, ends)


def _pieces(body: str) -> list[str]:
    """Words with a space behind, and long runs without white space in short pieces."""
    words = [word for word in body.split() if word[0] not in _NOISE_BEGINS or not _NOISE.match(word)]
    if max(map(len, words), default=0) <= _PIECE_CHARS:
        return [word + " " for word in words]
    pieces: list[str] = []
    for word in words:
        if len(word) <= _PIECE_CHARS:
            pieces.append(word + " ")
        else:
            pieces += [word[at : at + _PIECE_CHARS] for at in range(0, len(word), _PIECE_CHARS)]
            pieces[-1] += " "
    return pieces


def _best_window(hits: list[tuple[int, str]], weights: Mapping[str, float]) -> tuple[int, int]:
    """The first and last place of the window whose distinct terms weigh most, and then its repeats."""
    best, chosen = (0.0, 0), (0, 0)
    held: dict[str, int] = {}
    start = 0
    weight = 0.0
    for end, (place, term) in enumerate(hits):
        held[term] = held.get(term, 0) + 1
        if held[term] == 1:
            weight += weights[term]
        while hits[start][0] <= place - MAX_WORDS * 3 // 4:
            gone = hits[start][1]
            held[gone] -= 1
            if not held[gone]:
                weight -= weights[gone]
            start += 1
        score = (round(weight, 9), end - start + 1)
        if score > best:
            best, chosen = score, (hits[start][0], place)
    return chosen


def _cut(pieces: list[str], first: int, last: int, max_chars: int, begins: bool, ends: bool) -> str:
    """The pieces around a window, as many as fit."""
    room = max_chars - 2 - sum(map(len, pieces[first : last + 1]))
    while last > first and room < 0:
        room += len(pieces[last])
        last -= 1
    words_before, chars_before = MAX_WORDS // 5, min(room, max_chars // 4)
    while first > 0 and words_before > 0 and len(pieces[first - 1]) <= chars_before:
        first -= 1
        words_before -= 1
        chars_before -= len(pieces[first])
        room -= len(pieces[first])
    while last + 1 < len(pieces) and last - first + 1 < MAX_WORDS and len(pieces[last + 1]) <= room:
        last += 1
        room -= len(pieces[last])
    text = "".join(pieces[first : last + 1]).strip()[: max_chars - 2]
    starts_inside = first > 0 or not begins
    stops_inside = last + 1 < len(pieces) or not ends
    return ("… " if starts_inside else "") + text + ("…" if stops_inside else "")
