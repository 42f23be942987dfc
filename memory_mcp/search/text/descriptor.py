"""One line that says what a page is about, for results that show no matching passage."""

from __future__ import annotations

import re

MAX_CHARS = 240
_READ_CHARS = 600
_SKIPPED = re.compile(r"#|(?:-{3,}|_{3,}|\*{3,}|=+)\s*\Z|[-*+]\s+\*\*[^*]+:?\*\*:?|```|~~~|<!--")
_MARKER = re.compile(r"(?:[-*+]|\d+[.)]|>)\s+")


def describe(title: str, summary: str | None, body: str) -> str:
    """The summary, else the first plain lines of the body, as one line of at most 240 characters.

    Left out are headings, rules, `- **key:** value` lists and a line that repeats the title.
    """
    if summary and summary.strip():
        return _shorten(" ".join(summary.split()))
    head = body[:_READ_CHARS]
    kept: list[str] = []
    size = 0
    for line in head.splitlines():
        line = line.strip()
        if not line or line == title or _SKIPPED.match(line):
            continue
        kept.append(_MARKER.sub("", line, count=1) if _MARKER.match(line) else line)
        size += len(line)
        if size > MAX_CHARS:
            break
    return _shorten(" ".join(" ".join(kept).split()) or " ".join(head.split()))


def _shorten(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    cut = text[: MAX_CHARS - 1]
    return cut[: cut.rfind(" ") if " " in cut[MAX_CHARS // 2 :] else len(cut)].rstrip() + "…"
