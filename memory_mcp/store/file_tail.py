"""The beginning or the end of an append-only file that somebody else may have put there."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from memory_mcp.store.files import PLAIN_FILE


def read_tail(root: Path, relative: str, limit: int) -> bytes:
    """The last `limit` bytes of the file at `relative` (parts joined by `/`) below `root`.

    Nothing where there is no file, where it is not regular or cannot be read, or where the way to it from
    `root` on leads through a symbolic link. The first line may be cut.
    """
    return _read(root, relative, lambda size: max(0, size - limit), limit)


def read_head(root: Path, relative: str, limit: int) -> bytes:
    """The first `limit` bytes of the file, as `read_tail`; the last line may be cut."""
    return _read(root, relative, lambda _: 0, limit)


def _read(root: Path, relative: str, begin: Callable[[int], int], limit: int) -> bytes:
    *folders, name = relative.split("/")
    folder = os.fspath(root)
    for each in folders:
        folder = f"{folder}/{each}"
        if os.path.islink(folder):
            return b""
    try:
        descriptor = os.open(f"{folder}/{name}", os.O_RDONLY | PLAIN_FILE)
    except (OSError, ValueError):
        return b""
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b""
        os.lseek(descriptor, begin(found.st_size), os.SEEK_SET)
        return read_bytes(descriptor, limit)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def read_bytes(descriptor: int, limit: int) -> bytes:
    """The next `limit` bytes of an open file, fewer at its end."""
    chunks = []
    while limit > 0 and (chunk := os.read(descriptor, limit)):
        chunks.append(chunk)
        limit -= len(chunk)
    return b"".join(chunks)
