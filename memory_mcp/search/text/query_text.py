"""What a person or an agent typed, as terms.

Everything is plain text but two things: words in double quotes are a phrase that a page must contain, and
a `*` at the end of a word stands for any ending. Operators (`AND`, `NOT`, `title:`, `NEAR/3`, brackets)
are words or punctuation like any other, so that no text is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_mcp.search.text.characters import compose, is_unspaced
from memory_mcp.search.text.stop_words import STOP_WORDS, AddedStopWords
from memory_mcp.search.text.tokenizer import chunk_terms, fold, stop_words, terms, words

MAX_QUERY_CHARS = 10_000
"""What is read of a query; the rest of a pasted log says nothing new."""
MAX_PHRASES = 8
MAX_PREFIXES = 8

_QUOTES = str.maketrans("“”„«»", '"""""')
_PHRASE = re.compile(r'"([^"]*)"')
_PREFIX = re.compile(r"(?<!\S)(\w[\w.\-/]*\w)\*(?!\S)")

_NONE_ADDED = AddedStopWords()


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A parsed query.

    `terms` are OR-ed, each with its count; `prefixes` stand for the frequent terms that begin so.
    A page must hold all of `required`, the terms of the phrases, and `holds_phrases` must be true of its
    text. `only_phrases` says that there is nothing else.
    """

    terms: dict[str, int]
    prefixes: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    required: frozenset[str] = frozenset()
    only_phrases: bool = False

    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.terms or self.prefixes or self.phrases)


def parse_query(text: str, added: AddedStopWords = _NONE_ADDED) -> QueryTerms:
    """Parse what was typed; never raises.

    Stop words, the added ones too, count only in a query that has no other words. Those of the tokenizer
    then find pages by their titles, the only place where the index holds them.
    """
    text = _read(text)
    quoted = [match for match in dict.fromkeys(_PHRASE.findall(text)) if words(match)][:MAX_PHRASES]
    plain = _PHRASE.sub(r" \1 ", text)
    prefixes = tuple(dict.fromkeys(fold(word) for word in _PREFIX.findall(plain)))[:MAX_PREFIXES]
    found: dict[str, int] = dict(terms(added.cut(plain)) or terms(plain))
    for pair in [term for term in found if len(term) == 2 and is_unspaced(term[0])]:
        for char in pair:
            found.pop(char, None)
    if not found:
        found = dict.fromkeys(stop_words(plain), 1)
    required: set[str] = set()
    for phrase in quoted:
        required |= _required(phrase)
    phrases = tuple(tuple(words(phrase)) for phrase in quoted)
    only_phrases = bool(phrases) and not terms(_PHRASE.sub(" ", text))
    return QueryTerms(found, prefixes, phrases, frozenset(required), only_phrases)


def query_words(text: str, added: AddedStopWords = _NONE_ADDED) -> tuple[str, ...]:
    """The words that `parse_query` searches, as they were typed."""
    plain = without_quotes(text)
    for words_of in (added.cut(plain), plain):
        if found := [word for word in words_of.split() if chunk_terms(word)]:
            return tuple(dict.fromkeys(found))
    return tuple(stop_words(plain))


def without_quotes(text: str) -> str:
    """The same words without phrases."""
    return _read(text).replace('"', " ")


def holds_phrases(text: str, phrases: Sequence[tuple[str, ...]]) -> bool:
    """Whether the words of each phrase follow each other in a text."""
    if not phrases:
        return True
    found = words(text)
    return all(_follow_each_other(found, phrase) for phrase in phrases)


def _follow_each_other(found: list[str], phrase: tuple[str, ...]) -> bool:
    size = len(phrase)
    start = 0
    while True:
        try:
            start = found.index(phrase[0], start)
        except ValueError:
            return False
        if tuple(found[start : start + size]) == phrase:
            return True
        start += 1


def _read(text: str) -> str:
    """What is read of a query, with plain quotes. One character can stand for eighteen."""
    text = text[:MAX_QUERY_CHARS].translate(_QUOTES)
    whole = compose(text)
    return text if len(whole) <= MAX_QUERY_CHARS else whole[:MAX_QUERY_CHARS]


def _required(phrase: str) -> set[str]:
    """The terms that a text with this phrase holds for sure, whatever identifiers it stands in.

    Those are its words, less what the index drops: stop words, and single characters inside identifiers.
    """
    return {
        word
        for word in words(phrase)
        if word.isalnum() and word not in STOP_WORDS and (len(word) > 1 or is_unspaced(word))
    }
