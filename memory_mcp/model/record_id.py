"""Ids of records, which sort by time, and the short codes by which people name them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from datetime import datetime, timezone

from memory_mcp.errors import InvalidInput, NotFound

MIN_CODE_DIGITS = 4
MAX_CODE_CHARS = 40
"""A whole id with its hyphens has 36."""

_CODE = re.compile(r"[0-9a-f]{4,32}\Z")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
_MAX_NAMED = 5


def new_id(now: datetime) -> str:
    """A UUIDv7 for this moment, lower case, with hyphens.

    RFC 9562, section 5.7: 48 bits of milliseconds since 1970, then random bits, of which the first twelve are
    the rest of the time in 1/4096 ms (section 6.2, method 3), so that ids of one process sort as they
    were made.
    """
    microseconds = int(now.timestamp()) * 1_000_000 + now.microsecond
    milliseconds, rest = divmod(microseconds, 1000)
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76 | (rest * 4096 // 1000) << 64
    value |= 0b10 << 62 | int.from_bytes(os.urandom(8), "big") >> 2
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def is_id(text: str) -> bool:
    """Whether the text is an id as we write it."""
    return _ID.match(text) is not None


def made_at(record_id: str) -> datetime:
    """The time inside a UUIDv7."""
    milliseconds = int(record_id.replace("-", "")[:12], 16)
    try:
        return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, timezone.utc)


def code_of(record_id: str, ids: Iterable[str]) -> str:
    """The shortest end of the id, at least four hex digits, that no other of `ids` ends with."""
    return codes_of({*ids, record_id})[record_id]


def codes_of(ids: Iterable[str]) -> dict[str, str]:
    """The code of each of these ids."""
    turned = sorted((record_id.replace("-", "")[::-1], record_id) for record_id in set(ids))
    codes = {}
    before = 0  # how many digits at the end an id shares with the one before it
    for at, (digits, record_id) in enumerate(turned):
        after = _common(digits, turned[at + 1][0]) if at + 1 < len(turned) else 0
        length = max(MIN_CODE_DIGITS, max(before, after) + 1)
        codes[record_id] = digits[:length][::-1]
        before = after
    return codes


def bare_code(text: str) -> str | None:
    """What the text names as a code, in lower case and without hyphens; None when it is none.

    `#e9c4` and `[e9c4]`, as lists show it, are taken too.
    """
    if len(text) > 2 * MAX_CODE_CHARS:
        return None
    digits = text.strip().strip("#[]").replace("-", "").lower()
    return digits if _CODE.match(digits) else None


def ids_with_code(text: str, ids: Iterable[str]) -> list[str]:
    """Those of `ids` that end as the text says, sorted; none when it is no code."""
    digits = bare_code(text)
    if digits is None:
        return []
    return sorted(each for each in ids if each.replace("-", "").endswith(digits))


def find_by_code(text: str, ids: Collection[str], what: str) -> str:
    """The one id that ends as the text says; `what` names the kind of record, for the message.

    Raises:
        InvalidInput: the text is no code, or several ids end so.
        NotFound: none does.
    """
    if bare_code(text) is None:
        raise InvalidInput(
            f"{text!r:.60} is no code of a {what}: give the hex digits that stand before it in the list, "
            "such as e9c4."
        )
    found = ids_with_code(text, ids)
    if not found:
        raise NotFound(f"there is no {what} {bare_code(text)}: look up its code in the list.")
    if len(found) > 1:
        codes = codes_of(ids)
        named = ", ".join(codes[each] for each in found[:_MAX_NAMED])
        raise InvalidInput(
            f"{bare_code(text)} could be each of {len(found)} {what}s ({named}): give more digits."
        )
    return found[0]


def _common(one: str, other: str) -> int:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
