"""What of a prompt is searched."""

from __future__ import annotations

HEAD_CHARS, TAIL_CHARS = 3_000, 1_000
"""Of a long prompt: most often it says at the beginning or at the end what is wanted."""

_OPERATORS = str.maketrans(dict.fromkeys('"“”„«»*', " "))
"""What a query would take for a phrase or a prefix: here people quote, and paste code."""


def prompt_words(prompt: str) -> str:
    """The prompt as plain words, at most 4,001 characters; "" if there are none."""
    if len(prompt) > HEAD_CHARS + TAIL_CHARS:
        prompt = f"{prompt[:HEAD_CHARS]}\n{prompt[-TAIL_CHARS:]}"
    return prompt.translate(_OPERATORS).strip()
