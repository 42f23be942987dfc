"""What a scalar of a frontmatter means, and how a string is written so that every YAML reader sees it.

YAML 1.1 and 1.2 disagree about `yes`, `1:30`, `010` and dates. Frontmatter is read by the part on which
both agree and which loses nothing: `true`, `false`, null, and numbers that print as they were written.
Every other scalar is the string that the person typed, so `version: 1.10` stays `1.10`.
"""

from __future__ import annotations

import json
import re

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?\Z")
_NUMBER_START = frozenset("-0123456789")

UNPRINTABLE = r"\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
"""Inside a regex class: what lies above ASCII's control characters and must be escaped all the same."""

INDICATORS = frozenset(",[]{}#&*!|>'\"%@`")
"""Characters that mean something to YAML at the start of a scalar."""

_NEEDS_ESCAPES = re.compile(rf"[\x00-\x08\x0a-\x1f{UNPRINTABLE}]")
_LOOKS_TYPED = re.compile(
    r"(?:[-+.]?[0-9.][-+.,:0-9_a-fxotz ]*|[-+]?\.(?:inf|nan)|y|n|yes|no|on|off|true|false|null|~|=|<<)\Z",
    re.IGNORECASE,
)
_NOT_IN_JSON = re.compile(f"[{UNPRINTABLE}]")


def resolve_scalar(text: str) -> str | int | float | bool | None:
    """The value of a plain (unquoted) scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _NUMBER_START and _NUMBER.match(text):
        number = float(text) if "." in text else int(text)
        if str(number) == text:
            return number
    return text


def scalar_text(value: str | int | float | bool) -> str:
    """The text of which `resolve_scalar` made this value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def is_plain(text: str) -> bool:
    """Whether a printable, non-empty text is one plain scalar, the same in a value and in a block list."""
    first = text[0]
    return not (
        first in INDICATORS
        or first in "?: "
        or (first == "-" and (len(text) == 1 or text[1] in " -"))
        or text[-1] in ": "
        or ": " in text
        or " #" in text
    )


def quote_scalar(text: str) -> str:
    """Write a string on one line: plain if no YAML reader could take it for something else, else quoted."""
    if _NEEDS_ESCAPES.search(text):
        escaped = json.dumps(text, ensure_ascii=False)
        return _NOT_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped)
    if text and is_plain(text) and "\t" not in text and not _LOOKS_TYPED.match(text):
        return text
    return "'" + text.replace("'", "''") + "'"
