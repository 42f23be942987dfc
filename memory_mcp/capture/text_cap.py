"""Cutting text, which was cleaned of secrets first, to a size without splitting a character."""

from __future__ import annotations

ELLIPSIS = "…"
_MARK_BYTES = 48
_SMALLEST_MIDDLE = 64


def cap_title(text: str, limit: int = 80) -> str:
    """The first line that says something, at most `limit` characters, without control characters."""
    lines = text.lstrip()[: 4 * limit].splitlines()
    flat = [" " if each < " " or each == "\x7f" else each for each in lines[0]] if lines else []
    line = "".join(flat).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + ELLIPSIS


def cap_end(text: str, limit: int) -> str:
    """The text, or what fits into `limit` bytes of its beginning, with an ellipsis."""
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    room = max(0, limit - len(ELLIPSIS.encode()))
    return data[:room].decode("utf-8", "ignore") + ELLIPSIS


def cap_middle(text: str, limit: int) -> str:
    """The text, or its beginning and end with a mark between them that says how many bytes are missing."""
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    if limit < _SMALLEST_MIDDLE:
        return cap_end(text, limit)
    half = (limit - _MARK_BYTES) // 2
    head = data[:half].decode("utf-8", "ignore")
    tail = data[-half:].decode("utf-8", "ignore")
    missing = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}\n[… {missing} bytes left out …]\n{tail}"
