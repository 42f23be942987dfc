"""Headings that stand as a whole line of a markdown text, outside of code and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_mcp.wiki.prose import blank_code, open_block

_OPENERS = ("```", "~~~", "<!--")
_TITLE = re.compile(r"^# +(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """Where a line starts in a text, and where the next one does."""

    start: int
    end: int


def find_heading(text: str, heading: str, position: int = 0) -> Line | None:
    """The first line from `position` on that is `heading` and nothing else.

    A block of code that is never closed hides no heading: else what somebody forgot to close would swallow
    the rest of the file.
    """
    pattern = re.compile(rf"^{re.escape(heading)}[ \t\r]*(?:\n|\Z)", re.MULTILINE)
    found = _search(pattern, text, position)
    return Line(found.start(), found.end()) if found else None


def find_title(text: str) -> str:
    """The first heading of the first level, "" where there is none."""
    found = _search(_TITLE, text, 0)
    return text[found.start(1) : found.end(1)].strip() if found else ""


def _search(pattern: re.Pattern[str], text: str, position: int) -> re.Match[str] | None:
    """The first match that is neither code nor comment."""
    found = pattern.search(text, position)
    if found and any(sign in text[: found.start()] for sign in _OPENERS):
        return pattern.search(prose_of(text), position)
    return found


def prose_of(text: str) -> str:
    """The text with code and comments blanked, but for a block that is never closed; its length stays."""
    found = _open_block(text)
    return blank_code(text) if found is None else blank_code(text[: found[0]]) + text[found[0] :]


def close_code(text: str) -> str:
    """The text, with its last block of code or comment closed if it was not."""
    found = _open_block(text)
    return text if found is None else f"{text.rstrip()}\n{found[1]}"


def _open_block(text: str) -> tuple[int, str] | None:
    return open_block(text) if any(sign in text for sign in _OPENERS) else None
