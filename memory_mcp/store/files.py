"""Atomic, durable writes of single files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from memory_mcp.errors import Unavailable
from memory_mcp.store import steps

TEMPORARY_PREFIX = ".memory-mcp-tmp."
"""Files with this prefix are ours, half written, and nobody's truth."""

PLAIN_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags to open what is no symbolic link; where a pipe stands in its place nobody waits for its other end."""

CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}
"""What a full or protected disk answers to a writer; derived files can wait for a better day."""

_WORDS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EEXIST: "a part of the path is a file, not a folder",
    errno.EISDIR: "it is a folder",
    errno.ENAMETOOLONG: "the name is too long for this file system",
}


@contextmanager
def disk_errors(path: Path, doing: str = "write") -> Iterator[None]:
    """Turn what the operating system refuses into an `Unavailable` sentence."""
    try:
        yield
    except OSError as error:
        words = _WORDS.get(error.errno or 0, error.strerror or str(error))
        raise Unavailable(f"cannot {doing} {path}: {words}.") from error


def sync_folder(folder: Path) -> None:
    """Make a rename or removal in `folder` durable (a no-op where folders cannot be synced)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folders(folder: Path, mode: int = 0o777) -> None:
    """Create `folder` and its parents, durably."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(mode=mode, exist_ok=True)
        sync_folder(each.parent)


def write_atomically(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace the file at `path` so that a reader sees the old bytes or the new, never a mix.

    Raises:
        Unavailable: the disk is full, read-only or forbidden; nothing was changed.
    """
    _replace(path, data, mode)
    with disk_errors(path):
        sync_folder(path.parent)


def write_many(files: Mapping[Path, bytes | None]) -> None:
    """Replace each of these files atomically, or remove it (None); all are durable at the end.

    Each folder is synced once, which takes half of the time of an import.

    Raises:
        Unavailable: the disk refuses; the files before the one that it names are done.
    """
    for path, data in files.items():
        if data is None:
            _remove(path)
        else:
            _replace(path, data, None)
    for folder in {path.parent for path in files}:
        with disk_errors(folder):
            if folder.is_dir():
                sync_folder(folder)


def _replace(path: Path, data: bytes, mode: int | None) -> None:
    temporary = path.with_name(f"{TEMPORARY_PREFIX}{os.urandom(6).hex()}")
    with disk_errors(path):
        make_folders(path.parent)
        try:
            steps.reach("file.write")
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if mode is None and path.exists():
                mode = path.stat().st_mode & 0o7777
            if mode is not None:
                temporary.chmod(mode)
            steps.reach("file.written")
            temporary.replace(path)
            steps.reach("file.renamed")
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def remove_durably(path: Path) -> None:
    """Remove a file if it is there."""
    _remove(path)
    with disk_errors(path, "remove"):
        if path.parent.is_dir():
            sync_folder(path.parent)


def _remove(path: Path) -> None:
    with disk_errors(path, "remove"):
        steps.reach("file.remove")
        path.unlink(missing_ok=True)
        steps.reach("file.removed")


def remove_leftovers(folders: Iterable[Path]) -> None:
    """Remove the temporary files that killed writers left; only the one writer may do so."""
    for folder in folders:
        for leftover in folder.glob(f"{TEMPORARY_PREFIX}*"):
            with disk_errors(leftover, "remove"):
                leftover.unlink(missing_ok=True)


def remove_older(folder: Path, before: float) -> None:
    """Remove, where that is possible, the files of a folder that changed last before this time since 1970."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.stat(follow_symlinks=False).st_mtime < before:
                    os.unlink(entry.path)
    except OSError:
        pass  # nothing there yet, or another process is doing the same
