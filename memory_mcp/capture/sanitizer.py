"""Secrets leave the text of tools and hooks here, before anything is written.

What a person writes or imports is never altered; `Sanitizer.find` reports it.
"""

from __future__ import annotations

import re

from memory_mcp.capture.secret_pattern import AnyPattern, Found, lower_case
from memory_mcp.capture.secret_patterns import PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NewType

    CleanText = NewType("CleanText", str)
    """Text that passed `Sanitizer.clean`, the only place that makes one; what the write path takes."""
else:
    CleanText = str  # a hook has no time to import `typing`


REPLACEMENT = "[REDACTED]"

_PEM_BEGIN = "-----BEGIN[A-Z0-9 _-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = "-----END[A-Z0-9 _-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r"(?:(?:\s|\\[rn])+(?:[A-Za-z-]{4,20}: [^\n]*|[A-Za-z0-9+/=]{16,}))+"
_PRIVATE_TAG = r"<(/?)private[ \t]{0,8}>"

# A text has few needles of the many, and most texts are short.
_EXACT = [(needle, pattern) for pattern in PATTERNS if not pattern.any_case for needle in pattern.needles]
_ANY_CASE = [(needle, pattern) for pattern in PATTERNS if pattern.any_case for needle in pattern.needles]


class Sanitizer:
    """Finds and replaces what looks like a secret, and what stands in `<private>` tags.

    `extra_patterns` are regular expressions for more of them. What contains a text of `allowlist` is kept,
    except in `<private>` tags.
    """

    def __init__(self, extra_patterns: Sequence[str] = (), allowlist: Sequence[str] = ()) -> None:
        self._extra = tuple(AnyPattern(regex) for regex in extra_patterns)
        self._allowlist = tuple(allowlist)

    def clean(self, text: str) -> CleanText:
        """The text with every secret replaced by `[REDACTED]`; cleaning twice changes nothing more."""
        # What is replaced can give its neighbour the boundary that it lacked, hence again until nothing is
        # found. Each round takes characters away that are no replacement, so that there is a last one.
        while spans := _merge(self.find(text), text):
            pieces = []
            last = 0
            for start, end in spans:
                pieces += [text[last:start], REPLACEMENT]
                last = end
            text = "".join([*pieces, text[last:]])
        return CleanText(text)

    def find(self, text: str) -> list[Found]:
        """What looks like a secret, in order, for reports that never print it."""
        lower = lower_case(text)
        found: list[Found] = []
        if "<private" in lower:
            found += _private_spans(text)
        if "PRIVATE KEY" in text:
            found += self._allowed(text, _pem_blocks(text))
        likely = [pattern for needle, pattern in _EXACT if needle in text]
        likely += [pattern for needle, pattern in _ANY_CASE if needle in lower]
        for pattern in dict.fromkeys(likely):
            found += self._allowed(text, pattern.find(text, lower))
        for extra in self._extra:
            found += self._allowed(text, extra.find(text))
        return sorted(found, key=lambda each: (each.start, each.end))

    def _allowed(self, text: str, found: Iterator[Found]) -> Iterator[Found]:
        if not self._allowlist:
            return found
        return (f for f in found if not any(keep in text[f.start : f.end] for keep in self._allowlist))


def _pem_blocks(text: str) -> Iterator[Found]:
    end = re.compile(_PEM_END)
    at = 0
    ended = True
    for begin in re.finditer(_PEM_BEGIN, text):
        if begin.start() < at:
            continue
        closing = end.search(text, begin.end()) if ended else None
        if closing:
            at = closing.end()
        else:
            # A key that was cut off, as far as its lines go; or a page that speaks of such a line.
            ended = False
            body = re.compile(_PEM_BODY).match(text, begin.end())
            if body is None:
                continue
            at = body.end()
        yield Found("private-key", begin.start(), at)


def _private_spans(text: str) -> Iterator[Found]:
    depth = start = 0
    for tag in re.finditer(_PRIVATE_TAG, text, re.IGNORECASE):
        if text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]:
            continue  # a page that speaks of the tag
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield Found("private", start, tag.end())
    if depth:
        yield Found("private", start, len(text))


def _merge(found: Sequence[Found], text: str) -> list[tuple[int, int]]:
    """The spans to replace: those that touch become one, and what is replaced already stays."""
    spans: list[tuple[int, int]] = []
    for each in found:
        start, end = _widen(each.start, each.end, text)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return [(start, end) for start, end in spans if text[start:end] != REPLACEMENT]


def _widen(start: int, end: int, text: str) -> tuple[int, int]:
    """Take in whole replacements of which a pattern of the user matched a part."""
    size = len(REPLACEMENT)
    before = text.rfind(REPLACEMENT, max(0, start - size + 1), start + size - 1)
    after = text.rfind(REPLACEMENT, max(0, end - size + 1), end + size - 1)
    if before >= 0 and before < start < before + size:
        start = before
    if after >= 0 and after < end < after + size:
        end = after + size
    return start, end
