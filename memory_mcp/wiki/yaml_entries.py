"""Full YAML by PyYAML's events: the top-level entries of a frontmatter, with where each lies in the text.

Events rather than constructed objects, because a rewrite needs the place of every entry, scalars follow
our own rule (`yaml_scalar`), and the depth and the expansion of aliases can be bounded while reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from memory_mcp.wiki.front_map import Entry, FrontMap, NotYaml
from memory_mcp.wiki.yaml_scalar import resolve_scalar

MAX_DEPTH = 16
MAX_NODES = 10_000
"""With aliases counted as often as they are used, so that a page cannot expand without bound."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INDENTED_COMMENTS = re.compile(r"(?:[ \t]+#.*\n?)+")


def read_entries(text: str) -> FrontMap:
    """Parse the text as one YAML mapping (or nothing).

    Raises:
        NotYaml: it is something else, is nested too deep, or expands to too much.
    """
    reader = _Reader(text)
    try:
        return reader.read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NotYaml(mark.line if mark else 0, error.problem or "it cannot be parsed") from error
    except yaml.YAMLError as error:
        raise NotYaml(0, "it holds a character that YAML forbids") from error


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._events: Iterator[Any] = iter(yaml.parse(text, Loader=_LOADER))
        self._anchors: dict[str, tuple[object, int]] = {}
        self._nodes = 0
        self._value_end = 0

    def read(self) -> FrontMap:
        event = self._next()  # the start of the stream
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return FrontMap()
        event = self._next()
        if isinstance(event, yaml.ScalarEvent) and not event.value:
            return FrontMap()
        if not isinstance(event, yaml.MappingStartEvent):
            raise NotYaml(event.start_mark.line, "it is not a list of 'key: value' lines")
        flow = bool(event.flow_style)
        entries: list[Entry] = []
        indent = 0
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            indent = event.start_mark.column
            start, line = event.start_mark.index - indent, event.start_mark.line
            key = self._key(event)
            self._value_end = event.end_mark.index + 1
            value = self._value(self._next(), 1)
            entries.append(Entry(key, value, start, self._value_end, self._end_of_lines(), line))
        self._next()  # the end of the document
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise NotYaml(event.start_mark.line, "it holds more than one YAML document")
        return FrontMap(tuple(entries), flow, indent)

    def _next(self) -> Any:
        event = next(self._events)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise NotYaml(event.start_mark.line, f"it holds more than {MAX_NODES} values")
        return event

    def _key(self, event: Any) -> str:
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        value = self._value(event, 1)
        return value if isinstance(value, str) else self._text[event.start_mark.index : self._value_end]

    def _value(self, event: Any, depth: int) -> object:
        line, end = event.start_mark.line, event.end_mark.index
        if depth > MAX_DEPTH:
            raise NotYaml(line, f"it is nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.AliasEvent):
            self._value_end = end
            if event.anchor not in self._anchors:
                raise NotYaml(line, f"the anchor &{event.anchor} is not defined")
            value, nodes = self._anchors[event.anchor]
            self._nodes += nodes
            return value
        before = self._nodes
        if isinstance(event, yaml.ScalarEvent):
            if event.value or event.style:
                self._value_end = end
            value = resolve_scalar(event.value) if event.implicit[0] and not event.style else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._sequence(event, depth)
        else:
            value = self._mapping(event, depth)
        if anchor := getattr(event, "anchor", None):
            self._anchors[anchor] = (value, self._nodes - before + 1)
        return value

    def _sequence(self, event: Any, depth: int) -> list[object]:
        values = []
        while not isinstance(inner := self._next(), yaml.SequenceEndEvent):
            values.append(self._value(inner, depth + 1))
        self._close(event, inner)
        return values

    def _mapping(self, event: Any, depth: int) -> dict[str, object]:
        values = {}
        while not isinstance(inner := self._next(), yaml.MappingEndEvent):
            key = self._key(inner)
            self._value_end = max(self._value_end, inner.end_mark.index + 1)
            values[key] = self._value(self._next(), depth + 1)
        self._close(event, inner)
        return values

    def _close(self, start: Any, end: Any) -> None:
        if getattr(start, "flow_style", False):
            self._value_end = end.end_mark.index

    def _end_of_lines(self) -> int:
        """The end of the line on which the value ends, and of the indented comments that follow it."""
        end = self._value_end
        if self._text[end - 1] != "\n":
            end = self._text.find("\n", end) + 1 or len(self._text)
        comments = _INDENTED_COMMENTS.match(self._text, end)
        return comments.end() if comments else end
