"""What the index knows of a scope's files, for a process that has no time to open it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.manifest import MANIFEST_NAME, Manifest, ManifestFile
from memory_mcp.search.index.page_index import current_name
from memory_mcp.store.stat_scan import Folders

MAX_BYTES = 4_000_000
"""A manifest of 60,000 files, which takes 50 ms to read; looking at files is as quick then."""


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """The files of a scope as the index saw them, and by path in the scope the pinned pages and no pages."""

    files: Folders
    pinned: tuple[str, ...] = ()
    no_pages: tuple[str, ...] = ()


def read_known_files(index: Path, scope: Scope) -> KnownFiles:
    """What is known of a scope: nothing where there is no index, or one of so many files that it is large."""
    name = current_name(index)
    folder = index / name
    try:
        if not name or (folder / MANIFEST_NAME).stat().st_size > MAX_BYTES:
            return KnownFiles({})
        manifest = ManifestFile(folder).read(Manifest())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return KnownFiles({})  # whoever opens the index will build it anew
    prefix = f"{scope}/"
    pinned, no_pages = (
        tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix))
        for paths in (manifest.pinned, [*manifest.ledgers, *manifest.unreadable])
    )
    return KnownFiles(manifest.files.get(str(scope), {}), pinned, no_pages)
