"""The vectors of one embedder: all in memory, and in a file that processes share.

    vectors/<provider>-<model>-<dimension>/
    └── passages.bin         see `vector_file`

Pages are known by their version, so that a page that was moved or brought back has its vectors already, and
one that was edited has none until they are computed. The file is derived: it is not fsynced, and when it is
damaged, gone or not writable the vectors in memory go on being used. What it lacks is written with the next
`save`. The vectors of all pages are kept as one matrix, each page's rows side by side; the pages are numbered
in this order, and a number is called a slot.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory_mcp.search.vectors.vector_file import (
    Block,
    DamagedVectors,
    decode_blocks,
    encode_block,
    new_first_line,
    read_first_line,
)
from memory_mcp.store import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE_NAME = "passages.bin"


@dataclass(frozen=True, slots=True)
class VectorView:
    """The vectors at one moment.

    `starts` is the first row of each slot, and `slots` knows the slot of a version, maybe also of some that
    are not in this view. While `slots` is the same object, a slot means the same page.
    """

    rows: NDArray[np.float32]
    starts: NDArray[np.int64]
    slots: Mapping[str, int]


class VectorStore:
    """Safe to call from several threads; `save` wants the writer lock."""

    def __init__(self, folder: Path, dimension: int, recipe: int) -> None:
        self._path = folder / FILE_NAME
        self._dimension = dimension
        self._recipe = recipe
        self._guard = threading.RLock()
        self._known: tuple[int, int, int] | None = None
        """How the file looked when it was last read or written; None when there is none."""
        self._first_line = b""
        self._end = 0
        """Where the last whole block ends."""
        self._slots: dict[str, int] = {}
        self._starts: list[int] = []
        self._counts: list[int] = []
        self._matrix: NDArray[np.float32] = np.zeros((0, dimension), np.float32)
        self._count = 0
        """Rows of the matrix that are in use."""
        self._unsaved: set[str] = set()
        self._view: VectorView | None = None
        self.is_damaged = False
        """Whether the file was damaged when it was last read, and has not been written anew since."""

    def refresh(self) -> None:
        """See what other processes appended; one stat when that is nothing. Never raises."""
        with self._guard:
            try:
                found = _look(os.stat(self._path))
                if found != self._known:
                    self._read()
                    self._known = found
            except OSError:  # gone, or not readable: what is in memory goes on
                self._lose_file()

    def view(self) -> VectorView:
        """The vectors as they are now; later changes do not touch it."""
        with self._guard:
            view = self._view
            if view is None or view.slots is not self._slots or len(view.starts) < len(self._starts):
                starts = np.array(self._starts, np.int64)
                view = self._view = VectorView(self._matrix[: self._count], starts, self._slots)
            return view

    def holds(self, version: str) -> bool:
        """Whether the page with this version has vectors."""
        return version in self._slots

    @property
    def is_unsaved(self) -> bool:
        """Whether `save` has something to do."""
        return bool(self._unsaved) or (self._known is not None and not self._is_whole())

    def __len__(self) -> int:
        """How many pages have vectors."""
        return len(self._slots)

    def add(self, block: Block) -> None:
        """Take in the vectors of pages, in memory; see `save`."""
        with self._guard:
            rounded = block.rows.astype(np.float16).astype(np.float32)  # as the file will give them back
            self._unsaved |= self._take(Block(block.versions, block.counts, rounded))

    def save(self) -> None:
        """Write what the file lacks. The writer lock must be held.

        Raises:
            OSError: the disk refuses; the vectors stay in memory.
        """
        with self._guard:
            self.refresh()
            if not self._is_whole():
                if self._slots or self._known:
                    self._replace(list(self._slots))
            elif self._unsaved:
                self._append([version for version in self._slots if version in self._unsaved])
            self._unsaved = set()

    def compact(self, live: Collection[str]) -> None:
        """Write the file anew without the pages that are not `live`, if there are such.

        The writer lock must be held.

        Raises:
            OSError: the disk refuses; the old file stays.
        """
        with self._guard:
            self.refresh()
            kept = [version for version in self._slots if version in live]
            if len(kept) < len(self._slots):
                self._replace(kept)
                self._unsaved = set()

    def forget(self) -> None:
        """Hold nothing any more, so that everything is computed anew and replaces the file."""
        with self._guard:
            self._clear()
            self._lose_file()
            self._path.unlink(missing_ok=True)

    def _clear(self) -> None:
        self._slots = {}
        self._starts = []
        self._counts = []
        self._matrix = np.zeros((0, self._dimension), np.float32)
        self._count = 0
        self._unsaved = set()
        self._view = None

    def _lose_file(self) -> None:
        self._known, self._first_line, self._end = None, b"", 0
        self._unsaved = set(self._slots)

    def _is_whole(self) -> bool:
        """Whether there is a file to which a block may be appended: nothing torn or damaged at its end."""
        return self._known is not None and self._end == self._known[1] > 0

    def _read(self) -> None:
        """Read what was appended, or the whole file when it is another one or does not go on as it should."""
        with self._path.open("rb") as file:
            if self._first_line and file.read(len(self._first_line)) == self._first_line:
                file.seek(self._end)
                if self._take_blocks(file.read(), 0):
                    return
            file.seek(0)
            data = file.read()
        held = self._blocks(list(self._slots))
        self._clear()
        self._end = 0
        try:
            self._first_line = read_first_line(data, self._recipe, self._dimension)
            self._end = len(self._first_line)
            self.is_damaged = bool(self._first_line) and not self._take_blocks(data, self._end)
        except DamagedVectors:
            self.is_damaged = True
        known = set(self._slots)
        for block in held:
            self._take(block)
        self._unsaved = set(self._slots) - known

    def _take_blocks(self, data: bytes, start: int) -> bool:
        """Take in the blocks of `data` from `start` on, which follow those before; whether all are sound."""
        base = self._end - start
        try:
            for end, block in decode_blocks(data, start, self._dimension):
                self._take(block)
                self._end = base + end
        except DamagedVectors:
            return False
        return True

    def _take(self, block: Block) -> set[str]:
        """Put the pages that are new behind the others; returns them."""
        new: set[str] = set()
        start = 0
        for version, count in zip(block.versions, block.counts, strict=True):
            if version not in self._slots:
                new.add(version)
                self._slots[version] = len(self._starts)
                self._starts.append(self._count)
                self._counts.append(count)
                self._reserve(self._count + count)
                self._matrix[self._count : self._count + count] = block.rows[start : start + count]
                self._count += count
            start += count
        return new

    def _reserve(self, rows: int) -> None:
        if rows > len(self._matrix):
            grown: NDArray[np.float32] = np.zeros(
                (max(rows, 2 * len(self._matrix), 1024), self._dimension), np.float32
            )
            grown[: self._count] = self._matrix[: self._count]
            self._matrix = grown

    def _blocks(self, versions: list[str]) -> list[Block]:
        """The vectors of these pages, out of memory, in one block or none."""
        if not versions:
            return []
        slots = [self._slots[version] for version in versions]
        rows = [self._matrix[self._starts[s] : self._starts[s] + self._counts[s]] for s in slots]
        return [Block(tuple(versions), tuple(self._counts[s] for s in slots), np.concatenate(rows))]

    def _append(self, versions: list[str]) -> None:
        data = b"".join(map(encode_block, self._blocks(versions)))
        with self._path.open("ab") as file:
            steps.reach("vectors.append")
            file.write(data)
            file.flush()
            self._known = _look(os.fstat(file.fileno()))
        self._end += len(data)
        steps.reach("vectors.appended")

    def _replace(self, versions: list[str]) -> None:
        """Write a file of these pages, and hold no others."""
        blocks = self._blocks(versions)
        line = new_first_line(self._recipe, self._dimension)
        data = line + b"".join(map(encode_block, blocks))
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = self._path.with_suffix(".tmp")
        try:
            with temporary.open("wb") as file:
                steps.reach("vectors.write")
                file.write(data)
                file.flush()
                known = _look(os.fstat(file.fileno()))
            steps.reach("vectors.written")
            temporary.replace(self._path)
        except OSError:
            temporary.unlink(missing_ok=True)  # a full disk needs the room
            raise
        if len(versions) < len(self._slots):
            self._clear()
            for block in blocks:
                self._take(block)
        self._known, self._first_line, self._end = known, line, len(data)
        self.is_damaged = False


def _look(found: os.stat_result) -> tuple[int, int, int]:
    """What tells that a file was changed."""
    return found.st_ino, found.st_size, found.st_mtime_ns
