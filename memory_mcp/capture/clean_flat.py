"""Text without secrets of a JSON value, however large: what is cut is cut where no secret can be cut in two.

a text within the limit is cleaned whole
of a longer one the beginning is cleaned, and what stands last in it, where half a secret could be, dropped
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

WHOLE_CHARS = 1_000_000
"""More than any model reads; cleaning it takes some 30 ms."""
START_CHARS = 32_768
"""What is cleaned of a text of which only the first lines are kept."""
EDGE_CHARS = 16_384
"""What is dropped before a cut: no key or token is longer."""

_MAX_DEPTH = 32
_COLOURS = r"\x1b\[[0-9;:?]*[ -/]*[@-~]"
_NODE_COST = 16
"""What a member of an object counts for, so that a million empty ones are not looked at."""


def clean_within(text: str, clean: Callable[[str], str], limit: int) -> str:
    """The text without secrets; of one of more than `limit` characters, its beginning."""
    if len(text) <= limit:
        return clean(_plain(text))
    return clean(_plain(text[:limit]))[:-EDGE_CHARS]


def _plain(text: str) -> str:
    """The text without the colours of a terminal, whose last letter would hide where a key begins."""
    return re.sub(_COLOURS, "", text) if "\x1b" in text else text


def clean_flat(value: Any, clean: Callable[[str], str], limit: int) -> str:
    """A JSON value as text without secrets, its beginning if there are more than `limit` characters.

    A text is itself; of a list the items, line by line; of an object its `text`, else its `content`, else its
    JSON.
    """
    return clean_within(_flatten(value, clean, [limit], 0), clean, limit)


def _flatten(value: Any, clean: Callable[[str], str], room: list[int], depth: int) -> str:
    if value is None or depth > _MAX_DEPTH or room[0] <= 0:
        return ""
    if isinstance(value, str):
        room[0] -= len(value)
        return value
    if isinstance(value, list):
        texts = []
        for each in value:
            if room[0] <= 0:
                break
            room[0] -= 1
            if text := _flatten(each, clean, room, depth + 1):
                texts.append(text)
        return "\n".join(texts)
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            return _flatten(value["text"], clean, room, depth + 1)
        if "content" in value:
            return _flatten(value["content"], clean, room, depth + 1)
        return _json(_cleaned(value, clean, room, depth)) if value else ""
    return _json(value)


def _cleaned(value: Any, clean: Callable[[str], str], room: list[int], depth: int) -> Any:
    """The value with every text in it cleaned: in JSON the `\\n` before a key would hide where it begins."""
    room[0] -= _NODE_COST
    if isinstance(value, str):
        limit = max(room[0], 0) + EDGE_CHARS + 1
        room[0] -= len(value)
        return clean_within(value, clean, limit)
    if isinstance(value, (dict, list)) and depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        items = []
        for each in value:
            if room[0] <= 0:
                break
            items.append(_cleaned(each, clean, room, depth + 1))
        return items
    if isinstance(value, dict):
        members = {}
        for name, each in value.items():
            if room[0] <= 0:
                break
            members[clean_within(name, clean, START_CHARS)] = _cleaned(each, clean, room, depth + 1)
        return members
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
