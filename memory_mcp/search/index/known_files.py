"""What the index knows of a scope's files, for a process that has no time to open it.

Of the manifest (`manifest` has its form) only what one scope needs is made of its lines.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.current_folder import POINTER
from memory_mcp.search.index.index_format import PREFIX
from memory_mcp.store.stat_scan import Folders, Stat

MIN_BYTES = 32_000
"""A manifest of 500 files: it takes longer to read than so many files do to be looked at."""
MAX_BYTES = 4_000_000
"""A manifest of 60,000 files, which takes 60 ms to read."""


class KnownFiles(NamedTuple):
    """The files of a scope as the index saw them, and by path in the scope the pinned pages and no pages."""

    files: Folders
    pinned: frozenset[str] = frozenset()
    no_pages: frozenset[str] = frozenset()

    def stats(self) -> dict[str, Stat]:
        """The files that may be pages, by path in the scope."""
        found = {
            f"{folder}/{name}" if folder else name: stat
            for folder, names in self.files.items()
            for name, stat in names.items()
        }
        for path in self.no_pages:
            found.pop(path, None)
        return found


def read_known_files(index: Path, scope: Scope) -> KnownFiles:
    """What is known of a scope: nothing where the index is of few files, of very many, or not there."""
    try:
        name = (index / POINTER).read_text(encoding="ascii", errors="replace").strip()
        manifest = index / name / "manifest.jsonl"
        if not name.startswith(PREFIX) or not MIN_BYTES < manifest.stat().st_size < MAX_BYTES:
            return KnownFiles({})
        return _parse(manifest.read_bytes(), f"{scope}/")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return KnownFiles({})  # whoever opens the index will build it anew


def _parse(data: bytes, prefix: str) -> KnownFiles:
    first, _, changes = data.partition(b"\n")
    base = json.loads(first)
    files: Folders = {}
    for folder, (names, numbers) in base["files"].get(prefix.rstrip("/"), {}).items():
        each = iter(numbers)
        files[folder] = dict(zip(names, zip(each, each, each, each, strict=True), strict=True))
    pinned = set(base["pinned"])
    no_pages = {*base["ledgers"], *base["unreadable"]}
    for line in changes.split(b"\n"):
        change = _change(line)
        for path in (*change["seen"], *change["gone"]):
            pinned.discard(path)
            no_pages.discard(path)
        pinned.update(change["pinned"])
        no_pages.update(change["ledgers"], change["unreadable"])
        for path, stat in (change["seen"] | dict.fromkeys(change["gone"])).items():
            if path.startswith(prefix):
                folder, _, name = path.removeprefix(prefix).rpartition("/")
                names = files.setdefault(folder, {})
                if stat is None:
                    names.pop(name, None)
                else:
                    names[name] = tuple(stat)
    return KnownFiles(
        files,
        frozenset(path.removeprefix(prefix) for path in pinned if path.startswith(prefix)),
        frozenset(path.removeprefix(prefix) for path in no_pages if path.startswith(prefix)),
    )


def _change(line: bytes) -> dict[str, Any]:
    """A line that was appended; one that is torn changes nothing, and its files are looked at."""
    try:
        found = json.loads(line)
        return {name: found[name] for name in ("seen", "gone", "pinned", "ledgers", "unreadable")}
    except (ValueError, KeyError, TypeError):
        return {"seen": {}, "gone": (), "pinned": (), "ledgers": (), "unreadable": {}}
