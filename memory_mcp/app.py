"""Builds every service from the settings: the one place where they are joined.

Those of a caller's memory are built in `caller_services`, those of sessions in `continuity_services`.

Services are built when they are first asked for, so that a process pays only for what it uses and the
server can answer `initialize` before it has loaded Whoosh or git.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memory_mcp.config import Settings
from memory_mcp.model.clock import Clock, utc_now
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.store.data_dir import DataDir, open_data_dir

if TYPE_CHECKING:
    from memory_mcp.caller_services import CallerServices
    from memory_mcp.capture.sanitizer import Sanitizer
    from memory_mcp.continuity_services import ContinuityServices
    from memory_mcp.pages.page_delete import PageDeleter
    from memory_mcp.pages.page_history import PageHistory
    from memory_mcp.pages.page_import import PageImporter
    from memory_mcp.pages.page_query import PageQuery
    from memory_mcp.pages.page_read import PageReader
    from memory_mcp.pages.page_recent import PageRecent
    from memory_mcp.pages.page_write import PageWriter
    from memory_mcp.pages.store_status import StatusReporter
    from memory_mcp.search.history.history_index import HistoryIndex
    from memory_mcp.search.page_map import PageMap
    from memory_mcp.search.page_search import PageSearch
    from memory_mcp.search.page_vectors import PageVectors
    from memory_mcp.search.search_index import SearchIndex
    from memory_mcp.store.access_log import AccessLog
    from memory_mcp.store.lock import WriterLock
    from memory_mcp.store.wiki_change import WikiChanges
    from memory_mcp.store.wiki_repos import WikiRepos
    from memory_mcp.wiki.scope_resolve import ScopeResolver

# ruff: noqa: PLC0415 - every import below belongs to the service it builds

IDLE_FOLD_SECONDS = 0.5
"""How long a call may have to wait for a fold that began when nobody waited."""
MAX_BEHIND = 20
"""How many pages may wait for the next search to index them: well below what a prompt can read itself."""


class App:
    """The services of one process.

    `background` lets a long index build go on beside the answers. Without `indexes` a change is left for the
    next reader to find by the files' stat, and git and the lock are asked without GitPython and portalocker:
    a hook has no time to load any of them.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        background: bool = False,
        indexes: bool = True,
        clock: Clock = utc_now,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self._indexes = indexes
        self._background = background

    @cached_property
    def data_dir(self) -> DataDir:
        """The data dir, created where missing and checked."""
        return open_data_dir(self.settings.data_dir)

    @cached_property
    def lock(self) -> WriterLock:
        """The writer lock."""
        from memory_mcp.store.lock import WriterLock

        return WriterLock(self.data_dir.locks, self.settings.lock_timeout, light=not self._indexes)

    @cached_property
    def repos(self) -> WikiRepos:
        """The git repositories of the wiki."""
        from memory_mcp.store.wiki_repos import WikiRepos

        return WikiRepos(self.data_dir.wiki, self.clock, light=not self._indexes)

    @cached_property
    def scopes(self) -> ScopeResolver:
        """Which scope a call means."""
        from memory_mcp.wiki.scope_resolve import ScopeResolver

        return ScopeResolver(
            self.data_dir.wiki,
            self.settings.start_folder,
            self.settings.home,
            self.settings.caller,
        )

    @cached_property
    def index(self) -> SearchIndex:
        """The index over all pages."""
        from memory_mcp.search.search_index import SearchIndex

        return SearchIndex(
            self.data_dir.wiki,
            self.data_dir.index,
            self.lock,
            background=self._background,
            is_gone_from_head=lambda paths: self.repos.gone_from_head(paths),
            repair=lambda: self.changes.repair_if_due(),
        )

    @cached_property
    def page_map(self) -> PageMap:
        """Which pages there are, and how they are linked."""
        from memory_mcp.search.page_map import PageMap

        return PageMap(self.index, self.vectors, self.clock)

    @cached_property
    def vectors(self) -> PageVectors:
        """The vectors of pages."""
        from memory_mcp.search.page_vectors import PageVectors

        root = self.data_dir.vectors if self.settings.vectors_enabled else None
        return PageVectors(self.index, self.data_dir.wiki, root, self.lock, background=self._background)

    @cached_property
    def old_versions(self) -> HistoryIndex:
        """The pages as git remembers them."""
        from memory_mcp.search.history.history_index import HistoryIndex

        return HistoryIndex(self.data_dir.index, self.repos.everywhere)

    @cached_property
    def search(self) -> PageSearch:
        """Finding pages by a question."""
        from memory_mcp.search.page_search import PageSearch

        return PageSearch(
            self.data_dir.wiki,
            self.index,
            lambda: self.old_versions,
            self.vectors,
            self.clock,
            stop_words=self.settings.search_stop_words,
        )

    @cached_property
    def sanitizer(self) -> Sanitizer:
        """What text from tools passes through."""
        from memory_mcp.capture.sanitizer import Sanitizer

        return Sanitizer(self.settings.sanitize_extra_patterns, self.settings.sanitize_allowlist)

    @cached_property
    def changes(self) -> WikiChanges:
        """The one write path."""
        from memory_mcp.store.wiki_change import WikiChanges

        return WikiChanges(self.data_dir, self.lock, self.repos, self._take_in, self.clock)

    @cached_property
    def accesses(self) -> AccessLog:
        """Which pages this caller reads."""
        from memory_mcp.store.access_log import AccessLog

        return AccessLog(self.data_dir.state, self.settings.caller, self.clock)

    @cached_property
    def query(self) -> PageQuery:
        """Text search."""
        from memory_mcp.pages.page_query import PageQuery
        from memory_mcp.search.raw_search import RawSearch

        raw = RawSearch(self.data_dir.raw, self.settings.search_stop_words)
        return PageQuery(self.scopes, self.search, raw, self.accesses, self.clock)

    @cached_property
    def recent(self) -> PageRecent:
        """What changed last."""
        from memory_mcp.pages.page_recent import PageRecent

        return PageRecent(
            self.data_dir.wiki,
            self.scopes,
            self.page_map,
            self.repos,
            self.accesses,
            self.clock,
        )

    @cached_property
    def reader(self) -> PageReader:
        """Reading pages."""
        from memory_mcp.pages.page_read import PageReader

        return PageReader(self.data_dir.wiki, self.scopes, self.search, self.page_map, self.accesses)

    @cached_property
    def writer(self) -> PageWriter:
        """Writing pages."""
        from memory_mcp.pages.page_write import PageWriter

        return PageWriter(self.data_dir.wiki, self.scopes, self.changes, self.sanitizer)

    @cached_property
    def deleter(self) -> PageDeleter:
        """Deleting pages."""
        from memory_mcp.pages.page_delete import PageDeleter

        return PageDeleter(self.data_dir.wiki, self.scopes, self.changes)

    @cached_property
    def history(self) -> PageHistory:
        """Commits and old versions."""
        from memory_mcp.pages.page_history import PageHistory

        return PageHistory(self.data_dir.wiki, self.scopes, self.changes, self.repos)

    @cached_property
    def importer(self) -> PageImporter:
        """Taking in folders of markdown."""
        from memory_mcp.pages.page_import import PageImporter

        return PageImporter(self.data_dir.wiki, self.scopes, self.changes, self.sanitizer)

    @cached_property
    def caller(self) -> CallerServices:
        """The services of the memory of the caller for whom this process works."""
        from memory_mcp.caller_services import CallerServices

        return CallerServices(self)

    @cached_property
    def continuity(self) -> ContinuityServices:
        """The services by which work goes on from one session to the next."""
        from memory_mcp.continuity_services import ContinuityServices

        return ContinuityServices(self)

    @cached_property
    def status(self) -> StatusReporter:
        """Counts and health."""
        from memory_mcp.pages.store_status import StatusReporter

        return StatusReporter(self.data_dir, self.scopes, self.page_map, self.vectors, self.repos)

    def reindex(self, progress: Progress = no_progress) -> int:
        """Build the index anew from the files, that of old versions too; returns how many pages there are."""
        count = self.index.rebuild(progress)
        self.old_versions.remove()
        return count

    def maintain(self) -> bool:
        """What is done when nobody waits: repair what a killed process left, fold, pack, index, embed.

        Returns whether more waits to be folded: a call that comes meanwhile need not wait for all of it.
        """
        self.changes.repair_if_due()
        spool_fold = self.continuity.spool_fold
        if spool_fold.fold(IDLE_FOLD_SECONDS).events and spool_fold.has_waiting():
            return True
        self.continuity.session_closer.close_stale()
        with self.lock.hold_if_free("maintenance") as held:
            if held:
                self.repos.pack_if_due(idle=True)
        self.index.keep_up(MAX_BEHIND)
        self.vectors.embed_missing()
        return False

    def close(self) -> None:
        """Let go of open files."""
        for name in ("vectors", "index", "old_versions"):
            if name in self.__dict__:
                self.__dict__[name].close()

    def _take_in(self, wiki_paths: Sequence[str]) -> None:
        """Let these files, just written or removed, be found; never raises."""
        if not self._indexes:
            return
        self.index.update(wiki_paths)
        self.vectors.update(wiki_paths)
