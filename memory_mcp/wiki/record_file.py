"""The file of a record: frontmatter that says what it is and what happened to it, and a body.

Two clones that change one record meet in its file: git keeps the lines of both. So the frontmatter is block
YAML with `state` first and `history` last, a change is one more line of history, and where the lines of
`state` disagree with the history, the history is right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memory_mcp.errors import Conflict
from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.model.record import Event, RecordType, fold
from memory_mcp.wiki.front_map import Entry, NotYaml
from memory_mcp.wiki.frontmatter import FileText, cut_file, map_front
from memory_mcp.wiki.prose import conflict_line
from memory_mcp.wiki.yaml_scalar import quote_scalar, scalar_text
from memory_mcp.wiki.yaml_subset import read_subset

_STATE = re.compile(r"state: ([a-z]+)\Z")
_PAIR = re.compile(
    r"""([a-z_]+): (?:"([^"\\]*)"|'((?:[^']|'')*)'|([^\s,\[\]{}"'#&*!|>%@`?:-][^,\[\]{}"'\#]*?))(?:, |\Z)"""
)
_PLAIN = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?\Z"
    r"|[0-9a-f]{12}\Z"
)
"""Ids, times and machines are written as they are, though some readers of YAML give them another type."""

_FLOW_INDICATORS = frozenset(",[]{}")
_ITEM = re.compile(r"\n( *)- ")


class NotARecord(Exception):
    """A file that cannot be read as a record; the text says why, to follow the file's name."""


class RecordText(NamedTuple):
    """What a record's file says.

    `states` are the values of its `state` lines: one, or after a merge several. `values` are all keys but
    `state` and `history`.
    """

    states: tuple[str, ...]
    values: Mapping[str, object]
    history: tuple[Event, ...]
    body: str

    def text(self, key: str) -> str:
        """The value of a key as a text, "" when it is absent or no scalar."""
        value = self.values.get(key)
        return scalar_text(value) if isinstance(value, (str, int, float, bool)) else ""


def parse_record(data: bytes) -> RecordText:
    """Read the bytes of a record's file.

    Raises:
        NotARecord: no UTF-8, a merge that a person has to finish, no frontmatter, or a history that is none.
    """
    text = _decode(data)
    parts = cut_file(text)
    if not parts.opening:
        raise NotARecord("has no frontmatter")
    front = parts.front.replace("\r\n", "\n") if "\r" in parts.front else parts.front
    return _read_plain(front, parts.body) or _read_full(front, parts.body)


RecordValue = str | int | Sequence[str]


def compose_record(
    kind: RecordType, values: Mapping[str, RecordValue], events: Sequence[Event], body: str = ""
) -> bytes:
    """The bytes of a record; `values` in their order, without those that are "" or 0, with empty lists."""
    lines = [f"state: {fold(kind, events).state}", f"type: {kind.name}"]
    for key, value in values.items():
        lines += _entry(key, value)
    history = [f"  - {_flow(event)}" for event in events]
    return "\n".join(["---", *lines, "history:", *history, "---", body]).encode()


def add_event(data: bytes, kind: RecordType, event: Event) -> bytes:
    """The record's bytes after one more event; everything but `state` and the new line stays as it was.

    Raises:
        Conflict: the frontmatter cannot be changed line by line; a person has to mend it.
        NotARecord: see `parse_record`.
    """
    return _rewrite(data, kind, event)


def mend_state(data: bytes, kind: RecordType) -> bytes:
    """The record's bytes with one `state`, which says what the history says; raises as `add_event`."""
    return _rewrite(data, kind, None)


def _decode(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotARecord("is not UTF-8 text") from None
    if (line := conflict_line(text)) is not None:
        raise NotARecord(f"has merge conflict markers at line {line}")
    return text


def _read_plain(front: str, body: str) -> RecordText | None:
    """Read a frontmatter of the form that we write, None where a full parser has to decide."""
    head, mark, tail = front.partition("\nhistory:\n")
    if not mark:
        return None
    states = []
    rest = []
    for line in head.split("\n"):
        if state := _STATE.match(line):
            states.append(state[1])
        else:
            rest.append(line)
    values = read_subset("\n".join(rest))
    if values is None or "state" in values or "history" in values:
        return None
    history = []
    for line in tail.splitlines():
        event = _read_event(line)
        if event is None:
            return None
        history.append(event)
    return RecordText(tuple(states), values, tuple(history), body)


def _read_event(line: str) -> Event | None:
    if not line.startswith("  - {") or not line.endswith("}"):
        return None
    inner = line[5:-1]
    values = {}
    at = 0
    while at < len(inner):
        pair = _PAIR.match(inner, at)
        if pair is None:
            return None
        key, double, single, plain = pair.groups()
        if plain is not None and (": " in plain or plain.endswith((" ", ":"))):
            return None
        values[key] = plain if plain is not None else double if single is None else single.replace("''", "'")
        at = pair.end()
    return _event(values)


def _event(values: Mapping[object, object]) -> Event | None:
    """An event of a history; None when it does not say what happened when."""
    texts = {
        str(key): scalar_text(value)
        for key, value in values.items()
        if isinstance(value, (str, int, float, bool))
    }
    try:
        at = parse_time(texts.get("at", ""))
    except (ValueError, OverflowError):
        return None
    known = ("event", "agent", "session", "machine", "reason")
    return Event(at, *(texts.get(key, "") for key in known)) if texts.get("event") else None


def _read_full(front: str, body: str) -> RecordText:
    try:
        found = map_front(front)
    except NotYaml as fault:
        raise NotARecord(
            f"has a frontmatter that is not YAML (line {fault.line + 2}: {fault.reason})"
        ) from None
    entries = [entry for entry in found.entries if entry.key == "history"]
    items = entries[-1].value if entries else None
    if len(entries) > 1 or (items is not None and not isinstance(items, list)):
        raise NotARecord("has a history that is not one list of events")
    history = [_event(item) if isinstance(item, dict) else None for item in items or ()]
    if None in history or any(entry.broken for entry in entries):
        raise NotARecord("has a line in its history that says no time or no event")
    return RecordText(
        tuple(str(entry.value) for entry in found.entries if entry.key == "state"),
        {key: value for key, value in found.values().items() if key not in ("state", "history")},
        tuple(event for event in history if event),
        body,
    )


def _rewrite(data: bytes, kind: RecordType, event: Event | None) -> bytes:
    text = _decode(data)
    before = parse_record(data)
    if event is not None:
        event = event._replace(at=event.at.replace(microsecond=0))  # as the file holds it
    history = before.history if event is None else (*before.history, event)
    state = fold(kind, history).state
    parts = cut_file(text)
    front = _plain_front(parts.front, state, event) or _edited_front(parts, state, event)
    result = "".join([parts.bom, parts.opening, front, parts.closing, parts.body]).encode()
    after = parse_record(result)
    if (after.states, after.values, after.body) != ((state,), before.values, before.body):
        raise Conflict(
            "the frontmatter cannot be changed line by line: write it as 'key: value' lines first."
        )
    if after.history != history:
        raise Conflict("the history cannot be added to: write it as a list of '- {...}' lines first.")
    return result


def _plain_front(front: str, state: str, event: Event | None) -> str:
    """A frontmatter of the form that we write after the event; "" where a parser must find the places."""
    first, newline, rest = front.partition("\n")
    is_plain = _STATE.match(first) and "\nstate:" not in front and "\r" not in front
    if not is_plain or _read_plain(front, "") is None:
        return ""
    added = f"  - {_flow(event)}\n" if event else ""
    return f"state: {state}{newline}{rest}{added}"


def _edited_front(parts: FileText, state: str, event: Event | None) -> str:
    eol = "\r\n" if parts.opening.endswith("\r\n") else "\n"
    try:
        found = map_front(parts.front)
    except NotYaml as fault:
        raise Conflict(f"the frontmatter is not YAML ({fault.reason}): mend it by hand first.") from None
    if found.flow or found.fault:
        raise Conflict("the frontmatter is not plain 'key: value' lines: mend it by hand first.")
    edits = _state_edits(found.entries, state, eol)
    if event is not None:
        edits.append(_history_edit(parts.front, found.entries, event, eol))
    front = parts.front
    for start, end, new in sorted(edits, reverse=True):
        front = front[:start] + new + front[end:]
    return front


Edit = tuple[int, int, str]
"""Start and end in the frontmatter, and what stands there afterwards."""


def _state_edits(entries: tuple[Entry, ...], state: str, eol: str) -> list[Edit]:
    lines = [entry for entry in entries if entry.key == "state"]
    if not lines:
        return [(0, 0, f"state: {state}{eol}")]
    first, *others = lines
    value_end = first.start + len("state:") if first.value is None else first.value_end
    return [
        (first.start, value_end, f"state: {state}"),
        *((each.start, each.end, "") for each in others),
    ]


def _history_edit(front: str, entries: tuple[Entry, ...], event: Event, eol: str) -> Edit:
    known = [entry for entry in entries if entry.key == "history"]
    if not known:
        return len(front), len(front), f"history:{eol}  - {_flow(event)}{eol}"
    last = known[-1]
    if not last.value:
        return last.start, last.end, f"history:{eol}  - {_flow(event)}{eol}"
    item = _ITEM.search(front, last.start, last.end)
    if item is None:
        raise Conflict("the history is not a list of '- {...}' lines: write it so first.")
    gap = "" if front[: last.end].endswith("\n") else eol
    return last.end, last.end, f"{gap}{item[1]}- {_flow(event)}{eol}"


def _flow(event: Event) -> str:
    """One line of history, `{at: …, event: …, …}`, without what is not known."""
    values = {
        "at": format_time(event.at),
        "event": event.event,
        "agent": event.agent,
        "session": event.session,
        "machine": event.machine,
        "reason": event.reason,
    }
    return "{" + ", ".join(f"{key}: {_flow_scalar(value)}" for key, value in values.items() if value) + "}"


def _entry(key: str, value: RecordValue) -> list[str]:
    if isinstance(value, (str, int)):
        return [f"{key}: {_scalar(value)}"] if value else []
    return [f"{key}:", *(f"  - {_scalar(item)}" for item in value)] if value else [f"{key}: []"]


def _scalar(value: str | int) -> str:
    if isinstance(value, int) or _PLAIN.match(value):
        return str(value)
    return quote_scalar(value)


def _flow_scalar(text: str) -> str:
    if _PLAIN.match(text):
        return text
    quoted = quote_scalar(text)
    if quoted == text and (_FLOW_INDICATORS & set(text) or ":" in text):
        return "'" + text.replace("'", "''") + "'"
    return quoted
