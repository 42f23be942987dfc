"""Old versions of pages as a query needs them: read from git when they are first asked for."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from memory_mcp.errors import Busy, Cancelled, UserError
from memory_mcp.model.progress import Progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.history.all_versions import AllVersions, versions_of
from memory_mcp.search.history.history_folder import HistoryFolder
from memory_mcp.search.history.history_read import Repositories, is_current, read_on
from memory_mcp.search.history.past_pages import PastPages
from memory_mcp.search.history.version_list import VersionList
from memory_mcp.search.history.version_text import VersionTexts
from memory_mcp.search.index.page_index import MissingIndex
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.store.files import CANNOT_WRITE, disk_errors
from memory_mcp.store.lock import WriterLock

log = logging.getLogger(__name__)

T = TypeVar("T")

FOLDER = "history"
"""Below the folder of the index."""

_ATTEMPTS = 3
"""Use what is there, start anew, use that."""
_WAIT_SECONDS = 120.0
_POLL_SECONDS = 0.5
"""How often a waiter tells how it goes, and may be cancelled."""


class HistoryIndex:
    """The history of the wiki in one process. Threads that go by `ask` take turns.

    Every answer knows all commits that HEAD holds at that moment, and nothing that git no longer holds.
    """

    def __init__(self, index_root: Path, repositories: Callable[[], Repositories]) -> None:
        self._root = index_root / FOLDER
        self._repositories = repositories
        self._lock = WriterLock(self._root, _POLL_SECONDS, "build")
        self._guard = threading.RLock()
        self._folder = HistoryFolder(self._root)
        self._versions: VersionList | None = None
        self._current: tuple[object, Mapping[str, str]] | None = None

    def ask(self, question: Callable[[HistoryIndex], T]) -> T:
        """Put a question; if the index breaks under it, git is read again, once."""
        with self._guard:
            try:
                return question(self)
            except (UserError, Cancelled):
                raise
            except Exception:
                log.exception("the history index cannot be used and is built anew")
                self._folder.discard()
            return question(self)

    def at(self, moment: float, scopes: Sequence[Scope] | None, progress: Progress) -> PastPages:
        """The pages of these scopes (None: all but callers') as they were committed at a moment.

        Raises:
            Busy: another process has been reading git for two minutes.
            Unavailable: git refuses, or the index cannot be written.
            Exception: any other means that the index is broken; see `ask`.
        """
        versions, texts = self._up_to_date(progress)
        return PastPages(versions, texts, moment, versions.scopes() if scopes is None else scopes)

    def with_superseded(self, pages: Snapshot, progress: Progress) -> AllVersions:
        """The pages of a snapshot together with the versions that they no longer are; raises as `at` does."""
        versions, texts = self._up_to_date(progress)
        return AllVersions(pages, self._current_versions(pages), versions, texts)

    def remove(self) -> None:
        """Let every process read git anew when it next looks."""
        self._folder.remove()

    def close(self) -> None:
        """Close all files; the next look opens them again."""
        self._folder.close()
        self._versions = self._current = None

    def _current_versions(self, pages: Snapshot) -> Mapping[str, str]:
        """As `versions_of`; remembered until the pages change, for it reads what the index holds of each."""
        key = (pages.reader, pages.delta, pages.delta.changes, pages.scopes)
        if self._current is None or self._current[0] != key:
            self._current = key, versions_of(pages)
        return self._current[1]

    def _up_to_date(self, progress: Progress) -> tuple[VersionList, VersionTexts]:
        repositories = self._repositories()
        for attempt in range(_ATTEMPTS):
            try:
                if not self._is_current(repositories):
                    self._read_on(repositories, progress)
                return self._version_list(), VersionTexts(repositories)
            except (UserError, Cancelled):
                raise
            except Exception:
                if attempt == _ATTEMPTS - 1:
                    raise
                log.exception("the history index cannot be used and is built anew")
                self._folder.discard()
        raise AssertionError("unreachable")

    def _is_current(self, repositories: Repositories) -> bool:
        try:
            self._folder.refresh()
        except MissingIndex:
            return False
        return is_current(self._folder.timeline, repositories)

    def _read_on(self, repositories: Repositories, progress: Progress) -> None:
        with self._building(progress):
            try:
                self._read_on_locked(repositories, progress)
            except OSError as error:
                if error.errno not in CANNOT_WRITE:
                    raise
                with disk_errors(self._root, "build the history index in"):
                    raise

    def _read_on_locked(self, repositories: Repositories, progress: Progress) -> None:
        try:
            self._folder.refresh()
        except MissingIndex:
            self._folder.start_anew()
        if not is_current(self._folder.timeline, repositories):
            read_on(self._folder, repositories, progress)

    @contextmanager
    def _building(self, progress: Progress) -> Iterator[None]:
        """Hold the build lock; while another process has it, say so, and let the caller give up."""
        deadline = time.monotonic() + _WAIT_SECONDS
        with ExitStack() as stack:
            while True:
                try:
                    stack.enter_context(self._lock.hold("history"))
                    break
                except Busy:
                    progress(0, 1, "waiting for another process that reads the history")
                    if time.monotonic() > deadline:
                        raise Busy(
                            "another process has been reading the history of the wiki for more than "
                            f"{_WAIT_SECONDS / 60:g} minutes: ask again later, or end it if it hangs."
                        ) from None
            yield

    def _version_list(self) -> VersionList:
        reader = self._folder.reader
        if self._versions is None or self._versions.reader is not reader:
            self._versions = VersionList(reader, self._folder.timeline)
        return self._versions
