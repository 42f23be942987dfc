"""What changed below a scope's folder since the last look, told by stat alone.

The walk compares while it goes and asks for the type of a file only when its stat is new, which costs
about 1.2 times a bare `os.scandir` walk with stat. Symbolic links are not followed, so a loop cannot hang
it and nothing outside the scope is seen.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

from memory_mcp.model.page_path import RECORD_FOLDERS

Stat = tuple[int, int, int, int]
"""mtime in ns, ctime in ns, size in bytes, inode of a file."""

Folders = dict[str, dict[str, Stat]]
"""The known files of a scope: folder relative to the scope ("" for its own), then name, then stat."""

_SECOND_NS = 1_000_000_000
_TICK_NS = 20_000_000
"""Longest clock tick of file systems that keep nanoseconds (a kernel at 50 Hz)."""
_COARSE_TICK_NS = 2 * _SECOND_NS
"""Clock tick of file systems that keep whole seconds (FAT: two)."""


class Scan(NamedTuple):
    """What a walk found, as paths relative to the scope's folder.

    `changed` are new files and files whose stat differs from the known one; `vanished` are known files
    that are gone; `closed` are folders that the operating system does not let us list, whose known
    files are taken to be there still.
    """

    changed: dict[str, Stat]
    vanished: tuple[str, ...]
    closed: tuple[str, ...]


def scan_scope(scope_folder: str, known: Folders, skipped: Sequence[str] = RECORD_FOLDERS) -> Scan:
    """Compare the markdown files below `scope_folder` with `known`, which is not touched.

    Dot files, dot folders, and the folders at the top whose names in lower case are `skipped` are passed
    over. A scope folder that does not exist is empty.
    """
    changed: dict[str, Stat] = {}
    vanished: list[str] = []
    closed: list[str] = []
    visited: set[str] = set()
    stack = [""]
    while stack:
        folder = stack.pop()
        names = known.get(folder, {})
        try:
            same = _scan_folder(scope_folder, folder, names, changed, stack, () if folder else skipped)
        except FileNotFoundError:
            continue
        except OSError:
            closed.append(folder)
            continue
        visited.add(folder)
        if same != len(names):
            vanished += _missing(scope_folder, folder, names)
    for folder in known.keys() - visited:
        if not any(_is_below(folder, each) for each in closed):
            vanished += [_join(folder, name) for name in known[folder]]
    return Scan(changed, tuple(sorted(vanished)), tuple(closed))


def stat_file(path: str) -> Stat | None:
    """The stat of a regular file; None when there is none at `path`, or a symbolic link."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return _stat_of(found) if stat.S_ISREG(found.st_mode) else None


def is_settled(known: Stat, seen_ns: int) -> bool:
    """Whether a later edit is sure to change the stat of a file that was looked at at `seen_ns`.

    An edit within the same tick of the file system's clock may leave mtime, ctime and size as they
    were. Such a file has to be compared by content the next time, as git does with its index. The
    times that count are the file system's and the machine's own, not an injected clock.
    """
    changed_ns = max(known[0], known[1]) if os.name == "nt" else known[1]
    coarse = changed_ns % _SECOND_NS == 0
    return changed_ns + (_COARSE_TICK_NS if coarse else _TICK_NS) < seen_ns


def _scan_folder(
    scope_folder: str,
    folder: str,
    names: dict[str, Stat],
    changed: dict[str, Stat],
    stack: list[str],
    skipped: Sequence[str],
) -> int:
    """Add to `changed` and to the `stack` of folders; how many files are as known."""
    same = 0
    get = names.get
    with os.scandir(f"{scope_folder}/{folder}") as entries:
        for entry in entries:
            name = entry.name
            if name[-3:] == ".md":
                try:
                    s = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # removed since it was listed
                if get(name) == (s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino):
                    same += 1
                elif stat.S_ISREG(s.st_mode):
                    if name[0] != ".":
                        changed[_join(folder, name)] = _stat_of(s)
                elif stat.S_ISDIR(s.st_mode) and name[0] != ".":
                    stack.append(_join(folder, name))
            elif name[0] != "." and name.lower() not in skipped and entry.is_dir(follow_symlinks=False):
                stack.append(_join(folder, name))
    return same


def _missing(scope_folder: str, folder: str, names: dict[str, Stat]) -> list[str]:
    paths = [_join(folder, name) for name in names]
    return [path for path in paths if stat_file(f"{scope_folder}/{path}") is None]


def _stat_of(found: os.stat_result) -> Stat:
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_below(folder: str, parent: str) -> bool:
    return not parent or folder == parent or folder.startswith(parent + "/")
