"""The log of a caller: append-only, one line an event, `## [2026-11-30] op | detail`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChanges
from memory_mcp.callers.caller_day import caller_day
from memory_mcp.callers.caller_folder import LOG, CallerFolder
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.file_tail import read_tail
from memory_mcp.wiki.page_draft import check_characters

MAX_OP_CHARS = 64
MAX_DETAIL_CHARS = 2_000
MAX_READ_BYTES = 1_000_000
"""What is read of a log, from its end: some 10,000 entries."""

_LINE = re.compile(r"## \[(\d{4}-\d\d-\d\d)\] ([^|]*?) ?\| ?(.*)")
_OP_BREAKS = re.compile(r"[\s|]+")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log: the day as written, what kind of event it was, and what happened."""

    day: str
    op: str
    detail: str


@dataclass(frozen=True, slots=True)
class Logged:
    """What became of an entry: its line, whether it is a new one, and the commit if so."""

    line: str
    is_new: bool
    path: str
    file: Path
    commit: str | None
    redacted: bool


def log_line(day: date, op: str, detail: str) -> str:
    """One entry, without a newline: `op` is one word, and both hold no line breaks or control characters."""
    return f"## [{day.isoformat()}] {_OP_BREAKS.sub('_', one_line(op))} | {one_line(detail)}"


def append_entry(text: str, day: date, op: str, detail: str) -> str:
    """The text of a log with an entry at its end, unless it is there already."""
    line = log_line(day, op, detail)
    if text.strip() in ("", "# Log"):
        return f"# Log\n\n{line}\n"
    if f"\n{line}\n" in f"\n{text}\n":
        return text
    end = "" if text.endswith("\n") else "\n"
    return f"{text}{end}{line}\n"


class CallerLog:
    """Appends to the log of a caller, and reads it."""

    def __init__(
        self, folder: CallerFolder, changes: CallerChanges, sanitizer: Sanitizer, clock: Clock
    ) -> None:
        self._folder = folder
        self._changes = changes
        self._sanitizer = sanitizer
        self._clock = clock

    def append(self, op: str, detail: str, actor: Actor) -> Logged:
        """Append an entry of today; one that is there already is not appended again.

        Raises:
            InvalidInput: an argument is blank, too long, or has more than one line.
            Conflict: a person has to mend the log first.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        _check(op, "op", MAX_OP_CHARS)
        _check(detail, "detail", MAX_DETAIL_CHARS)
        clean_op, clean_detail = self._sanitizer.clean(op), self._sanitizer.clean(detail)
        with self._changes.begin("memory-append-log", LOG, actor) as change:
            day = caller_day(self._folder, self._clock())
            old = change.read_text(LOG)
            new = append_entry(old, day, clean_op, clean_detail)
            if new != old:
                change.put(LOG, new)
        line = log_line(day, clean_op, clean_detail)
        redacted = (clean_op, clean_detail) != (op, detail)
        return Logged(line, new != old, LOG, self._folder.file(LOG), change.commit, redacted)

    def read(self, limit: int) -> list[LogEntry]:
        """The last entries, the newest last; lines that are none are skipped.

        Raises:
            Conflict: the folder belongs to a caller of another name.
        """
        self._folder.check_owner()
        data = read_tail(self._folder.wiki, f"{self._folder.scope}/{LOG}", MAX_READ_BYTES)
        found = [_LINE.fullmatch(line.strip()) for line in data.decode("utf-8", "replace").split("\n")]
        entries = [LogEntry(*line.groups()) for line in found if line]
        return entries[-limit:]


def _check(text: str, argument: str, limit: int) -> None:
    check_characters(text, argument)
    if not one_line(text.replace("|", " ") if argument == "op" else text):
        raise InvalidInput(f"{argument} is blank: an entry says what happened, e.g. decision_made | Use WAL.")
    if len(text.strip().splitlines()) > 1:
        raise InvalidInput(f"{argument} has more than one line: a log entry is one line, so say it in one.")
    if len(text) > limit:
        raise InvalidInput(
            f"{argument} has {len(text):,} characters; the limit is {limit:,}: write a note and log its name."
        )
