"""The index kept as fresh as a query needs it.

Before each look the files of the asked scopes are compared with the manifest. What changed is indexed if the
writer lock is free at once, else answered from memory beside the index. More than a query can wait for is
done by a thread in a server, by the caller with a progress bar in a command.

When somebody removes the index, what is open answers on until another is built.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.errors import Busy, Cancelled, Unavailable
from memory_mcp.model.progress import Progress
from memory_mcp.model.scope import CALLERS, Scope, scope_of
from memory_mcp.search.index.freshness import GoneFromHead, Staleness, look
from memory_mcp.search.index.page_index import MissingIndex, PageIndex
from memory_mcp.store.files import CANNOT_WRITE, disk_errors
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.stat_scan import Stat
from memory_mcp.wiki.scope_list import list_scopes

if TYPE_CHECKING:
    from memory_mcp.search.index.pending_pages import PendingPages
    from memory_mcp.search.index.snapshot import Snapshot

log = logging.getLogger(__name__)

MAX_INLINE = 1000
"""Changed pages that a query indexes itself (about half a second); more are left to the background."""

_BACKGROUND_BATCH = 200
_BREATH_SECONDS = 0.02
"""Between two batches the lock is free for this long, four polls of a waiter."""
_BUILD_WAIT_SECONDS = 120.0
_REBUILD_PAUSE_SECONDS = 60.0
"""After a failed build, or when an index breaks soon after another, none is built for so long."""

_BEING_BUILT = "The index is being built"


class LiveIndex:
    """The index of one process, opened, kept fresh, built and rebuilt. The caller keeps threads apart."""

    def __init__(
        self, wiki: Path, root: Path, lock: WriterLock, *, background: bool, is_gone_from_head: GoneFromHead
    ) -> None:
        self._wiki = wiki
        self._root = root
        self._lock = lock
        self._build_lock = WriterLock(root, _BUILD_WAIT_SECONDS, "build")
        self._background = background
        self._is_gone_from_head = is_gone_from_head
        self._index = PageIndex(root, wiki)
        self._pending: PendingPages | None = None
        self._last: Snapshot | None = None
        self._discarded_at = float("-inf")
        self._no_build_before = float("-inf")
        self._failure = ""
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def snapshot(self, scopes: Sequence[Scope] | None, progress: Progress) -> Snapshot:
        """The pages as they are now; `scopes` are those that are looked at, None for all but callers'.

        Raises:
            MissingIndex: there is none to use; see `build`.
            Exception: any other means that the index is broken; see `discard`.
        """
        from memory_mcp.search.index.pending_pages import PendingPages  # noqa: PLC0415 - Whoosh
        from memory_mcp.search.index.snapshot import Snapshot  # noqa: PLC0415 - Whoosh

        self._index.refresh()
        if self._index.is_lost and not self.build(progress):
            self._index.refresh()
        asked = tuple(scopes) if scopes is not None else self._all_scopes()
        stale = look(self._wiki, self._index.manifest, asked, self._is_gone_from_head)
        notes: tuple[str, ...] = ()
        if stale.changed or stale.gone:
            stale, notes = self._catch_up(stale, progress)
        self._pending = self._pending or PendingPages(self._wiki)
        reader = self._index.reader
        delta = self._pending.delta(reader, stale)
        last = self._last
        self._last = Snapshot(
            wiki=self._wiki,
            manifest=self._index.manifest,
            reader=reader,
            delta=delta,
            scopes=asked,
            behind=_scopes_of(self._pending.left_out(stale)),
            missing=stale.missing,
            closed=stale.closed,
            unreadable=self._pending.unreadable(),
            notes=notes,
            names=last.names if last and last.reader is reader and last.delta is delta else {},
        )
        return self._last

    def look(self, scopes: Sequence[Scope], most_changed: int) -> Snapshot | None:
        """The pages as they are now, without building or writing anything; None where that takes too long.

        That is so where the index was removed, or more than `most_changed` files are not in it yet. It raises
        as `snapshot` does.
        """
        from memory_mcp.search.index.pending_pages import PendingPages  # noqa: PLC0415 - Whoosh
        from memory_mcp.search.index.snapshot import Snapshot  # noqa: PLC0415 - Whoosh

        self._index.refresh()
        if self._index.is_lost:
            return None
        stale = look(self._wiki, self._index.manifest, scopes, self._is_gone_from_head)
        if len(stale.changed) > most_changed:
            return None
        pending = PendingPages(self._wiki)
        reader = self._index.reader
        return Snapshot(
            wiki=self._wiki,
            manifest=self._index.manifest,
            reader=reader,
            delta=pending.delta(reader, stale),
            scopes=tuple(scopes),
            behind=(),
            missing=stale.missing,
            closed=stale.closed,
            unreadable=pending.unreadable(),
            notes=(),
            names={},
        )

    def is_behind(self, most_changed: int) -> bool:
        """Whether there are pages of which the index lacks more than `most_changed`; raises as `snapshot`."""
        scopes = list_scopes(self._wiki)
        if not scopes:
            return False
        self._index.refresh()
        stale = look(self._wiki, self._index.manifest, scopes, self._is_gone_from_head)
        return self._index.is_lost or len(stale.changed) > most_changed

    def update(self, paths: Sequence[str]) -> None:
        """Index these files; the writer lock must be held.

        Raises:
            MissingIndex: there is no index, so there is nothing to do: it will be built with them.
            Exception: the index is broken or cannot be written.
        """
        self._index.refresh()
        if self._index.is_lost:
            raise MissingIndex("its folder was removed")
        self._index.update(paths)

    def build(self, progress: Progress) -> str:
        """Build a missing index if the caller can wait for it; "" when done, else why there is none."""
        from memory_mcp.search.index.index_build import list_files  # noqa: PLC0415 - Whoosh

        if time.monotonic() < self._no_build_before:
            return self._failure
        if self._background and len(list_files(self._wiki)) > MAX_INLINE:
            self._start(self._build_in_background)
            return _BEING_BUILT
        try:
            with self._build_lock.hold_if_free("reindex") as held:
                if held:
                    self._rebuild(progress)
                return "" if held else _BEING_BUILT
        except Cancelled:
            raise
        except MissingIndex:
            return ""  # the next look will tell
        except Exception as error:
            self._note_failure(error)
            return self._failure

    def rebuild(self, progress: Progress) -> int:
        """Build a new index of all pages, whatever there is; how many pages it holds.

        Raises:
            Busy: another process has been building one for two minutes.
            Unavailable: the disk refuses, or somebody removes what is built; the old index stays.
        """
        with self._build_lock.hold("reindex"), disk_errors(self._root, "build the index in"):
            try:
                return self._rebuild(progress)
            except MissingIndex as error:
                raise Unavailable(f"cannot build the index in {self._root}: {error}; try again.") from None

    def discard(self) -> None:
        """Use the index that was opened last no more, unless another process has replaced it since."""
        if self._index.discard():
            now = time.monotonic()
            if now < self._discarded_at + _REBUILD_PAUSE_SECONDS:
                self._failure = "The index breaks again and again"
                self._no_build_before = now + _REBUILD_PAUSE_SECONDS
            self._discarded_at = now
        self.forget()

    def forget(self) -> None:
        """Close all files; the next look opens them again."""
        self._index.close()
        self._pending = self._last = None

    def close(self) -> None:
        """Close all files, and let the thread end at its next step."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(0.2)
        self.forget()

    def _all_scopes(self) -> tuple[Scope, ...]:
        """The scopes on disk and those that the index remembers."""
        known = {Scope(*name.split("/", 1)) for name in self._index.manifest.files}
        known.update(list_scopes(self._wiki))
        return tuple(sorted(scope for scope in known if scope.workspace != CALLERS))

    def _catch_up(self, stale: Staleness, progress: Progress) -> tuple[Staleness, tuple[str, ...]]:
        """Index what changed if that is possible now; returns what is still stale, and notes."""
        if len(stale.changed) <= MAX_INLINE:
            stale = replace(stale, changed=self._index.settle(stale.changed))
            if not stale.changed and not stale.gone:
                return stale, ()
        elif self._background:
            self._start(lambda: self._update_in_background(stale.changed))
            return stale, ()
        if self._index.is_lost:
            return stale, ()
        try:
            with self._lock.hold_if_free("index") as held:
                if held:
                    self._index.refresh()
                    self._index.update(self._index.outdated(stale.changed, stale.gone), progress)
                    stale = replace(stale, changed={}, gone=())
        except OSError as error:
            if error.errno not in CANNOT_WRITE:
                raise
            log.warning("cannot write the index: %s", error)
            return stale, (f"The index cannot be written ({error.strerror}); new edits are read each time.",)
        return stale, ()

    def _rebuild(self, progress: Progress) -> int:
        from memory_mcp.search.index.index_build import rebuild_index  # noqa: PLC0415 - Whoosh

        count = rebuild_index(self._root, self._wiki, progress)
        self.forget()
        return count

    def _note_failure(self, error: Exception) -> None:
        log.exception("the index cannot be built")
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        self._failure = f"The index cannot be built ({reason})"
        self._no_build_before = time.monotonic() + _REBUILD_PAUSE_SECONDS

    def _start(self, work: Callable[[], None]) -> None:
        """Let a thread do the work, unless one is at work already."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=work, name="memory-mcp-index", daemon=True)
            self._thread.start()

    def _build_in_background(self) -> None:
        from memory_mcp.search.index.index_build import rebuild_index  # noqa: PLC0415 - Whoosh

        try:
            with self._build_lock.hold_if_free("reindex") as held:
                if held:
                    rebuild_index(self._root, self._wiki, self._go_on)
        except (Cancelled, MissingIndex):
            pass
        except Exception as error:
            self._note_failure(error)

    def _update_in_background(self, changed: dict[str, Stat]) -> None:
        index = PageIndex(self._root, self._wiki)
        paths = list(changed)
        try:
            for start in range(0, len(paths), _BACKGROUND_BATCH):
                batch = {path: changed[path] for path in paths[start : start + _BACKGROUND_BATCH]}
                with self._lock.hold("index"):
                    index.refresh()
                    index.update(index.outdated(batch))
                if self._closing.wait(_BREATH_SECONDS):
                    return
        except (Busy, MissingIndex):
            pass
        except Exception:
            log.exception("the index cannot be updated")
        finally:
            index.close()

    def _go_on(self, done: int, total: int, what: str) -> None:
        if self._closing.is_set():
            raise Cancelled


def _scopes_of(paths: Sequence[str]) -> tuple[Scope, ...]:
    return tuple(sorted({scope_of(path) for path in paths}))
