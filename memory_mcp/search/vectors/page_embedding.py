"""Computing the vectors of pages, and remembering what failed.

vectors/<provider>-<model>-<dimension>/
└── failures.json        {"v": 1, "failures": {"<wiki path>": {"version": "…", "reason": "…"}}}
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memory_mcp.errors import Unavailable
from memory_mcp.model.page import Page
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.search.index.page_source import read_source
from memory_mcp.search.vectors.page_passages import page_passages
from memory_mcp.search.vectors.vector_file import Block
from memory_mcp.store.files import remove_leftovers, write_atomically
from memory_mcp.store.lock import WriterLock

if TYPE_CHECKING:
    from memory_mcp.search.vectors.embedder import Embedder
    from memory_mcp.search.vectors.vector_store import VectorStore

log = logging.getLogger(__name__)

FAILURES_NAME = "failures.json"

_BATCH = 64
"""Pages in one block: some 0.1 s."""
_BREATH_SECONDS = 0.02
"""Between two batches of a thread, so that a query need not wait for it."""
_MAX_REASON = 200


class Failure(NamedTuple):
    """Why a version of a page has no vectors."""

    version: str
    reason: str


class PageEmbedding:
    """Reads pages, and gives their vectors to the store. Safe to call from several threads."""

    def __init__(
        self, wiki: Path, folder: Path, store: VectorStore, embedder: Embedder, lock: WriterLock
    ) -> None:
        self._wiki = wiki
        self._file = folder / FAILURES_NAME
        self._store = store
        self._embedder = embedder
        self._lock = lock
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._failures = _read_failures(self._file)
        self._recorded = dict(self._failures)
        self.cannot_write = ""
        """Why vectors could not be written the last time, "" when they could."""

    def embed(
        self, paths: Sequence[str], *, seconds: float = float("inf"), progress: Progress = no_progress
    ) -> int:
        """Compute the vectors that these pages lack, for about so long; how many passages got one.

        They are written if the writer lock is free or this thread's, else with a later call. Raises nothing
        but what `progress` does.
        """
        deadline = time.monotonic() + seconds
        passages = 0
        for start in range(0, len(paths), _BATCH):
            if time.monotonic() > deadline:
                break
            if len(paths) > _BATCH:
                progress(start, len(paths), "pages")
            passages += self._embed_batch(paths[start : start + _BATCH])
            self.save()
        return passages

    def embed_in_background(self, paths: Sequence[str]) -> None:
        """Let a thread do it, unless one is at work already."""
        if not self.is_running:
            self._thread = threading.Thread(
                target=self._embed_all, args=(paths,), name="memory-mcp-vectors", daemon=True
            )
            self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the thread is at work."""
        return self._thread is not None and self._thread.is_alive()

    def read(self, paths: Iterable[str], *, again: bool = False) -> dict[str, Page]:
        """The pages at these wiki paths that have no vectors as they are now, by path; all if `again`."""
        found = {}
        for path in paths:
            source = read_source(self._wiki, path)
            if source is None or source.page is None:
                self._failures.pop(path, None)
            elif again or not self._store.holds(source.page.version):
                found[path] = source.page
        return found

    def has_failed(self, path: str, version: str) -> bool:
        """Whether this version of a page was tried in vain."""
        failure = self._failures.get(path)
        return failure is not None and failure.version == version

    def failures(self) -> dict[str, Failure]:
        """What failed, in this process or another one, by wiki path."""
        return {**_read_failures(self._file), **self._failures}

    def save(self) -> None:
        """Write vectors and failures that are in memory alone, if the writer lock is free."""
        with self._lock.hold_if_free("vectors") as held:
            if not held:
                return
            try:
                self._store.save()
                if self._failures != self._recorded:
                    self._write_failures()
                self.cannot_write = ""
            except (OSError, Unavailable) as error:
                log.warning("cannot write the vectors: %s", error)
                self.cannot_write = str(getattr(error, "strerror", None) or error)

    def forget_failures(self) -> None:
        """Try everything again."""
        self._failures = {}

    def close(self) -> None:
        """Let the thread end at its next step."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(0.2)

    def _embed_all(self, paths: Sequence[str]) -> None:
        for start in range(0, len(paths), _BATCH):
            self._embed_batch(paths[start : start + _BATCH])
            self.save()
            if self._closing.wait(_BREATH_SECONDS):
                return

    def _embed_batch(self, paths: Sequence[str]) -> int:
        pages = self.read(paths)
        try:
            return self._add(pages)
        except Exception:  # one page may be to blame
            log.exception("a batch of pages got no vectors")
        passages = 0
        for path, page in pages.items():
            try:
                passages += self._add({path: page})
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_REASON]
                self._failures[path] = Failure(page.version, reason)
        return passages

    def _add(self, pages: dict[str, Page]) -> int:
        if not pages:
            return 0
        texts = {page.version: page_passages(page) for page in pages.values()}
        rows = self._embedder.embed([text for each in texts.values() for text in each])
        counts = tuple(map(len, texts.values()))
        if rows.shape != (sum(counts), self._embedder.dimension) or not np.isfinite(rows).all():
            raise ValueError(f"the model answered with an array of {rows.shape}")
        self._store.add(Block(tuple(texts), counts, rows))
        for path in pages:
            self._failures.pop(path, None)
        return len(rows)

    def _write_failures(self) -> None:
        failures = {path: failure._asdict() for path, failure in sorted(self._failures.items())}
        text = json.dumps({"v": 1, "failures": failures}, ensure_ascii=False, indent=1)
        remove_leftovers([self._file.parent])
        write_atomically(self._file, f"{text}\n".encode("utf-8", "surrogatepass"))
        self._recorded = dict(self._failures)


def _read_failures(file: Path) -> dict[str, Failure]:
    """What the file says; a file that is damaged says nothing."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["failures"]
        return {path: Failure(str(each["version"]), str(each["reason"])) for path, each in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
