"""What of a prompt is searched."""

from __future__ import annotations

HEAD_CHARS, TAIL_CHARS = 3_000, 1_000
"""Of a long prompt: most often it says at the beginning or at the end what is wanted."""
MANY_WORDS = 100
"""Where more stand, something was pasted: there a word counts once, however often it stands."""

_OPERATORS = str.maketrans(dict.fromkeys('"“”„«»*', " "))
"""What a query would take for a phrase or a prefix: here people quote, and paste code."""


def prompt_words(prompt: str) -> str:
    """The prompt as plain words, at most 4,001 characters; "" if there are none."""
    if len(prompt) > HEAD_CHARS + TAIL_CHARS:
        prompt = f"{prompt[:HEAD_CHARS]}\n{prompt[-TAIL_CHARS:]}"
    words = prompt.translate(_OPERATORS).split()
    return " ".join(words if len(words) <= MANY_WORDS else dict.fromkeys(words))
