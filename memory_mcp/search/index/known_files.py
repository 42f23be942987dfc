"""What the index knows of a scope's files, for a process that has no time to open it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.current_folder import POINTER
from memory_mcp.store.stat_scan import Folders, Stat

MIN_BYTES = 32_000
"""A manifest of 500 files: it takes longer to read than so many files do to be looked at."""
MAX_BYTES = 4_000_000
"""A manifest of 60,000 files, which takes 80 ms to read."""


class KnownFiles(NamedTuple):
    """The files of a scope as the index saw them, and by path in the scope the pinned pages and no pages."""

    files: Folders
    pinned: tuple[str, ...] = ()
    no_pages: tuple[str, ...] = ()

    def stats(self) -> dict[str, Stat]:
        """The files that are pages, by path in the scope."""
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
        size = (index / name / "manifest.jsonl").stat().st_size
    except OSError:
        return KnownFiles({})
    if not MIN_BYTES < size < MAX_BYTES:
        return KnownFiles({})
    from memory_mcp.search.index.manifest import Manifest, ManifestFile  # noqa: PLC0415 - see `MIN_BYTES`
    from memory_mcp.search.index.page_index import current_name  # noqa: PLC0415

    try:
        if current_name(index) != name:
            return KnownFiles({})  # an index of another version
        manifest = ManifestFile(index / name).read(Manifest())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return KnownFiles({})  # whoever opens the index will build it anew
    prefix = f"{scope}/"
    pinned, no_pages = (
        tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix))
        for paths in (manifest.pinned, [*manifest.ledgers, *manifest.unreadable])
    )
    return KnownFiles(manifest.files.get(str(scope), {}), pinned, no_pages)
