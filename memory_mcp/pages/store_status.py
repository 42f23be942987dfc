"""Where the memory lies, what it holds, and what a person should mend."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_mcp import __version__
from memory_mcp.errors import Unavailable
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import CALLERS, ResolvedScope, Scope
from memory_mcp.search.answer import PageCounts
from memory_mcp.search.page_map import PageMap
from memory_mcp.search.page_vectors import PageVectors
from memory_mcp.store.data_dir import DataDir
from memory_mcp.store.wiki_repos import WikiRepos
from memory_mcp.wiki.scope_list import list_scopes
from memory_mcp.wiki.scope_resolve import ScopeResolver


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the store.

    `problems` holds sentences for a person, each with the file it is about; `notes` say what the counts miss.
    """

    version: str
    data_dir: Path
    folder: Path
    resolved: ResolvedScope
    exists: bool
    scopes: tuple[Scope, ...]
    counts: Mapping[str, int]
    git: Mapping[str, str]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


class StatusReporter:
    """Reports on the store without changing it."""

    def __init__(
        self,
        data_dir: DataDir,
        scopes: ScopeResolver,
        page_map: PageMap,
        vectors: PageVectors,
        repos: WikiRepos,
    ) -> None:
        self._data_dir = data_dir
        self._scopes = scopes
        self._map = page_map
        self._vectors = vectors
        self._repos = repos

    def report(self, *, workspace: str = "", project: str = "", progress: Progress = no_progress) -> Status:
        """The state of the store, with the counts of the resolved scope and of all."""
        resolved = self._scopes.resolve_read(workspace, project)
        folder = self._data_dir.wiki / resolved.scope.workspace / resolved.scope.project
        health = self._map.health(None, progress)
        nothing = PageCounts(missing_vectors=0 if self._vectors.search else None)
        here = health.counts.get(resolved.scope, nothing)
        missing = here.missing_vectors
        problems = [f"{path}: {text}" for path, text in health.problems]
        off = self._vectors.off()
        problems += _unwritable(self._data_dir)
        try:
            git = self._repos.describe(str(resolved.scope))
            problems += [each for each in self._repos.problems() if not each.startswith(f"{CALLERS}/")]
        except Unavailable as error:
            git = {}
            problems.append(str(error))
        return Status(
            version=__version__,
            data_dir=self._data_dir.root,
            folder=folder,
            resolved=resolved,
            exists=folder.is_dir(),
            scopes=tuple(list_scopes(self._data_dir.wiki)),
            counts={
                "pages": here.pages,
                "links": here.links,
                "unresolved_links": here.unresolved,
                "unreadable_pages": here.unreadable,
                **({} if missing is None else {"missing_vectors": missing}),
                "pages_in_all_scopes": health.total.pages,
            },
            git=git,
            problems=tuple(problems),
            notes=(*health.notes, *([off] if off else ())),
        )


def _unwritable(data_dir: DataDir) -> list[str]:
    """The folders that a write needs and this process may not change."""
    folders = (data_dir.root, data_dir.wiki, data_dir.state, data_dir.locks)
    return [
        f"{folder}: it cannot be written, so reads work and writes fail; let this user write it."
        for folder in folders
        if folder.is_dir() and not os.access(folder, os.W_OK)
    ]
