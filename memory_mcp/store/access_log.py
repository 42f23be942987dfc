"""Which pages were read, when and by whom: an append-only file of this machine, without the lock.

A line is `{"at", "path", "scope", "reader"}`. A page counts at most once a minute for each reader, whatever
the number of processes: each remembers what it read in the file, and looks at what others have appended
since before it appends itself. Two that append in the same instant may both write; who counts the lines
applies the rule again. Nothing here makes a read fail, and nothing touches the index.

The file is bounded: at `MAX_BYTES` it becomes `access.old.jsonl`, in place of the one before. Old counts
are lost then, never new ones.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from memory_mcp.model.clock import Clock, format_milliseconds, parse_time
from memory_mcp.model.scope import Scope
from memory_mcp.store.file_tail import read_bytes

log = logging.getLogger(__name__)

ACCESS_NAME = "access.jsonl"
OLD_NAME = "access.old.jsonl"

THROTTLE_SECONDS = 60.0
MAX_BYTES = 8_000_000
"""About 60,000 accesses."""

_CHUNK = 65_536
_MAX_TAIL_BYTES = 16 * _CHUNK
"""How far a process looks back for the last minute of the others; some 8,000 accesses."""
_MAX_REMEMBERED = 10_000
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}
"""A store that this process may only read has no counts of it."""


class Access(NamedTuple):
    """One line: a page was read."""

    at: datetime
    scope: str
    path: str
    reader: str


class AccessLog:
    """The accesses of one caller, noted in the folder `state`."""

    def __init__(self, state: Path, caller: str, clock: Clock) -> None:
        self._file = state / ACCESS_NAME
        self._reader = reader_id(caller)
        self._clock = clock
        self._last: dict[tuple[str, str], float] = {}
        """When this reader's access to a scope's page was noted last, in seconds since 1970."""
        self._inode = -1
        self._seen = 0
        """How much of the file is in `_last`."""
        self._failed = False

    def note(self, pages: Iterable[tuple[Scope, str]]) -> None:
        """Note that these pages (scope, path in it) were read now; never raises for what the disk refuses."""
        keys = dict.fromkeys((str(scope), path) for scope, path in pages)
        if not keys:
            return
        try:
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(self._file, _FLAGS, 0o600)
            try:
                self._append(descriptor, list(keys))
            finally:
                os.close(descriptor)
        except OSError as error:
            if error.errno not in _READ_ONLY and not self._failed:
                self._failed = True
                log.warning("accesses to pages cannot be counted in %s: %s", self._file, error.strerror)

    def _append(self, descriptor: int, keys: list[tuple[str, str]]) -> None:
        now = self._clock()
        moment = now.timestamp()
        is_torn = self._catch_up(descriptor, moment)
        due = [key for key in keys if not _is_recent(self._last.get(key), moment)]
        if not due:
            return
        at = format_milliseconds(now)
        lines = "".join(_dump(at, scope, path, self._reader) for scope, path in due)
        data = lines.encode("utf-8", "surrogatepass")
        os.write(descriptor, b"\n" + data if is_torn else data)
        self._last.update(dict.fromkeys(due, moment))
        if len(self._last) > _MAX_REMEMBERED:
            self._last = {key: last for key, last in self._last.items() if _is_recent(last, moment)}
        if os.fstat(descriptor).st_size > MAX_BYTES:
            self._rotate(descriptor)

    def _catch_up(self, descriptor: int, moment: float) -> bool:
        """Read what was appended since the last time; returns whether the last line is torn.

        A line that another process is just writing looks torn too; an empty line is all that comes of it.
        """
        found = os.fstat(descriptor)
        if found.st_ino != self._inode or found.st_size < self._seen:
            self._inode = found.st_ino
            self._seen = 0
        first = max(self._seen - 1, 0)  # with the byte before, to see whether the last line is whole
        size = _CHUNK
        while True:
            start = max(first, found.st_size - size)
            os.lseek(descriptor, start, os.SEEK_SET)
            tail = read_bytes(descriptor, found.st_size - start)
            accesses = [each for line in tail.split(b"\n") if (each := parse_access(line)) is not None]
            is_enough = bool(accesses) and not _is_recent(accesses[0].at.timestamp(), moment)
            if start == first or is_enough or size >= _MAX_TAIL_BYTES:
                break
            size *= 4
        for access in accesses:
            if access.reader == self._reader:
                self._last[access.scope, access.path] = access.at.timestamp()
        self._seen = found.st_size
        return bool(tail) and not tail.endswith(b"\n")

    def _rotate(self, descriptor: int) -> None:
        try:
            if os.fstat(descriptor).st_ino == os.stat(self._file).st_ino:  # nobody else has done it
                os.replace(self._file, self._file.with_name(OLD_NAME))
        except FileNotFoundError:
            pass


def _is_recent(last: float | None, moment: float) -> bool:
    """Whether an access of that time still stands for one now; not if the clock was put back."""
    return last is not None and 0 <= moment - last < THROTTLE_SECONDS


def reader_id(caller: str) -> str:
    """The first 8 hex digits of the SHA-256 of the caller's name."""
    return hashlib.sha256(caller.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def parse_access(line: bytes) -> Access | None:
    """The access that a line tells of; None for one that is torn or tells something else."""
    try:
        found = json.loads(line)
        texts = (found["at"], found["scope"], found["path"], found["reader"])
        if not all(isinstance(text, str) for text in texts):
            return None
        at, *others = texts
        return Access(parse_time(at), *others)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _dump(at: str, scope: str, path: str, reader: str) -> str:
    return json.dumps({"at": at, "path": path, "scope": scope, "reader": reader}, ensure_ascii=False) + "\n"
