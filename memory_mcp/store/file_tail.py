"""The end of an append-only file that somebody else may have put there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def read_tail(root: Path, relative: str, limit: int) -> bytes:
    """The last `limit` bytes of the file at `relative` (parts joined by `/`) below `root`.

    Nothing where there is no file, where it is not regular or cannot be read, or where the way to it from
    `root` on leads through a symbolic link. The first line may be cut.
    """
    *folders, name = relative.split("/")
    folder = root
    for each in folders:
        folder /= each
        if folder.is_symlink():
            return b""
    try:
        descriptor = os.open(folder / name, _FLAGS)
    except (OSError, ValueError):
        return b""
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b""
        os.lseek(descriptor, max(0, found.st_size - limit), os.SEEK_SET)
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
