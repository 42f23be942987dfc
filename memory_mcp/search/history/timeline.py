"""When each version was the page at its path, as far as the commits tell.

The file beside the index's segments only grows: a line for each index commit, written after it. A process
that dies between the two has these commits read again. Times are the committers', made monotone for each
path, since clocks of several machines disagree.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from memory_mcp.model.window import Window
from memory_mcp.search.index.segment_files import CorruptIndex

TIMELINE_NAME = "timeline.jsonl"


class Change(NamedTuple):
    """From `time` on (seconds since 1970) the file at a wiki path is this blob; None: there is none."""

    path: str
    time: int
    blob: str | None


@dataclass(frozen=True, slots=True)
class HistoryCommit:
    """What one commit of the index took in: the changes of a repository between two commits of its own.

    `repository` is its wiki folder; `after` is None at its beginning. `generation` is that of the index.
    """

    generation: int
    repository: str
    after: str | None
    head: str
    changes: tuple[Change, ...]


class Timeline:
    """All changes up to `heads`, the last commit that was read of each repository, by its wiki folder."""

    def __init__(self) -> None:
        self.generation = 0
        self.heads: dict[str, str] = {}
        self._times: dict[str, list[int]] = {}
        self._blobs: dict[str, list[str | None]] = {}

    def apply(self, commit: HistoryCommit) -> None:
        """Go on with what was read next.

        Raises:
            CorruptIndex: something between is missing.
        """
        if commit.after != self.heads.get(commit.repository):
            raise CorruptIndex(f"the timeline of {commit.repository!r} has a gap before {commit.head}")
        self.generation = commit.generation
        self.heads[commit.repository] = commit.head
        for path, time, blob in commit.changes:
            times = self._times.setdefault(path, [])
            blobs = self._blobs.setdefault(path, [])
            if blob != (blobs[-1] if blobs else None):
                times.append(max(time, times[-1]) if times else time)
                blobs.append(blob)

    def knows(self, path: str, blob: str) -> bool:
        """Whether a blob was read as a version of this path."""
        return blob in self._blobs.get(path, ())

    def knows_below(self, folder: str) -> bool:
        """Whether a file below a wiki folder was ever committed."""
        return any(path.startswith(f"{folder}/") for path in self._times)

    def paths(self) -> Iterator[str]:
        """The wiki paths that ever held a file."""
        return iter(self._times)

    def begins(self, path: str) -> int:
        """When the first version of a path came."""
        return self._times[path][0]

    def blob_at(self, path: str, moment: float) -> str | None:
        """The version of a path at a moment."""
        place = bisect_right(self._times.get(path, ()), moment)
        return self._blobs[path][place - 1] if place else None

    def window(self, path: str, blob: str, moment: float | None = None) -> Window | None:
        """When a version was the page: around a moment, else the last time; None if never."""
        times, blobs = self._times.get(path, []), self._blobs.get(path, [])
        if moment is None:
            place = max((place for place, each in enumerate(blobs) if each == blob), default=-1)
        else:
            place = bisect_right(times, moment) - 1
        if place < 0 or blobs[place] != blob:
            return None
        return Window(times[place], times[place + 1] if place + 1 < len(times) else None)


class TimelineFile:
    """The timeline of one index folder. Only the holder of the build lock appends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / TIMELINE_NAME
        self._end = 0
        """Where the last whole line that was read ends."""

    def create(self) -> None:
        """Make the file, empty."""
        self._path.touch(mode=0o600)

    def read(self, timeline: Timeline) -> None:
        """Apply the lines that were appended since the last call; one stat when there are none.

        Raises:
            OSError: the file is gone, and the index with it.
            CorruptIndex: lines are missing.
        """
        size = os.stat(self._path).st_size
        if size == self._end:
            return
        if size < self._end:
            raise CorruptIndex("the timeline is shorter than it was")
        with open(self._path, "rb") as file:
            file.seek(self._end)
            tail = file.read()
        whole, newline, _ = tail.rpartition(b"\n")
        self._end += len(whole) + len(newline)
        for line in whole.split(b"\n"):
            if (commit := _parse(line)) is not None:
                timeline.apply(commit)

    def append(self, commit: HistoryCommit, timeline: Timeline) -> None:
        """Apply to a timeline that is up to date, and add a line."""
        line = _dump(commit)
        timeline.apply(commit)
        with open(self._path, "ab") as file:
            if file.tell() > self._end:
                line = b"\n" + line  # someone died while appending; readers skip what does not parse
            file.write(line)
            self._end = file.tell()


def _dump(commit: HistoryCommit) -> bytes:
    """A line: the CRC-32 of what follows as 8 hex digits, a space, and the commit as JSON."""
    text = json.dumps(asdict(commit), separators=(",", ":")).encode("ascii")
    return b"%08x %b\n" % (crc32(text), text)


def _parse(line: bytes) -> HistoryCommit | None:
    """A line; None for a torn or damaged one, whose commits are then read again."""
    checksum, _, text = line.partition(b" ")
    try:
        if int(checksum, 16) != crc32(text):
            return None
        found = json.loads(text)
        changes = tuple(Change(*change) for change in found["changes"])
        return HistoryCommit(found["generation"], found["repository"], found["after"], found["head"], changes)
    except (ValueError, KeyError, TypeError):
        return None
