"""Writing the index: a bulk build into an empty folder, and commits of changed pages.

The caller holds the writer lock. A commit writes one new segment, takes small segments into it, and then
replaces Whoosh's table of contents, which is the moment when readers see it; a process killed before that
leaves files that the next commit removes.
"""

from __future__ import annotations

import gc
import re
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path

from whoosh.codec.whoosh3 import W3Segment
from whoosh.index import TOC, clean_files

from memory_mcp.search.index.index_read import LENGTHS, Leaf, open_reader
from memory_mcp.search.index.page_terms import ID, KEYWORD_FIELDS, MAX_WEIGHT, TEXT, PageTerms
from memory_mcp.search.index.segment_files import (
    SIZES_EXTENSION,
    SegmentFile,
    TermsWriter,
    length_byte,
    write_sizes,
    write_stored,
)
from memory_mcp.search.index.segment_merge import choose_segments
from memory_mcp.search.index.whoosh_codec import (
    INDEX_NAME,
    LENGTHS_COLUMN,
    POSTINGS_EXTENSION,
    STORED_COLUMN,
    TERMS_EXTENSION,
    PageCodec,
    PageStorage,
    make_schema,
)
from memory_mcp.search.text.tokenizer import forget_chunks
from memory_mcp.store import steps

_append: Callable[[array[int], int], None] = array.append
_TORN_TOC = re.compile(rf"_{INDEX_NAME}_\d+\.toc\..+")


class _SegmentBuilder:
    """Gathers documents in memory and writes them as one segment."""

    def __init__(self) -> None:
        self.count = 0
        self._fields: dict[str, defaultdict[str, array[int]]] = {
            name: defaultdict(partial(array, "Q")) for name in (ID, TEXT, *KEYWORD_FIELDS)
        }
        self._lengths = bytearray()
        self._total_length = 0
        self._stored: list[bytes] = []

    def add(self, page: PageTerms) -> None:
        weights: Collection[int] = page.bag.values()
        if max(weights, default=0) > MAX_WEIGHT:
            weights = [min(weight, MAX_WEIGHT) for weight in weights]
        length = sum(weights)
        byte = length_byte(length)
        document = self.count << 32
        low = document | byte
        lists = map(self._fields[TEXT].__getitem__, page.bag)
        postings = [low | weight << 8 for weight in weights]
        deque(map(_append, lists, postings), maxlen=0)
        once = document | 1 << 8
        self._fields[ID][page.path].append(once)
        for name, terms in page.keywords.items():
            for term in terms:
                self._fields[name][term].append(once)
        self._stored.append(page.stored.encode())
        self._lengths.append(byte)
        self._total_length += length
        self.count += 1

    def add_leaf(self, leaf: Leaf) -> None:
        """Take over the live documents of a segment."""
        dead = leaf.deleted
        live = [number for number in range(leaf.count) if number not in dead]
        renumbered = {number: self.count + place << 32 for place, number in enumerate(live)}
        for name, term, documents, impacts in leaf.all_postings():
            kept = [
                renumbered[document] | impact
                for document, impact in zip(documents, impacts, strict=True)
                if document in renumbered
            ]
            if kept:
                self._fields[name][term].extend(kept)
        self._stored += map(leaf.stored, live)
        lengths = bytes([leaf.lengths[number] for number in live])
        self._lengths += lengths
        self._total_length += sum([LENGTHS[byte] for byte in lengths]) if dead else leaf.total_length()
        self.count += len(live)

    def write(self, folder: Path) -> W3Segment:
        segment = W3Segment(PageCodec(), INDEX_NAME, doccount=self.count)
        segment._fieldlengths = {TEXT: self._total_length}

        def create(extension: str) -> SegmentFile:
            return SegmentFile(folder / segment.make_filename(extension))

        stored = create(f".{STORED_COLUMN}.col")
        write_stored(stored, self._stored)
        lengths = create(f".{LENGTHS_COLUMN}.col")
        lengths.write(bytes(self._lengths))
        terms, postings = create(TERMS_EXTENSION), create(POSTINGS_EXTENSION)
        writer = TermsWriter(terms, postings)
        for name, field in self._fields.items():
            if field:
                writer.add_field(name, field)
        writer.close()
        sizes = [file.close() for file in (stored, lengths, terms, postings)]
        write_sizes(folder / segment.make_filename(SIZES_EXTENSION), sizes)
        return segment


def build(folder: Path, pages: Iterable[PageTerms]) -> int:
    """Write an index of these pages into a new folder; returns how many there were.

    The collector of reference cycles is off meanwhile: nothing here makes cycles, and looking for them
    among millions of postings takes a fifth of the time.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    builder = _SegmentBuilder()
    collecting = gc.isenabled()
    gc.disable()
    try:
        for page in pages:
            builder.add(page)
        segments = [builder.write(folder)] if builder.count else []
    finally:
        forget_chunks()
        if collecting:
            gc.enable()
    _commit(folder, segments, 1)
    return builder.count


def write_pages(folder: Path, add: Iterable[PageTerms], remove: Iterable[str] = ()) -> int:
    """Replace or add pages and remove those with the given wiki paths; returns the new generation."""
    added = {page.path: page for page in add}
    builder = _SegmentBuilder()
    with open_reader(folder) as reader:
        generation = reader.generation + 1
        for leaf in reader.leaves:
            for path in {*remove, *added}:
                if (postings := leaf.postings(ID, path)) and postings[0][0] not in leaf.deleted:
                    leaf.segment.delete_document(postings[0][0])
            leaf.deleted = frozenset(leaf.segment.deleted_docs())
        segments = [leaf.segment for leaf in reader.leaves]
        merged = choose_segments(segments)
        for leaf in reader.leaves:
            if leaf.segment in merged:
                builder.add_leaf(leaf)
    for path in sorted(added):
        builder.add(added[path])
    kept = [segment for segment in segments if segment not in merged]
    if builder.count:
        kept.append(builder.write(folder))
    _commit(folder, kept, generation)
    return generation


def _commit(folder: Path, segments: list[W3Segment], generation: int) -> None:
    """Replace the table of contents and remove what it no longer names.

    The largest segment comes first, so that its document numbers need no offset in a search.
    """
    steps.reach("index.segment")
    segments.sort(key=lambda segment: -int(segment.doc_count_all()))
    storage = PageStorage(folder)
    TOC(make_schema(), segments, generation).write(storage, INDEX_NAME)
    clean_files(storage, INDEX_NAME, generation, segments)
    for name in storage.list():
        if _TORN_TOC.fullmatch(name):
            (folder / name).unlink(missing_ok=True)
