"""What of the index is out of date, told by looking at the files of the asked scopes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.model.page_place import skipped_folders
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.manifest import Manifest
from memory_mcp.store.stat_scan import Folders, Scan, Stat, scan_scope

log = logging.getLogger(__name__)

GoneFromHead = Callable[[Sequence[str]], bool]
"""Whether none of these wiki paths is in the HEAD of its repository any more."""

MAX_SILENT_LOSS = 3
"""So many files of a scope, or half of it, may vanish at once without anyone asking whether it is true."""


@dataclass(frozen=True, slots=True)
class Staleness:
    """How the files differ from the manifest, by wiki path.

    `changed` are to be read again and `gone` are to be removed. `missing` are files that vanished in
    bulk, as when a disk is not mounted: their pages stay in the index until someone confirms the loss.
    `closed` are folders that could not be listed.
    """

    changed: dict[str, Stat]
    gone: tuple[str, ...]
    missing: tuple[str, ...]
    closed: tuple[str, ...]


def look(
    wiki: Path, manifest: Manifest, scopes: Iterable[Scope], is_gone_from_head: GoneFromHead
) -> Staleness:
    """Compare the files of `scopes` with the manifest."""
    changed: dict[str, Stat] = {}
    gone: list[str] = []
    missing: list[str] = []
    closed: list[str] = []
    for scope in scopes:
        prefix = f"{scope}/"
        known = manifest.files.get(str(scope), {})
        scan = _scan(wiki, scope, known)
        if scan.changed:
            changed.update({prefix + path: stat for path, stat in scan.changed.items()})
        if scan.vanished:
            paths = [prefix + path for path in scan.vanished]
            believed = not _is_bulk(scan, known) or _confirmed(is_gone_from_head, paths)
            (gone if believed else missing).extend(paths)
        closed += [prefix + folder for folder in scan.closed]
    return Staleness(changed, tuple(gone), tuple(missing), tuple(closed))


def _scan(wiki: Path, scope: Scope, known: Folders) -> Scan:
    workspace = wiki / scope.workspace
    folder = workspace / scope.project
    if workspace.is_symlink() or folder.is_symlink():
        return Scan({}, tuple(f"{f}/{n}" if f else n for f, names in known.items() for n in names), ())
    return scan_scope(str(folder), known, skipped_folders(scope))


def _is_bulk(scan: Scan, known: Folders) -> bool:
    """Whether more vanished than people remove at once; files that moved did not vanish."""
    moved = {stat[3] for stat in scan.changed.values()}
    lost = 0
    for path in scan.vanished:
        folder, _, name = path.rpartition("/")
        lost += known[folder][name][3] not in moved
    return lost > max(MAX_SILENT_LOSS, sum(map(len, known.values())) // 2)


def _confirmed(is_gone_from_head: GoneFromHead, paths: list[str]) -> bool:
    try:
        return is_gone_from_head(paths)
    except Exception:
        log.warning("cannot ask git whether %d files are gone", len(paths), exc_info=True)
        return False
