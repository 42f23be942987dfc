"""The project's log: append-only, one line an event that `grep` can read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.file_tail import read_tail

MAX_DETAIL_CHARS = 200
MAX_READ_BYTES = 1_000_000
"""What is read of the log of a month, from its end: some 15,000 entries."""

_LINE = re.compile(r"## \[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\] ([a-z0-9-]+) \| (.*)")


def log_name(moment: datetime) -> str:
    """The log file of a scope in that month."""
    return f"log-{moment:%Y-%m}.md"


def log_line(moment: datetime, event: str, detail: str) -> str:
    """One entry, `## [2026-11-30T12:00:00Z] write-page | decisions/db.md`, without a newline."""
    return f"## [{format_time(moment)}] {event} | {one_line(detail, MAX_DETAIL_CHARS)}"


def append_line(old: bytes | None, line: str, moment: datetime) -> bytes:
    """The log's bytes with `line` at the end, unless it is there already."""
    if old is None:
        return f"# Log {moment:%Y-%m}\n\n{line}\n".encode()
    encoded = line.encode()
    if encoded in old.splitlines()[-50:]:
        return old
    return old + (b"" if old.endswith(b"\n") or not old else b"\n") + encoded + b"\n"


def append_lines(old: bytes | None, lines: Sequence[str], moment: datetime) -> bytes:
    """The log's bytes with those of `lines` at the end that are not there yet."""
    there = set((old or b"").splitlines())
    data = f"# Log {moment:%Y-%m}\n\n".encode() if old is None else old
    if data and not data.endswith(b"\n"):
        data += b"\n"
    new = (line.encode() for line in dict.fromkeys(lines))
    return data + b"".join(line + b"\n" for line in new if line not in there)


def read_entries(wiki: Path, scope: str, first: datetime, until: datetime) -> Iterator[tuple[str, str]]:
    """Event and detail of what a scope's logs say of the time from `first` to before `until`, in their order.

    Lines that are no entries are skipped, and so is a log that cannot be read.
    """
    begin, end = format_time(first), format_time(until)
    year, month = first.year, first.month
    while (year, month) <= (until.year, until.month):
        data = read_tail(wiki, f"{scope}/log-{year:04}-{month:02}.md", MAX_READ_BYTES)
        for line in data.decode("utf-8", "replace").splitlines():
            entry = _LINE.fullmatch(line)
            if entry and begin <= entry[1] < end:
                yield entry[2], entry[3]
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
