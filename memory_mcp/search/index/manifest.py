"""Which files the index holds, and how each looked when it was read.

One file beside the index's segments: a first line with everything, then a line a change, appended after
the index commit that it tells of. A process that dies between the two has its files read again, never
forgotten. The file is derived data: it is not fsynced, and whatever is wrong with it costs a rebuild.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.store.stat_scan import Folders, Stat

MANIFEST_NAME = "manifest.jsonl"

UNSETTLED: Stat = (0, 0, 0, 0)
"""The stat of a file that has to be compared by content at the next look; no file looks so."""

_MAX_TAIL_BYTES = 128 * 1024
"""Appended lines are folded into the first line above this and a quarter of its size: some 1,000 writes."""


@dataclass(frozen=True, slots=True)
class ManifestChange:
    """What one index commit did.

    `seen` are the files it read, by wiki path, with their stat; those that are no pages are in
    `ledgers` or, with a sentence for a person, in `unreadable` too, and pinned pages in `pinned`. `gone` are
    files it let go.
    """

    generation: int
    seen: dict[str, Stat] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    ledgers: tuple[str, ...] = ()
    unreadable: dict[str, str] = field(default_factory=dict)
    pinned: tuple[str, ...] = ()


@dataclass(slots=True)
class Manifest:
    """The files that the index holds as of its `generation`; `files` is keyed by scope."""

    generation: int = 0
    files: dict[str, Folders] = field(default_factory=dict)
    ledgers: set[str] = field(default_factory=set)
    unreadable: dict[str, str] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)

    def apply(self, change: ManifestChange) -> None:
        """Bring the manifest up to the commit that `change` tells of."""
        self.generation = change.generation
        for path, stat in change.seen.items():
            scope, folder, name = split_wiki_path(path)
            self.files.setdefault(scope, {}).setdefault(folder, {})[name] = stat
            self._forget_nature(path)
        for path in change.gone:
            self._forget(path)
        self.ledgers.update(change.ledgers)
        self.unreadable.update(change.unreadable)
        self.pinned.update(change.pinned)

    def restat(self, seen: dict[str, Stat]) -> ManifestChange:
        """The change that known files look otherwise and are as they were."""
        ledgers = tuple(path for path in seen if path in self.ledgers)
        unreadable = {path: self.unreadable[path] for path in seen if path in self.unreadable}
        pinned = tuple(path for path in seen if path in self.pinned)
        return ManifestChange(self.generation, seen, (), ledgers, unreadable, pinned)

    def stat(self, wiki_path: str) -> Stat | None:
        """How the file looked when it was read; None when the manifest does not know it."""
        scope, folder, name = split_wiki_path(wiki_path)
        return self.files.get(scope, {}).get(folder, {}).get(name)

    def holds_page(self, wiki_path: str) -> bool:
        """Whether the index holds a document of this file."""
        return (
            self.stat(wiki_path) is not None
            and wiki_path not in self.ledgers
            and wiki_path not in self.unreadable
        )

    def paths(self, scope: str) -> Iterator[str]:
        """The wiki paths of a scope's pages."""
        for folder, names in self.files.get(scope, {}).items():
            prefix = f"{scope}/{folder}/" if folder else f"{scope}/"
            for name in names:
                path = prefix + name
                if path not in self.ledgers and path not in self.unreadable:
                    yield path

    def _forget(self, wiki_path: str) -> None:
        scope, folder, name = split_wiki_path(wiki_path)
        folders = self.files.get(scope, {})
        names = folders.get(folder, {})
        names.pop(name, None)
        if not names:
            folders.pop(folder, None)
        self._forget_nature(wiki_path)

    def _forget_nature(self, wiki_path: str) -> None:
        self.ledgers.discard(wiki_path)
        self.unreadable.pop(wiki_path, None)
        self.pinned.discard(wiki_path)


class ManifestFile:
    """The manifest of one index folder. Only the holder of the writer lock changes it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / MANIFEST_NAME
        self._inode = -1
        self._size = 0
        self._base_size = 0
        self._end = 0
        """Where the last whole line that was read ends."""

    def has_news(self) -> bool:
        """Whether someone changed the file since it was read; one stat.

        Raises:
            OSError: the file is gone, and the index with it.
        """
        found = os.stat(self._path)
        return found.st_ino != self._inode or found.st_size != self._size

    def read(self, known: Manifest) -> Manifest:
        """`known` with the lines that were appended since; a new one if the file was replaced.

        Raises:
            OSError: there is no such file.
            ValueError, KeyError, TypeError, AttributeError: its first line is not a manifest.
        """
        with open(self._path, "rb") as file:
            found = os.fstat(file.fileno())
            if found.st_ino != self._inode or found.st_size < self._end:
                base = file.readline()
                known = _parse_base(base)
                self._inode = found.st_ino
                self._base_size = self._end = len(base)
            file.seek(self._end)
            tail = file.read()
        whole, newline, torn = tail.rpartition(b"\n")
        self._end += len(whole) + len(newline)
        self._size = self._end + len(torn)
        for line in whole.split(b"\n"):
            if (change := _parse_change(line)) is not None:
                known.apply(change)
        return known

    def append(self, change: ManifestChange, manifest: Manifest) -> None:
        """Add a line, and apply it to `manifest`, which must be up to date with the file."""
        manifest.apply(change)
        if self._end > self._base_size + self._base_size // 4 + _MAX_TAIL_BYTES:
            self.replace(manifest)
            return
        line = _dump_change(change)
        if self._size > self._end:
            line = b"\n" + line  # someone died while appending; readers skip what does not parse
        with open(self._path, "ab") as file:
            file.write(line)
        self._size += len(line)
        self._end = self._size

    def replace(self, manifest: Manifest) -> None:
        """Write the whole manifest as one line, in one step."""
        line = _dump_base(manifest)
        temporary = self._path.with_suffix(".tmp")
        temporary.write_bytes(line)
        self._inode = temporary.stat().st_ino
        temporary.replace(self._path)
        self._base_size = self._end = self._size = len(line)


def split_wiki_path(wiki_path: str) -> tuple[str, str, str]:
    """Scope, folder below it ("" for the scope's own) and file name."""
    workspace, project, path = wiki_path.split("/", 2)
    folder, _, name = path.rpartition("/")
    return f"{workspace}/{project}", folder, name


def _dump_base(manifest: Manifest) -> bytes:
    """Names and numbers of a folder as two lists, which loads 10,000 files within 10 ms."""
    files = {
        scope: {
            folder: [list(names), [number for stat in names.values() for number in stat]]
            for folder, names in folders.items()
        }
        for scope, folders in manifest.files.items()
    }
    return _dump(
        {
            "generation": manifest.generation,
            "files": files,
            "ledgers": sorted(manifest.ledgers),
            "unreadable": manifest.unreadable,
            "pinned": sorted(manifest.pinned),
        }
    )


def _parse_base(line: bytes) -> Manifest:
    found = json.loads(line)
    files: dict[str, Folders] = {}
    for scope, folders in found["files"].items():
        files[scope] = {}
        for folder, (names, numbers) in folders.items():
            each = iter(numbers)
            files[scope][folder] = dict(zip(names, zip(each, each, each, each, strict=True), strict=True))
    kept = (set(found["ledgers"]), found["unreadable"], set(found["pinned"]))
    return Manifest(found["generation"], files, *kept)


def _dump_change(change: ManifestChange) -> bytes:
    return _dump(
        {
            "generation": change.generation,
            "seen": change.seen,
            "gone": change.gone,
            "ledgers": change.ledgers,
            "unreadable": change.unreadable,
            "pinned": change.pinned,
        }
    )


def _parse_change(line: bytes) -> ManifestChange | None:
    """A change; None for a torn line, whose files are then simply read again."""
    try:
        found = json.loads(line)
        seen = {path: (stat[0], stat[1], stat[2], stat[3]) for path, stat in found["seen"].items()}
        gone, ledgers, pinned = (tuple(found[name]) for name in ("gone", "ledgers", "pinned"))
        return ManifestChange(found["generation"], seen, gone, ledgers, found["unreadable"], pinned)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def _dump(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
