"""The YAML that nearly every frontmatter is made of, read line by line.

A full YAML parser takes five to ten times as long, which a rebuild of ten thousand pages would feel. This
one answers only when it is sure to agree with the full one: scalars on one line, lists of scalars.
"""

from __future__ import annotations

import re

from memory_mcp.wiki.yaml_scalar import INDICATORS, UNPRINTABLE, is_plain, resolve_scalar

_OUTSIDE = re.compile(rf"[\x00-\x09\x0b-\x1f{UNPRINTABLE}]")
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,127}):(?: +(.*))?\Z")
_FLOW_ITEM = re.compile(
    r""" *(?:"([^"\\]*)"|'([^']*)'|([^\s,\[\]{}#&*!|>'"%@`:?-][^,\[\]{}#&*!|>'"%@`:?]*)) *(,|\Z)"""
)


class _Unsure(Exception):
    """Met something whose meaning the full parser must decide."""


def read_subset(front: str) -> dict[str, object] | None:
    """Read a frontmatter with LF line endings, or return None where only a full parser can be sure."""
    if _OUTSIDE.search(front):
        return None
    try:
        return _read_lines(front.split("\n"))
    except _Unsure:
        return None


def _read_lines(lines: list[str]) -> dict[str, object]:
    values: dict[str, object] = {}
    open_key = ""
    items: list[object] | None = None
    item_indent = 0
    for raw in lines:
        line = raw.rstrip(" ")
        if not line or line[0] == "#":
            continue
        if line[0] in " -":
            text = line.lstrip(" ")
            indent = len(line) - len(text)
            if not open_key or text[:2] != "- " or (items is not None and indent != item_indent):
                raise _Unsure
            if items is None:
                values[open_key] = items = []
                item_indent = indent
            items.append(_read_scalar(text[2:].lstrip(" ")))
            continue
        found = _KEY.match(line)
        if found is None:
            raise _Unsure
        key, text = found.groups()
        if key in values:
            raise _Unsure
        if text:
            values[key] = _read_flow_list(text) if text[0] == "[" else _read_scalar(text)
            open_key = ""
        else:
            values[key] = None
            open_key = key
            items = None
    return values


def _read_scalar(text: str) -> object:
    first = text[0]
    if first not in INDICATORS:
        if not is_plain(text):
            raise _Unsure
        return resolve_scalar(text)
    inner = text[1:-1]
    if len(text) > 1 and text[-1] == first:
        if first == '"' and '"' not in inner and "\\" not in inner:
            return inner
        if first == "'" and "'" not in inner.replace("''", ""):
            return inner.replace("''", "'")
    raise _Unsure


def _read_flow_list(text: str) -> list[object]:
    if text[-1] != "]":
        raise _Unsure
    inner = text[1:-1]
    items: list[object] = []
    position = 0
    if not inner.strip(" "):
        return items
    while True:
        found = _FLOW_ITEM.match(inner, position)
        if found is None:
            raise _Unsure
        double, single, plain, separator = found.groups()
        if plain is not None:
            items.append(resolve_scalar(plain.rstrip(" ")))
        else:
            items.append(single if double is None else double)
        position = found.end()
        if not separator:
            return items
