"""The log: warnings and bugs in `logs/`, small, rotated, without any text of the user's."""

from __future__ import annotations

import logging
import os
import traceback
from pathlib import Path
from types import TracebackType

MAX_BYTES = 1_000_000
KEPT_FILES = 3

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class PlainFormatter(logging.Formatter):
    """Formats exceptions as type and places, since their messages may quote what a page or a user said."""

    def formatException(self, ei: _ExcInfo) -> str:
        """The traceback with the exception's type; of an `OSError` also the number."""
        kind, error, trace = ei
        if kind is None:
            return ""
        number = f" [Errno {error.errno}]" if isinstance(error, OSError) else ""
        return "".join(traceback.format_tb(trace)) + kind.__qualname__ + number


class MessageFormatter(logging.Formatter):
    """Formats the message alone: where an exception came from is for the log file."""

    def formatException(self, ei: _ExcInfo) -> str:
        """Nothing."""
        return ""


class LogFile(logging.Handler):
    """Appends to `path`, which several processes may share; opened for each of the rare records only."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.setFormatter(PlainFormatter("%(asctime)sZ %(process)d %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; a log that cannot be written is no reason to fail."""
        try:
            self._rotate()
            with self._path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(self.format(record) + "\n")
        except OSError:
            pass

    def _rotate(self) -> None:
        if not self._path.exists() or self._path.stat().st_size < MAX_BYTES:
            return
        files = [self._path, *(self._path.with_suffix(f".{n}.log") for n in range(1, KEPT_FILES))]
        for newer, older in zip(reversed(files[:-1]), reversed(files), strict=False):
            if newer.exists():
                os.replace(newer, older)


def log_to(path: Path, stream: logging.Handler) -> None:
    """Send warnings of every library to the log file, and their first line to `stream` (stderr)."""
    stream.setFormatter(MessageFormatter("memory-mcp: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[stream, LogFile(path)], force=True)
