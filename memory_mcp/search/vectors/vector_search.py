"""How near pages are to a question in meaning."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory_mcp.errors import Unavailable
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.search.index.index_read import DocSet
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.vectors.document_vectors import DocumentVectors
from memory_mcp.search.vectors.page_embedding import PageEmbedding
from memory_mcp.search.vectors.page_passages import RECIPE, page_passages
from memory_mcp.search.vectors.vector_store import VectorStore, VectorView
from memory_mcp.store.files import disk_errors
from memory_mcp.store.lock import WriterLock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_mcp.search.vectors.embedder import Embedder

log = logging.getLogger(__name__)

MIN_COSINE = 0.3
"""From here on a page counts as found: nine of ten answers without a word of the question are above, nonsense
is below. Measured on the development sets."""

MEAN_SHARE = 0.3
"""What the mean of a page's passages counts beside the best one: to be about something beats a mention."""

MAX_INLINE = 50
"""Pages that a query gives vectors itself, so that it sees what was just written."""
_INLINE_SECONDS = 0.2
_QUESTION_CHARS = 2000
"""A pasted log is no question, and what it means is in its first lines or nowhere."""
_SPARE = 256
"""Pages that are no more are not worth a new file below this."""
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class EmbeddedPages:
    """What `embed` did, or would do: pages and passages that got vectors, pages that failed."""

    pages: int
    passages: int
    failed: int


class VectorSearch:
    """The vectors of all pages, and cosines with them. The caller keeps threads apart."""

    def __init__(
        self, wiki: Path, root: Path, lock: WriterLock, embedder: Embedder, *, background: bool
    ) -> None:
        self.identity = f"{embedder.provider}-{embedder.model}-{embedder.dimension}"
        folder = root / self.identity
        self._folder = folder
        self._embedder = embedder
        self._lock = lock
        self._background = background
        self._store = VectorStore(folder, embedder.dimension, RECIPE)
        self._embedding = PageEmbedding(wiki, folder, self._store, embedder, lock)
        self._documents = DocumentVectors()
        self._broken = ""
        self._nearest: tuple[str, VectorView, NDArray[np.float32]] | None = None

    @property
    def rows(self) -> NDArray[np.float32]:
        """All vectors, one a row."""
        return self._store.view().rows

    def prepare(self, pages: Snapshot) -> tuple[str, ...]:
        """Be up to date with other processes, compute what is missing as far as a query can wait for it.

        Returns sentences that say what is still missing.
        """
        self._store.refresh()
        notes = []
        if self._store.is_damaged:
            notes.append("The file of the vectors was damaged; what it lost is computed anew.")
        missing = self._missing(pages)
        if len(missing):
            self._catch_up(pages, missing)
            missing = self._missing(pages)
        if self._store.is_unsaved:
            self._embedding.save()
        self._compact(pages)
        if len(missing):
            how = "" if self._background else " (memory-mcp embed does it now)"
            count = "1 page has" if len(missing) == 1 else f"{len(missing):,} pages have"
            notes.append(f"{count} no vectors yet and can be found by words alone{how}.")
        if self._broken:
            notes.append(self._broken)
        return tuple(notes)

    def cosines(self, question: str, pages: Collection, also: Iterable[int], limit: int) -> dict[int, float]:
        """The cosine of pages with the question, that of the best passage mostly, by document number.

        Answers for the best `limit` documents from `MIN_COSINE` on, and for those in `also` that have
        vectors. Superseded versions have none: those that were computed while they were the pages are not
        computed again. {} when the model fails.
        """
        view = self._store.view()
        nearest = self._nearness(question, view)
        if nearest is None:
            return {}
        slots = self._documents.slots(pages.reader, pages.delta, view)
        current = _mask(pages.current()) & (slots >= 0)
        numbers = [*_best(nearest, slots, current, pages, limit), *also]
        return {n: round(float(nearest[slots[n]]), _DIGITS) for n in numbers if current[n]}

    def missing(self, pages: Snapshot) -> int:
        """How many of the asked pages have no vectors."""
        self._store.refresh()
        return len(self._missing(pages))

    def problems(self) -> list[tuple[str, str]]:
        """What a person should know: a wiki path or a folder, and a sentence."""
        found = [
            (path, f"has no vectors ({failure.reason}); memory-mcp embed tries again.")
            for path, failure in sorted(self._embedding.failures().items())
        ]
        if why := self._embedding.cannot_write:
            found.append((f"vectors/{self.identity}", f"cannot be written ({why}); let this user write it."))
        return found

    def update(self, wiki_paths: Sequence[str]) -> None:
        """Compute the vectors of pages just written, if the model is loaded; else a query will.

        Never raises: a write does not depend on it.
        """
        if self._embedder.is_loaded and len(wiki_paths) <= MAX_INLINE:
            try:
                self._store.refresh()
                self._embedding.embed(wiki_paths)
            except Exception:
                log.exception("a written page gets its vectors later")

    def embed(
        self, pages: Snapshot, *, force: bool, dry_run: bool, progress: Progress = no_progress
    ) -> EmbeddedPages:
        """Compute what the asked pages lack, failed ones too; `force` does all anew, `dry_run` only counts.

        Raises:
            Busy: another process holds the writer lock.
            Unavailable: the vectors cannot be written.
        """
        self._store.refresh()
        numbers = np.flatnonzero(_mask(pages.doc_set())) if force else self._missing(pages)
        paths = sorted(_paths(pages, numbers))
        if dry_run:
            texts = self._embedding.read(paths, again=force)
            return EmbeddedPages(len(texts), sum(len(page_passages(page)) for page in texts.values()), 0)
        if force:
            with self._lock.hold("vectors"), disk_errors(self._folder, "renew the vectors in"):
                self._store.forget()
        self._embedding.forget_failures()
        passages = self._embedding.embed(paths, progress=progress)
        with self._lock.hold("vectors"):
            self._embedding.save()
        if why := self._embedding.cannot_write:
            raise Unavailable(f"cannot write the vectors in {self._folder}: {why}.")
        self._compact(pages)
        failed = sum(path in self._embedding.failures() for path in paths)
        return EmbeddedPages(len(paths) - failed, passages, failed)

    def close(self) -> None:
        """Let the thread end."""
        self._embedding.close()

    def _nearness(self, question: str, view: VectorView) -> NDArray[np.float32] | None:
        """How near each slot is; remembered for the last question."""
        if self._nearest is not None and self._nearest[0] == question and self._nearest[1] is view:
            return self._nearest[2]
        if not len(view.starts) or self._broken:
            return None
        try:
            vector = self._embedder.embed([question[:_QUESTION_CHARS]])[0]
        except Exception as error:
            log.exception("the model of the vectors fails")
            self._broken = f"Pages are not found by meaning: the model fails ({type(error).__name__})."
            return None
        # Not `rows @ vector`: that wakes threads which then wait busily, at ten times the CPU.
        cosines: NDArray[np.float32] = np.einsum("ij,j->i", view.rows, vector)
        best = np.maximum.reduceat(cosines, view.starts)
        counts = np.diff(view.starts, append=len(cosines))
        mean = np.add.reduceat(cosines, view.starts) / counts
        nearest: NDArray[np.float32] = (1 - MEAN_SHARE) * best + MEAN_SHARE * mean
        self._nearest = question, view, nearest
        return nearest

    def _missing(self, pages: Snapshot) -> NDArray[np.int64]:
        """The numbers of the asked documents that have no vectors."""
        slots = self._documents.slots(pages.reader, pages.delta, self._store.view())
        missing: NDArray[np.int64] = np.flatnonzero((slots < 0) & _mask(pages.doc_set()))
        return missing

    def _catch_up(self, pages: Snapshot, missing: NDArray[np.int64]) -> None:
        """Compute the first of these documents now, the others in a thread where there may be one."""
        first = [pages.page(number) for number in missing[:MAX_INLINE].tolist()]
        untried = [page.path for page in first if not self._embedding.has_failed(page.path, page.version)]
        if not self._embedding.is_running:
            self._embedding.embed(untried, seconds=_INLINE_SECONDS)
            if self._background and len(missing) > MAX_INLINE:
                self._embedding.embed_in_background(_paths(pages, missing[MAX_INLINE:]))

    def _compact(self, pages: Snapshot) -> None:
        """Let go of the vectors of pages that are no more, once they outnumber the others."""
        if len(self._store) > 2 * (pages.reader.count + len(pages.delta)) + _SPARE:
            live = set(self._documents.versions(pages.reader, pages.delta))
            with self._lock.hold_if_free("vectors") as held:
                if held:
                    try:
                        self._store.compact(live)
                    except OSError as error:
                        log.warning("cannot write the vectors: %s", error)


def _best(
    nearest: NDArray[np.float32],
    slots: NDArray[np.int64],
    allowed: NDArray[np.bool_],
    pages: Collection,
    limit: int,
) -> list[int]:
    """The numbers of the best documents, in no order; of equal ones the first by path."""
    numbers = np.flatnonzero(allowed)
    values = nearest[slots[numbers]]
    near = values >= MIN_COSINE
    numbers, values = numbers[near], values[near]
    if len(numbers) > limit > 0:
        least = np.partition(values, -limit)[-limit]
        last = sorted(numbers[values == least].tolist(), key=lambda number: pages.page(number).path)
        better: list[int] = numbers[values > least].tolist()
        return [*better, *last[: limit - len(better)]]
    found: list[int] = numbers[:limit].tolist()
    return found


def _mask(allow: DocSet) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = np.frombuffer(allow.bits, np.bool_)
    return mask


def _paths(pages: Snapshot, numbers: NDArray[np.int64]) -> list[str]:
    """The wiki paths of documents."""
    base = pages.delta.base
    return [
        pages.reader.path_of(number) if number < base else pages.page(number).path
        for number in numbers.tolist()
    ]
