"""The history index on disk as one process sees it.

    index/history/
    ├── current              the name of the folder below
    ├── build.lock           held by the one process that reads git
    └── v2.2-<random>/       Whoosh's files, and the timeline

Everything in it comes from git and may be removed at any time. It starts empty and grows by commits, so that
a build that is killed or cancelled goes on where it was. Any exception here means: start anew.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.search.history.timeline import Change, HistoryCommit, Timeline, TimelineFile
from memory_mcp.search.index.current_folder import POINTER, make_current, read_current, remove_others
from memory_mcp.search.index.index_format import FORMAT
from memory_mcp.search.index.index_read import IndexReader, open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.index.page_index import MissingIndex
from memory_mcp.search.index.page_terms import PageTerms
from memory_mcp.store import steps

HISTORY_FORMAT = 2
"""Raise it with every change of the timeline or of which versions are read; `FORMAT` covers the rest."""

PREFIX = f"v{FORMAT}.{HISTORY_FORMAT}-"


class HistoryFolder:
    """The current history index, opened for reading and, under the build lock, for changes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._name = ""
        self._discarded = ""
        self._reader: IndexReader | None = None
        self._file = TimelineFile(root)
        self.timeline = Timeline()
        """What the index holds; up to date after `refresh`."""

    @property
    def reader(self) -> IndexReader:
        """The newest generation; opened when it is first asked for after a change."""
        if self._reader is None:
            self._reader = open_reader(self._root / self._name)
            if self._reader.generation < self.timeline.generation:
                raise MissingIndex("the timeline knows a later commit than the index")
        return self._reader

    def refresh(self) -> None:
        """See what other processes did since; a read and a stat when that is nothing.

        Raises:
            MissingIndex: there is no index of this version, or only one that was discarded.
            CorruptIndex: lines of the timeline are missing.
        """
        name = read_current(self._root, PREFIX)
        if name in ("", self._discarded):
            self.close()
            raise MissingIndex("no history index yet")
        if name != self._name:
            self._open(name)
        before = self.timeline.generation
        self._file.read(self.timeline)
        if self.timeline.generation != before:
            self._close_reader()

    def start_anew(self) -> None:
        """Make an empty index the current one."""
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = PREFIX + secrets.token_hex(4)
        build(self._root / name, ())
        TimelineFile(self._root / name).create()
        make_current(self._root, name)
        steps.reach("history.started")
        remove_others(self._root, name)
        self._open(name)

    def add(
        self, versions: Sequence[PageTerms], repository: str, head: str, changes: Sequence[Change]
    ) -> None:
        """Take in the versions and changes of a repository up to its commit `head`."""
        generation = self.timeline.generation
        if versions:
            generation = write_pages(self._root / self._name, versions)
            self._close_reader()
        steps.reach("history.indexed")
        after = self.timeline.heads.get(repository)
        self._file.append(HistoryCommit(generation, repository, after, head, tuple(changes)), self.timeline)
        steps.reach("history.noted")

    def discard(self) -> None:
        """Never open again what is open now, unless another process has replaced it already."""
        name = self._name
        self.close()
        if name == read_current(self._root, PREFIX):
            self._discarded = name

    def remove(self) -> None:
        """Let every process start anew at its next look."""
        (self._root / POINTER).unlink(missing_ok=True)

    def close(self) -> None:
        """Close all files; `refresh` opens them again."""
        self._close_reader()
        self._name = ""
        self.timeline = Timeline()

    def _open(self, name: str) -> None:
        self.close()
        self._name = name
        self._file = TimelineFile(self._root / name)

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
