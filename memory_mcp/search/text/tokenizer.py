"""Text to index terms: one function for pages and for queries.

A text is cut at white space first, because a piece of text between spaces ("chunk") always has the same
terms and most chunks occur again: their terms are remembered, and a page costs one dictionary look-up a
chunk. Inside a chunk a token is a word with its joiners (`src/app/main.py`, `CVE-2026-1234`, `don't`,
`C++`, `.NET`), a run of a script written without spaces, or an emoji.

- A plain word loses `'s` and the like, is folded (case, accents), dropped if it is a stop word, and stemmed
  with Porter 2, irregular forms by a table (`irregular`). A Cyrillic one is stemmed as Russian.
- An identifier gives itself whole, its path components, and its parts: `getUserById` gives `getuserbyid`,
  `get`, `user` and `id`. Parts of one character are noise and dropped; a word of one character (`C`, `R`)
  is kept.
- A run of Chinese, Japanese, Korean, Thai, Lao, Khmer or Burmese gives its characters and its bigrams.

No text raises, and time is linear in its length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from functools import lru_cache
from sys import intern
from typing import Union

import Stemmer

from memory_mcp.search.text import characters
from memory_mcp.search.text.characters import compose, is_unspaced, patterns_for
from memory_mcp.search.text.irregular import IRREGULAR
from memory_mcp.search.text.stop_words import STOP_WORDS

MAX_TERM_CHARS = 100
"""Longer tokens (keys, encoded blobs) are cut here, in pages and queries alike."""

_MAX_REMEMBERED_CHARS = 100
_MAX_REMEMBERED_CHUNKS = 150_000
"""About 40 MB when full; a wiki of 10,000 pages has some 60,000 distinct chunks."""

_MAX_REMEMBERED_WORDS = 1 << 16
"""Chunks whose words are remembered, for phrases: up to 20 MB."""

_CLOSING = ".,;:!?)]}\"'`*"
_OPENING = "([{\"'`*"
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_COMPONENTS = re.compile(r"[/:@#+]")
_VERSION = re.compile(r"v([0-9]+(?:\.[0-9]+)+.*)", re.DOTALL)
_CLITICS = re.compile(r"(?<=\w)(?:'(?:s|d|m|ll|re|ve))+(?!['\w])", re.IGNORECASE)
"""What English hangs on a word: `agent's`, `we'll`."""
_INNER_APOSTROPHE = re.compile(r"(?<=[^\W_])'(?=[^\W_])")
_LATIN_WORD = re.compile(r"[a-z]+")

_stem = Stemmer.Stemmer("english", 0).stemWord

_Terms = Union[str, "tuple[str, ...]", None]
"""The terms of a chunk: a string is one term, None none. Strings count fastest."""


class _Memory(dict[str, _Terms]):
    """The terms of every chunk seen, bounded."""

    def __missing__(self, chunk: str) -> _Terms:
        found = _chunk_terms(chunk)
        terms = found[0] if len(found) == 1 else tuple(found) if found else None
        if len(chunk) <= _MAX_REMEMBERED_CHARS:
            if len(self) >= _MAX_REMEMBERED_CHUNKS:
                self.clear()
            self[chunk] = terms
        return terms


_memory = _Memory()
_terms_of_chunk = _memory.__getitem__


def terms(text: str) -> Counter[str]:
    """The terms of a text and how often each occurs."""
    counts: Counter[_Terms] = Counter(map(_terms_of_chunk, text.split()))
    counts.pop(None, None)
    for several in [key for key in counts if type(key) is tuple]:
        times = counts.pop(several)
        for term in several:
            counts[term] += times
    return counts  # type: ignore[return-value] # only strings are left


def chunk_terms(chunk: str) -> tuple[str, ...]:
    """The terms of a piece of text without white space, in their order."""
    found = _terms_of_chunk(chunk)
    return () if found is None else (found,) if type(found) is str else found  # type: ignore[return-value]


def find_terms(chunks: Iterable[str], wanted: Container[str]) -> list[tuple[int, str]]:
    """The places of the wanted terms: the number of the chunk and the term, in their order."""
    found: list[tuple[int, str]] = []
    for place, held in enumerate(map(_terms_of_chunk, chunks)):
        if type(held) is tuple:
            found += [(place, term) for term in held if term in wanted]
        elif held in wanted:
            found.append((place, held))  # type: ignore[arg-type] # None is never wanted
    return found


def words(text: str) -> list[str]:
    """The words of a text in their order, for phrases.

    Identifiers fall into their parts, so that `"main.py"` is found in `src/main.py`; stop words stay;
    a run of a script without spaces gives its characters.
    """
    found: list[str] = []
    for chunk in text.split():
        found += _remembered_words(chunk) if len(chunk) <= _MAX_REMEMBERED_CHARS else _chunk_words(chunk)
    return found


def stop_words(text: str) -> list[str]:
    """The stop words of a text, in their order."""
    return [word for word in _LATIN_WORD.findall(text.lower().replace("'", "")) if word in STOP_WORDS]


def fold(word: str) -> str:
    """The term of an identifier as a whole, e.g. of a path."""
    return characters.fold(word)[:MAX_TERM_CHARS]


def forget_chunks() -> None:
    """Give back the memory that a bulk of texts has filled."""
    _memory.clear()
    _remembered_words.cache_clear()


def _chunk_terms(chunk: str) -> list[str]:
    found: list[str] = []
    plain = chunk.rstrip(_CLOSING).lstrip(_OPENING)
    if plain.isascii() and plain.isalpha():  # most chunks; the general way below would find the same
        _add_word(plain, found)
        return found
    text = compose(chunk)
    for match in patterns_for(text).token.finditer(text):
        token = match[0]
        if match.lastgroup is None:
            _add_word(token.strip("_"), found)
        elif match.lastgroup == "run":
            found += token
            found += [token[at : at + 2] for at in range(len(token) - 1)]
        else:
            found.append(token)
    return found


def _chunk_words(chunk: str) -> tuple[str, ...]:
    plain = _INNER_APOSTROPHE.sub("", _CLITICS.sub("", compose(chunk)))
    return tuple([_fold_plain(word) for word in patterns_for(plain).word.findall(plain)])


_remembered_words = lru_cache(maxsize=_MAX_REMEMBERED_WORDS)(_chunk_words)


def _fold_plain(word: str) -> str:
    """Fold a word and stem it, unless it is a stop word."""
    folded = word if is_unspaced(word[0]) else characters.fold(word)
    if folded in STOP_WORDS or len(folded) > MAX_TERM_CHARS:
        return folded[:MAX_TERM_CHARS]
    if not folded.isascii():
        return _fold_cyrillic(word) if characters.is_cyrillic(word) else folded
    return intern(_stem(IRREGULAR.get(folded, folded))) if folded.isalpha() else folded


def _fold_cyrillic(word: str) -> str:
    """Stem before the accents go, since the endings are told by them (`ий`)."""
    return intern(characters.fold(_russian().stemWord(word.casefold().replace("ё", "е"))))


@lru_cache(maxsize=1)
def _russian() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("russian", 0)


def _add_plain(word: str, found: list[str]) -> None:
    term = _fold_plain(word)
    if term not in STOP_WORDS:
        found.append(term)


def _add_word(word: str, found: list[str]) -> None:
    """Add the terms of a token that is not of an unspaced script."""
    if "'" in word:
        word = _without_apostrophes(word, found)
    if word.isalpha() and (word.islower() or word[1:].islower() or word.isupper()):
        _add_plain(word, found)
    elif word:
        _add_identifier(word, found)


def _without_apostrophes(word: str, found: list[str]) -> str:
    word = _CLITICS.sub("", word)
    whole = word.replace("'", "").lower()
    if len(whole) != len(word) and characters.fold(whole) not in STOP_WORDS:
        for part in word.split("'"):
            if len(part) > 1 and part.isalpha():
                _add_plain(part, found)
    return whole


def _add_identifier(word: str, found: list[str]) -> None:
    """Add an identifier whole, its components between `/` and the like, and its parts."""
    whole = _fold_plain(word) if word.isalpha() else fold(word)
    if whole in STOP_WORDS:
        return
    found.append(whole)
    if version := _VERSION.fullmatch(whole):
        found.append(version[1])
    part_of = patterns_for(word).part
    parts = part_of.findall(word)
    if len(parts) > 2:
        components = _COMPONENTS.split(word)
        if len(components) > 1:
            found += [fold(component) for component in components if len(part_of.findall(component)) > 1]
    for part in parts:
        if len(part) < len(word) and (len(part) > 1 or len(characters.fold(part)) > 1):
            _add_plain(part, found)
        if part.isascii() and len(part) <= MAX_TERM_CHARS:
            humps = _HUMP.findall(part)
            if len(humps) > 1:
                for hump in humps:
                    if len(hump) > 1:
                        _add_plain(hump, found)
