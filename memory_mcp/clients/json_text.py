"""Setting one value in a JSON text, also one with comments, without touching any other byte of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from memory_mcp.clients.config_file import newline_of

_DECODER = json.JSONDecoder()
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"[^\s,}\]/]+")


@dataclass(frozen=True, slots=True)
class _Member:
    """One `"key": value` of an object, by offsets into the text."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """One object of the text: the offsets of its braces, and its members in order."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def member(self, key: str) -> _Member | None:
        """The member that counts for readers: of equal keys the last."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def load_json(text: str) -> Any:
    """The value that the text holds.

    Raises:
        ValueError: it is not JSON.
    """
    return json.loads(text)


def load_jsonc(text: str) -> Any:
    """The value that a text holds in which comments and commas at the end may stand.

    Raises:
        ValueError: it is not even that.
    """
    return json.loads(_TRAILING_COMMA.sub(_keep_string, _COMMENT.sub(_keep_string, text)))


def set_json_value(text: str, keys: tuple[str, ...], value: object) -> str:
    """Give the member at the path `keys` this value; objects that are missing on the way are made.

    `text` holds a JSON object, and what it holds on the way must be objects too. New lines take the
    indentation and line ending of their neighbours; a text on one line stays on one line.
    """
    here = _object_at(text, _skip_blank(text, 0))
    for depth, key in enumerate(keys):
        found = here.member(key)
        if found is None:
            for missing in reversed(keys[depth + 1 :]):
                value = {missing: value}
            return _add(text, here, key, value)
        if depth == len(keys) - 1:
            return (
                text[: found.value]
                + _dump(text, value, _indent_before(text, found.start))
                + text[found.end :]
            )
        here = _object_at(text, found.value)
    return text


def set_json_items(text: str, keys: tuple[str, ...], old: list[Any], new: list[Any]) -> str:
    """Let the list at the path `keys`, which holds `old`, hold `new`; what both begin and end with stays."""
    if not old or not new:
        return set_json_value(text, keys, new)
    spans = _items_at(text, _value_at(text, keys))
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    after = 0
    while after < min(len(old), len(new)) - first and old[-1 - after] == new[-1 - after]:
        after += 1
    gone, added = spans[first : len(old) - after], new[first : len(new) - after]
    indent = _indent_before(text, spans[0][0])
    comma = ", " if indent is None else f",{newline_of(text)}{indent}"
    words = comma.join(_dump(text, each, indent) for each in added)
    if gone and added:
        return text[: gone[0][0]] + words + text[gone[-1][1] :]
    if gone:  # with the comma before it, or the one after it
        start, end = (spans[first - 1][1], gone[-1][1]) if first else (gone[0][0], spans[len(gone)][0])
        return text[:start] + text[end:]
    if not added:
        return text
    if first:
        return text[: spans[first - 1][1]] + comma + words + text[spans[first - 1][1] :]
    return text[: spans[0][0]] + words + comma + text[spans[0][0] :]


def remove_json_member(text: str, keys: tuple[str, ...]) -> str:
    """The text without the member at the path `keys`, which is there, and without its comma."""
    here = _object_at(text, _skip_blank(text, 0))
    for key in keys[:-1]:
        found = here.member(key)
        assert found is not None
        here = _object_at(text, found.value)
    at = next(at for at, member in enumerate(here.members) if member.key == keys[-1])
    if at:
        return text[: here.members[at - 1].end] + text[here.members[at].end :]
    if len(here.members) > 1:
        return text[: here.members[0].start] + text[here.members[1].start :]
    return text[: here.start + 1] + text[here.end :]


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""


def _skip_blank(text: str, at: int) -> int:
    """The next character that is no white space and in no comment."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _value_end(text: str, at: int) -> int:
    """Where the value that begins at `at` ends."""
    if text[at] == '"':
        return _DECODER.raw_decode(text, at)[1]
    if text[at] not in "{[":
        scalar = _SCALAR.match(text, at)
        return scalar.end() if scalar else at
    depth = 0
    while True:
        at = _skip_blank(text, at)
        if text[at] == '"':
            at = _DECODER.raw_decode(text, at)[1]
            continue
        depth += text[at] in "{["
        depth -= text[at] in "}]"
        at += 1
        if depth == 0:
            return at


def _object_at(text: str, start: int) -> _Object:
    members = []
    at = _skip_blank(text, start + 1)
    while text[at] != "}":
        key, colon = _DECODER.raw_decode(text, at)
        value = _skip_blank(text, _skip_blank(text, colon) + 1)
        end = _value_end(text, value)
        members.append(_Member(key, at, value, end))
        at = _skip_blank(text, end)
        if text[at] == ",":
            at = _skip_blank(text, at + 1)
    return _Object(start, at, tuple(members))


def _value_at(text: str, keys: tuple[str, ...]) -> int:
    """Where the value at the path `keys` begins, which is there."""
    at = _skip_blank(text, 0)
    for key in keys:
        found = _object_at(text, at).member(key)
        assert found is not None
        at = found.value
    return at


def _items_at(text: str, start: int) -> list[tuple[int, int]]:
    """Where each item of the list begins and ends."""
    items = []
    at = _skip_blank(text, start + 1)
    while text[at] != "]":
        end = _value_end(text, at)
        items.append((at, end))
        at = _skip_blank(text, end)
        if text[at] == ",":
            at = _skip_blank(text, at + 1)
    return items


def _add(text: str, into: _Object, key: str, value: object) -> str:
    if into.members:
        last = into.members[-1]
        indent = _indent_before(text, last.start)
        gap = " " if indent is None else newline_of(text) + indent
        member = f"{json.dumps(key)}: {_dump(text, value, indent)}"
        return f"{text[: last.end]},{gap}{member}{text[last.end :]}"
    outer = _indent_of_line(text, into.start)
    if "\n" not in text and text.strip() != "{}":
        return f"{text[: into.start]}{{{json.dumps(key)}: {_dump(text, value, None)}}}{text[into.end + 1 :]}"
    newline, indent = newline_of(text), outer + _indent_unit(text)
    member = f"{json.dumps(key)}: {_dump(text, value, indent)}"
    return f"{text[: into.start]}{{{newline}{indent}{member}{newline}{outer}}}{text[into.end + 1 :]}"


def _dump(text: str, value: object, indent: str | None) -> str:
    """The value as JSON whose lines continue at `indent`; on one line when that is None."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_indent_unit(text)).split("\n")
    return (newline_of(text) + indent).join(lines)


def _indent_before(text: str, at: int) -> str | None:
    """The white space that leads the line on which `at` is the first thing, else None."""
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    return indent if "\n" in text[:at] and not indent.strip(" \t") else None


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_unit(text: str) -> str:
    """One step of indentation: that of the first member of the root, else two spaces."""
    root = _object_at(text, _skip_blank(text, 0))
    return (_indent_before(text, root.members[0].start) if root.members else None) or "  "
