"""The texts of a page that get a vector each."""

from __future__ import annotations

from collections.abc import Iterator

from memory_mcp.model.page import Page

RECIPE = 1
"""Raise it with every change below: vectors of another recipe are not used."""

_PASSAGE_WORDS = 120
_PASSAGE_CHARS = 900
"""Binds where a text has no spaces between its words."""
_READ_CHARS = 300_000


def page_passages(page: Page) -> list[str]:
    """The abstract, if there is one, and the passages of the text, each with the title in front.

    Passages are whole lines of up to 120 words: longer and shorter ones ranked worse on the development
    sets. A page without text is its title.
    """
    texts = [page.meta.abstract] if page.meta.abstract else []
    texts += _cut(page.text[:_READ_CHARS])
    return [f"{page.title}\n{text}" for text in texts] or [page.title]


def _cut(text: str) -> Iterator[str]:
    passage: list[str] = []
    size = 0
    for line in text.split("\n"):
        words = list(_words(line))
        length = sum(len(word) + 1 for word in words)
        if passage and (len(passage) + len(words) > _PASSAGE_WORDS or size + length > _PASSAGE_CHARS):
            yield " ".join(passage)
            passage, size = [], 0
        for word in words:
            if passage and (len(passage) == _PASSAGE_WORDS or size + len(word) >= _PASSAGE_CHARS):
                yield " ".join(passage)
                passage, size = [], 0
            passage.append(word)
            size += len(word) + 1
    if passage:
        yield " ".join(passage)


def _words(line: str) -> Iterator[str]:
    for word in line.split():
        for start in range(0, len(word), _PASSAGE_CHARS):
            yield word[start : start + _PASSAGE_CHARS]
