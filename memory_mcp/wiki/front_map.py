"""The top-level entries of a frontmatter, with where each lies in its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class NotYaml(Exception):
    """The text is not a YAML mapping: the line (from 0) and why, in a few words."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entry:
    """A top-level key with its value.

    The entry is the whole lines `text[start:end]`, the first of which is line number `line` (from 0); its
    value ends at `value_end`, and what follows that are comments. `broken` says that the lines are not
    YAML and were read by their looks.
    """

    key: str
    value: object
    start: int
    value_end: int
    end: int
    line: int
    broken: bool = False


class FrontMap(NamedTuple):
    """The entries of a frontmatter in their order.

    `flow` if it is written as one `{…}`, `indent` is the column of its keys. `fault` says why the
    whole is not YAML although it could be read entry by entry, else it is None.
    """

    entries: tuple[Entry, ...] = ()
    flow: bool = False
    indent: int = 0
    fault: NotYaml | None = None

    def values(self) -> dict[str, object]:
        """The mapping; of entries with one key the last counts."""
        return {entry.key: entry.value for entry in self.entries}
