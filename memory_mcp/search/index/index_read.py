"""One generation of the index, open for reading.

A reader never changes: after a commit of anybody, open a new one and close the old. Documents are numbered
from 0 through all segments; numbers mean nothing in another generation.

Any exception while opening or reading means that the index is torn, gone or of another format: rebuild it.
"""

from __future__ import annotations

import heapq
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whoosh.codec.whoosh3 import W3Segment
from whoosh.index import TOC
from whoosh.util.numeric import byte_to_length

from memory_mcp.search.index.page_terms import ID, TEXT, StoredPage, decode_page, decode_path
from memory_mcp.search.index.segment_files import SIZES_EXTENSION, CorruptIndex, check_sizes
from memory_mcp.search.index.whoosh_codec import (
    INDEX_NAME,
    LENGTHS_COLUMN,
    STORED_COLUMN,
    STORED_COLUMN_TYPE,
    PageStorage,
)

_OPEN_TRIES = 25
"""Beside a writer that does nothing but commit, one try in five finds a file of its generation gone."""
_OPEN_PAUSE_SECONDS = 0.01

LENGTHS = tuple(max(1, byte_to_length(byte)) for byte in range(256))
"""The length in terms that a length byte stands for."""


class Leaf:
    """One segment; its documents are numbered from 0 here and from `base` in the reader."""

    def __init__(self, storage: PageStorage, segment: W3Segment, base: int) -> None:
        check_sizes(Path(storage.folder), segment.make_filename(SIZES_EXTENSION))
        self.segment = segment
        self.base = base
        self.count: int = segment.doc_count_all()
        self.deleted = frozenset(segment.deleted_docs())
        self.lengths: bytes = storage.open_file(segment.make_filename(f".{LENGTHS_COLUMN}.col")).read()
        if len(self.lengths) != self.count:
            raise CorruptIndex("the column of lengths does not fit the number of documents")
        self._terms = segment.codec().terms_reader(storage, segment)
        self._columns = segment.codec().per_document_reader(storage, segment)
        self._stored = self._columns.column_reader(STORED_COLUMN, STORED_COLUMN_TYPE)

    def postings(self, field: str, term: str) -> tuple[array[int], array[int]] | None:
        """The documents and impacts of a term, deleted documents included."""
        found: tuple[array[int], array[int]] | None = self._terms.postings(field, term)
        return found

    def all_postings(self) -> Iterator[tuple[str, str, array[int], array[int]]]:
        """Every field and term of the segment with its documents and impacts."""
        for (field, term), info in self._terms.items():
            yield field, term.decode("utf-8", "surrogatepass"), *self._terms.read(info)

    def frequencies(self, field: str, prefix: str) -> Iterator[tuple[str, int]]:
        """The terms with a prefix, in order, and how many documents hold each, deleted ones included."""
        found: Iterator[tuple[str, int]] = self._terms.frequencies(field, prefix)
        return found

    def total_length(self) -> int:
        """The sum of the lengths of all documents, deleted ones included."""
        return int(self._columns.field_length(TEXT))

    def stored(self, number: int) -> bytes:
        """The stored page of a document."""
        data: bytes = self._stored[number]
        return data


@dataclass(frozen=True, slots=True)
class DocSet:
    """Documents of a reader, followed by those of its delta."""

    bits: bytes
    """1 at the number of each document that is in the set."""
    count: int
    average_length: float

    @property
    def is_complete(self) -> bool:
        """Whether no document is left out."""
        return self.count == len(self.bits)


class IndexReader:
    """All segments of one generation; without any it is the reader of an empty index."""

    def __init__(
        self, generation: int = 0, leaves: Sequence[Leaf] = (), storage: PageStorage | None = None
    ) -> None:
        self.generation = generation
        self.leaves = list(leaves)
        self._storage = storage
        self.count_all = sum(leaf.count for leaf in leaves)
        """How many document numbers there are, those of deleted documents included."""
        self.count = self.count_all - sum(len(leaf.deleted) for leaf in leaves)
        self.doc_sets: dict[object, DocSet] = {}
        """Those that `doc_set` made for this generation."""

    def __enter__(self) -> IndexReader:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def documents(self, field: str, term: str) -> list[int]:
        """The numbers of the live documents that hold a term, ascending."""
        found: list[int] = []
        for leaf in self.leaves:
            if postings := leaf.postings(field, term):
                found += [leaf.base + number for number in postings[0] if number not in leaf.deleted]
        return found

    def document_of(self, path: str) -> int | None:
        """The number of the page with this wiki path."""
        found = self.documents(ID, path)
        return found[0] if found else None

    def stored(self, number: int) -> StoredPage:
        """The stored page of a document."""
        return decode_page(self._stored_bytes(number))

    def path_of(self, number: int) -> str:
        """The wiki path of a document; cheaper than the whole stored page."""
        return decode_path(self._stored_bytes(number))

    def stored_all(self) -> Iterator[StoredPage]:
        """The stored pages of all live documents."""
        for leaf in self.leaves:
            for number in range(leaf.count):
                if number not in leaf.deleted:
                    yield decode_page(leaf.stored(number))

    def frequencies(self, field: str, prefix: str, limit: int) -> dict[str, int]:
        """The first `limit` terms with a prefix, in order, and how many documents hold each.

        Documents that are deleted, but not merged away yet, are counted.
        """
        counts: dict[str, int] = {}
        for term, count in heapq.merge(*(leaf.frequencies(field, prefix) for leaf in self.leaves)):
            if term not in counts and len(counts) == limit:
                break
            counts[term] = counts.get(term, 0) + count
        return counts

    def average_length(self) -> float:
        """The average length of all documents in terms, deleted ones included."""
        return sum(leaf.total_length() for leaf in self.leaves) / max(1, self.count_all) or 1.0

    def close(self) -> None:
        """Close all files."""
        if self._storage is not None:
            self._storage.close()
        self.leaves = []

    def _stored_bytes(self, number: int) -> bytes:
        for leaf in self.leaves:
            if number < leaf.base + leaf.count:
                return leaf.stored(number - leaf.base)
        raise IndexError(number)


def open_reader(folder: Path) -> IndexReader:
    """Open the newest generation of the index in `folder`.

    A writer may remove the files of one generation while it is being opened; then the next is tried.
    """
    for _ in range(_OPEN_TRIES):
        try:
            return _open_reader(folder)
        except FileNotFoundError:
            time.sleep(_OPEN_PAUSE_SECONDS)
    return _open_reader(folder)


def _open_reader(folder: Path) -> IndexReader:
    storage = PageStorage(folder)
    leaves: list[Leaf] = []
    try:
        toc = TOC.read(storage, INDEX_NAME)
        for segment in toc.segments:
            leaves.append(Leaf(storage, segment, sum(leaf.count for leaf in leaves)))
    except BaseException:
        storage.close()
        raise
    return IndexReader(toc.generation, leaves, storage)
