"""The pages as they are now, for any question: from the index, else from what can be read in time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memory_mcp.errors import Cancelled, UserError
from memory_mcp.model.page_place import is_page_place
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.freshness import GoneFromHead
from memory_mcp.search.index.live_index import LiveIndex
from memory_mcp.search.index.page_index import MissingIndex
from memory_mcp.store.lock import WriterLock

if TYPE_CHECKING:
    from memory_mcp.search.index.snapshot import Snapshot

log = logging.getLogger(__name__)

T = TypeVar("T")

_ATTEMPTS = 4
"""Use the index, discard it, build another, use that; a fifth would not go better."""


class SearchIndex:
    """Safe to call from several threads; they take turns.

    `repair` is called before every look: it finishes what a killed process left in the files.
    """

    def __init__(
        self,
        wiki: Path,
        root: Path,
        lock: WriterLock,
        *,
        background: bool,
        is_gone_from_head: GoneFromHead,
        repair: Callable[[], None] = lambda: None,
    ) -> None:
        self._wiki = wiki
        self._repair = repair
        self._guard = threading.RLock()
        self._live = LiveIndex(wiki, root, lock, background=background, is_gone_from_head=is_gone_from_head)

    def ask(
        self,
        question: Callable[[Snapshot], T],
        scopes: Sequence[Scope] | None,
        progress: Progress = no_progress,
    ) -> T:
        """Put a question to the pages of these scopes, None for all but those of callers.

        If the index is broken it is built anew; at worst the files are read.
        """
        with self._guard:
            self._repair()
            why = ""
            for _ in range(_ATTEMPTS):
                try:
                    return question(self._live.snapshot(scopes, progress))
                except (UserError, Cancelled):
                    raise
                except MissingIndex:
                    if why := self._live.build(progress):
                        break
                except Exception:
                    log.exception("the index cannot be used and is built anew")
                    self._live.discard()
            from memory_mcp.search.index.file_scan import scan_files  # noqa: PLC0415 - Whoosh and YAML

            return question(scan_files(self._wiki, scopes, why, progress))

    def ask_at_once(
        self, question: Callable[[Snapshot], T], scopes: Sequence[Scope], most_changed: int
    ) -> T | None:
        """Put a question if the index can answer as it is; None where it is missing, broken or far behind.

        Nothing is built, written or waited for.
        """
        with self._guard:
            try:
                pages = self._live.look(scopes, most_changed)
                return None if pages is None else question(pages)
            except MissingIndex:
                return None
            except Exception:
                log.warning("the index cannot be asked at once", exc_info=True)
                return None

    def keep_up(self, most_changed: int) -> None:
        """Build the index, or bring it up to date, if it is missing or more than `most_changed` pages behind.

        Nobody may ever search, and hooks ask only what is there. Where it cannot be built, another time will
        do: no file is read for an answer that nobody waits for.
        """
        with self._guard:
            try:
                if self._live.is_behind(most_changed):
                    self._live.snapshot(None, no_progress)
            except UserError:
                raise
            except MissingIndex:
                self._live.build(no_progress)
            except Exception:
                log.exception("the index cannot be used and is built anew")
                self._live.discard()

    def update(self, wiki_paths: Sequence[str]) -> None:
        """Bring the index up to date with files just written or removed; the writer lock must be held.

        Never raises: the files are the truth, and what the index misses is found at the next look.
        """
        with self._guard:
            try:
                self._live.update([path for path in wiki_paths if is_page_place(path)])
            except MissingIndex:
                pass
            except Exception:
                log.exception("the index cannot be updated")
                self._live.forget()

    def rebuild(self, progress: Progress = no_progress) -> int:
        """Build the index anew from the files; returns how many pages it holds."""
        with self._guard:
            return self._live.rebuild(progress)

    def close(self) -> None:
        """Close all files."""
        with self._guard:
            self._live.close()
