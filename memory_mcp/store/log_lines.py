"""The project's log: append-only, one line an event that `grep` can read."""

from __future__ import annotations

from datetime import datetime

from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

MAX_DETAIL_CHARS = 200


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
