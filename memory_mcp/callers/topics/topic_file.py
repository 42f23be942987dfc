"""The file of a note or skill: frontmatter of ours, and the text with its sections behind it."""

from __future__ import annotations

from collections.abc import Mapping

from memory_mcp.errors import Conflict
from memory_mcp.wiki.front_edit import TANGLED, edit_entries, map_file, read_edited
from memory_mcp.wiki.yaml_scalar import quote_scalar

KEYS = ("summary", "created", "updated", "tags", "permanent", "archived")
"""The keys that we write, in the order of a new file; others are the person's."""

_TIMES = ("created", "updated")

Value = str | bool | list[str]
Values = Mapping[str, Value]
"""What keys of the frontmatter shall say; false takes a key away."""


def body_of(text: str) -> str:
    """What stands behind the frontmatter."""
    return map_file(text)[0].body


def compose_topic(old: str, body: str, values: Values) -> str:
    """The text of a file, LF, whose body and values become these; all else of its frontmatter stays.

    Raises:
        Conflict: the frontmatter cannot be changed without loss; a person must mend it.
    """
    parts, found = map_file(old)
    told = found.values()
    broken = {entry.key for entry in found.entries if entry.broken}
    changed = {
        key: _render(key, values[key])
        for key in KEYS
        if key in values and (key in broken or told.get(key, False) != values[key])
    }
    front = edit_entries(parts.front, found, changed, "\n")
    if front != parts.front:
        read = read_edited(front, found, KEYS)
        if read is None or any(read.get(key, False) != values[key] for key in changed):
            raise Conflict(TANGLED)
    if not parts.opening and not front:
        return body
    return f"---\n{front}---\n{body}"


def _render(key: str, value: Value) -> list[str]:
    if isinstance(value, bool):
        return [f"{key}: true"] if value else []
    if key in _TIMES:
        return [f"{key}: {value}"]
    if isinstance(value, str):
        return [f"{key}: {quote_scalar(value)}"]
    return [f"{key}:", *(f"  - {quote_scalar(item)}" for item in value)]
