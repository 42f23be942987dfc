"""The index on disk as one process sees it: which folder is current, what it holds, and how it changes.

    index/
    ├── current              the name of the folder below; replacing this file is how a rebuild takes effect
    └── v1-<random>/         Whoosh's files and the manifest

A folder's name begins with the version of everything in it. Other versions are not opened (Whoosh's files
hold pickles of our classes) and are removed by the next rebuild. Any exception here means: rebuild.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.search.index.current_folder import read_current
from memory_mcp.search.index.index_format import PREFIX
from memory_mcp.search.index.manifest import UNSETTLED, Manifest, ManifestChange, ManifestFile
from memory_mcp.store import steps
from memory_mcp.store.stat_scan import Stat

if TYPE_CHECKING:
    from memory_mcp.search.index.index_read import IndexReader
    from memory_mcp.search.index.page_source import PageSource
    from memory_mcp.search.index.page_terms import PageTerms

_BATCH = 500
"""Pages in one index commit: bounded memory, and a kill loses little work."""


class MissingIndex(Exception):
    """There is no index of this version."""


class PageIndex:
    """The current index, opened for reading and, under the writer lock, for changes."""

    def __init__(self, root: Path, wiki: Path) -> None:
        self._root = root
        self._wiki = wiki
        self._name = ""
        self._discarded = ""
        self._reader: IndexReader | None = None
        self._file = ManifestFile(root)
        self._settled: dict[str, Stat] = {}
        self.manifest = Manifest()
        """What the index holds; up to date after `refresh`."""
        self.is_lost = False
        """Whether somebody removed the folder of what is open: its files can be read on, but not changed."""

    @property
    def reader(self) -> IndexReader:
        """The newest generation; opened when it is first asked for after a change."""
        if self._reader is None:
            from memory_mcp.search.index.index_read import open_reader  # noqa: PLC0415 - Whoosh

            self._reader = open_reader(self._root / self._name)
            if self._reader.generation < self.manifest.generation:
                raise MissingIndex("the manifest knows a later commit than the index")
        return self._reader

    def refresh(self) -> None:
        """See what other processes did since; two small reads when that is nothing.

        Raises:
            MissingIndex: there is no index of this version, or only one that was discarded.
        """
        name = current_name(self._root)
        self.is_lost = self._reader is not None and not (name and (self._root / name).is_dir())
        if self.is_lost:
            return
        if name in ("", self._discarded):
            self.close()
            raise MissingIndex("no index yet")
        if name != self._name:
            self.close()
            self._name = name
            self._file = ManifestFile(self._folder)
            self.manifest = self._file.read(Manifest())
        elif self._file.has_news():
            self.manifest = self._file.read(self.manifest)
            self._close_reader()

    def discard(self) -> bool:
        """Never open again what is open now; False if another process has replaced it already."""
        name = self._name
        self.close()
        if not name or name != current_name(self._root):
            return False
        self._discarded = name
        return True

    def update(self, paths: Sequence[str], progress: Progress = no_progress) -> None:
        """Read these files (wiki paths) and make the index say what they say; gone ones are removed.

        The writer lock must be held, and `refresh` called under it.
        """
        for start in range(0, len(paths), _BATCH):
            if len(paths) > _BATCH:
                progress(start, len(paths), "pages")
            self._update_batch(paths[start : start + _BATCH])

    def outdated(self, changed: dict[str, Stat], gone: Sequence[str] = ()) -> list[str]:
        """Those of the files that the manifest does not know as they are now."""
        manifest = self.manifest
        paths = [path for path, stat in changed.items() if manifest.stat(path) != stat]
        return paths + [path for path in gone if manifest.stat(path) is not None]

    def settle(self, changed: dict[str, Stat]) -> dict[str, Stat]:
        """Compare by content the files whose stat could not tell; returns those that did change.

        What is the same is noted here, and for other processes with the next change.
        """
        from memory_mcp.search.index.page_source import read_source  # noqa: PLC0415 - YAML

        differing = {}
        for path, stat in changed.items():
            if self.manifest.stat(path) == UNSETTLED:
                source = read_source(self._wiki, path)
                if source is not None and self._holds(path, source):
                    if source.stat != UNSETTLED:
                        self._settled[path] = source.stat
                    continue
            differing[path] = stat
        if self._settled:
            self.manifest.apply(self.manifest.restat(self._settled))
        return differing

    def close(self) -> None:
        """Close all files; `refresh` opens them again."""
        self._close_reader()
        self._name = ""
        self.is_lost = False
        self._settled = {}
        self.manifest = Manifest()

    def _update_batch(self, paths: Sequence[str]) -> None:
        from memory_mcp.search.index.index_write import write_pages  # noqa: PLC0415 - Whoosh
        from memory_mcp.search.index.page_source import SourceReader  # noqa: PLC0415 - YAML
        from memory_mcp.search.index.page_terms import page_terms  # noqa: PLC0415 - the stemmer

        sources = SourceReader(self._wiki)
        added: list[PageTerms] = []
        removed: list[str] = []
        for path in paths:
            page = sources.read(path)
            if page is not None and self._reader is not None and self._holds_version(path, page.version):
                continue
            if page is not None:
                added.append(page_terms(page))
            if self.manifest.holds_page(path):
                removed.append(path)
        before = generation = self.manifest.generation
        if added or removed:
            generation = write_pages(self._folder, added, removed)
            self._close_reader()
            steps.reach("index.committed")
        self._note(sources.change(generation))
        if generation > before + 1:
            self._remove_strays()

    def _holds(self, path: str, source: PageSource) -> bool:
        """Whether the index knows a file as it was just read."""
        if source.page is not None:
            return self._holds_version(path, source.page.version)
        if source.unreadable:
            return self.manifest.unreadable.get(path) == source.unreadable
        return path in self.manifest.ledgers

    def _holds_version(self, path: str, version: str) -> bool:
        if not self.manifest.holds_page(path):
            return False
        number = self.reader.document_of(path)
        return number is not None and self.reader.stored(number).version == version

    def _note(self, change: ManifestChange) -> None:
        settled = {path: stat for path, stat in self._settled.items() if self.manifest.stat(path) == stat}
        self._settled = {}
        if settled:
            self._file.append(self.manifest.restat(settled), self.manifest)
        self._file.append(change, self.manifest)

    def _remove_strays(self) -> None:
        """Remove documents that the manifest does not know.

        A process killed between its commit and its line leaves such; were their files removed before
        anyone looked, they would be found for ever.
        """
        from memory_mcp.search.index.index_write import write_pages  # noqa: PLC0415 - Whoosh

        strays = [page.path for page in self.reader.stored_all() if not self.manifest.holds_page(page.path)]
        if strays:
            generation = write_pages(self._folder, (), strays)
            self._close_reader()
            self._note(ManifestChange(generation))

    @property
    def _folder(self) -> Path:
        return self._root / self._name

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def current_name(root: Path) -> str:
    """The folder that is the index now; "" when there is none of this version."""
    return read_current(root, PREFIX)
