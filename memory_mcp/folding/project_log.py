"""The lines that sessions leave in the logs of their projects."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory_mcp.model.scope import Scope
from memory_mcp.store.log_lines import append_lines, log_line, log_name
from memory_mcp.store.wiki_change import Change

Entry = tuple[datetime, str, str]
"""When it happened, the event, and what it was about."""


def write_log(change: Change, scope: Scope, entries: Iterable[Entry]) -> None:
    """Append what is not there yet, each to the log of its own month, in the order of time."""
    months: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda each: each[0]):
        months.setdefault(log_name(entry[0]), []).append(entry)
    for name, found in months.items():
        path = f"{scope}/{name}"
        lines = [log_line(*entry) for entry in found]
        change.put(path, append_lines(change.read(path), lines, found[0][0]))
