"""Which slot of the vectors is that of each document of an index.

What a segment holds never changes, so its versions are read once, and a write that adds a segment costs that
segment alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.index_read import IndexReader, Leaf
from memory_mcp.search.index.page_terms import decode_version
from memory_mcp.search.vectors.vector_store import VectorView

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _LeafVectors:
    """The documents of one segment: their versions, and the slots of those that have vectors."""

    def __init__(self, leaf: Leaf) -> None:
        self.versions = [decode_version(leaf.stored(number)) for number in range(leaf.count)]
        self._slots: NDArray[np.int64] = np.zeros(0, np.int64)
        self._missing: list[int] = []
        self._of: Mapping[str, int] | None = None

    def slots(self, view: VectorView) -> NDArray[np.int64]:
        if self._of is not view.slots:
            self._of = view.slots
            self._slots = np.full(len(self.versions), -1, np.int64)
            self._missing = list(range(len(self.versions)))
        missing = []
        for number in self._missing:
            slot = view.slots.get(self.versions[number])
            if slot is None:
                missing.append(number)
            else:
                self._slots[number] = slot
        self._missing = missing
        return self._slots


class DocumentVectors:
    """Slots of documents, remembered by segment."""

    def __init__(self) -> None:
        self._leaves: dict[object, _LeafVectors] = {}
        self._last: NDArray[np.int64] = np.zeros(0, np.int64)
        self._key: tuple[object, ...] = ()

    def slots(self, reader: IndexReader, delta: Delta | None, view: VectorView) -> NDArray[np.int64]:
        """The slot of each document, those of the delta last; -1 for one without vectors in `view`."""
        key = (reader, delta, delta.changes if delta else 0, view)
        if len(key) != len(self._key) or any(a is not b for a, b in zip(key, self._key, strict=True)):
            extra: NDArray[np.int64] = np.full(len(delta.lengths) if delta is not None else 0, -1, np.int64)
            for place, page in delta.numbered() if delta is not None else ():
                extra[place] = view.slots.get(page.stored.version, -1)
            found: NDArray[np.int64] = np.concatenate(
                [*(leaf.slots(view) for leaf in self._of(reader)), extra]
            )
            found[found >= len(view.starts)] = -1  # added since by another thread
            self._key, self._last = key, found
        return self._last

    def versions(self, reader: IndexReader, delta: Delta | None) -> Iterator[str]:
        """The version of every document, deleted ones included."""
        for leaf in self._of(reader):
            yield from leaf.versions
        if delta is not None:
            yield from (page.stored.version for page in delta.pages())

    def _of(self, reader: IndexReader) -> list[_LeafVectors]:
        """What is known of the segments of a reader; others are forgotten when there are many."""
        keys = [leaf.segment.segment_id() for leaf in reader.leaves]
        if len(self._leaves) > 4 * len(keys) + 16:
            self._leaves = {key: self._leaves[key] for key in keys if key in self._leaves}
        for key, leaf in zip(keys, reader.leaves, strict=True):
            if key not in self._leaves:
                self._leaves[key] = _LeafVectors(leaf)
        return [self._leaves[key] for key in keys]
