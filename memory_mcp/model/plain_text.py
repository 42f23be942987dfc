"""Foreign text as lines of ours."""

from __future__ import annotations

import re

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]+")
"""Line breaks, controls, what turns the direction of the text around it, halves of surrogate pairs, and
letters that models read and people do not see."""

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
"""The same but for the ends of lines."""


def with_lf(text: str) -> str:
    """The text with LF at the end of its lines, whatever editors and merges have made of them."""
    return "\n".join(line.rstrip("\r") for line in text.split("\n")) if "\r" in text else text


def one_line(text: str, limit: int | None = None) -> str:
    """The text without line breaks and without what a terminal obeys, cut at `limit` characters with `…`."""
    flat = _BREAKS.sub(" ", text if limit is None else text[: 4 * limit]).strip()
    if limit is None or (len(flat) <= limit and len(text) <= 4 * limit):
        return flat
    return flat[: limit - 1].rstrip() + "…"


def plain_lines(text: str) -> str:
    """The text with its lines, and without what a terminal obeys or what hides from people; never longer."""
    return _HIDDEN.sub("", with_lf(text).replace("\u2028", "\n").replace("\u2029", "\n"))
