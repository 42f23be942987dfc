"""Letters: folding case and accents, scripts without spaces, and the patterns of tokens.

The patterns for all of Unicode take 15 ms to compile, so that texts in ASCII have their own and a process
that meets no other never compiles them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Chinese, Japanese
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Korean, which has spaces but joins words and particles
    (0xF900, 0xFAFF),
    (0x20000, 0x3134F),
)
_UNSPACED_BOUNDS = [bound for first, last in _UNSPACED for bound in (first, last + 1)]
_EMOJI = "\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
_INDIC_SIGNS = "\u0900-\u0963\u0966-\u0dff"
"""Vowel signs are letters of a word there, though Python's `\\w` leaves them out."""


class Patterns(NamedTuple):
    """How texts are cut."""

    token: re.Pattern[str]
    """A word with its joiners, or else a run of an unspaced script or an emoji (named so)."""
    part: re.Pattern[str]
    """A part of an identifier."""
    word: re.Pattern[str]
    """A word of a phrase."""


def is_unspaced(char: str) -> bool:
    """Whether a character is of a script that is written without spaces."""
    return char > "\u0dff" and bisect_right(_UNSPACED_BOUNDS, ord(char)) % 2 == 1


def is_cyrillic(word: str) -> bool:
    """Whether all letters of a word are Cyrillic."""
    return all("\u0400" <= char <= "\u04ff" for char in word)


@lru_cache(maxsize=1)
def unspaced_run() -> re.Pattern[str]:
    """A run of scripts that are written without spaces."""
    return re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _UNSPACED)}]+")


def compose(text: str) -> str:
    """One form for each character, with straight apostrophes; marks that stand alone are dropped."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u02bc", "'")
    return "".join([char for char in text if not unicodedata.combining(char)])


def fold(word: str) -> str:
    """Fold case and accents."""
    if word.isascii():
        return word.lower()
    plain = [char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char)]
    return "".join(plain).casefold()


def patterns_for(text: str) -> Patterns:
    """The patterns for a text that `compose` returned."""
    return _ASCII if text.isascii() else _unicode_patterns()


@lru_cache(maxsize=1)
def _unicode_patterns() -> Patterns:
    unspaced = "".join(f"{chr(first)}-{chr(last)}" for first, last in _UNSPACED)
    letter = rf"(?:[^\W_{unspaced}]|[{_INDIC_SIGNS}])"
    others = rf"(?P<run>[{unspaced}]+)|(?P<emoji>[{_EMOJI}])"
    single = rf"[{unspaced}{_EMOJI}]"
    return _patterns(letter, rf"(?:{letter}|_)", f"{others}|", f"{single}|")


def _patterns(letter: str, name: str, others: str, single: str) -> Patterns:
    token = rf"{others}(?:(?<![\w.])\.)?{name}+(?:[._/\-+#@:']{name}+)*(?:\+\+|[+#])?"
    return Patterns(
        re.compile(token), re.compile(f"{letter}+"), re.compile(rf"{single}{letter}+(?:\+\+|#(?!\w))?")
    )


_ASCII = _patterns("[A-Za-z0-9]", "[A-Za-z0-9_]", "", "")
