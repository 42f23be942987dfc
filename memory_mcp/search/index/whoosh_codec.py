"""How a page lies in a Whoosh index: schema, codec, and the layout of its postings.

The index is a regular one: `whoosh.index.open_dir` opens it and stock `Term` and `Or` queries search it,
which the tests use as the oracle of our own scorer. What differs from Whoosh's default codec:

- Postings of a term are two plain arrays, document numbers (`I`) and impacts (`H`), in the machine's byte
  order, without blocks, pickles and compression. An impact is `weight << 8 | length byte` of the
  document: all that BM25 needs to know, so that a search touches no table of documents.
- Stored pages are uncompressed JSON.
- Segment files are read with `pread`: no shared file position, and no memory map that would end the
  process when somebody truncates a file under it.

The index keeps the class names of this module (Whoosh pickles its schema and segments), so renaming them
makes old indexes unreadable; they are then rebuilt.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats
from whoosh.codec.base import Codec
from whoosh.codec.whoosh3 import W3PerDocReader, W3Segment, W3TermInfo, W3TermsReader
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.matching import ListMatcher, Matcher, NullMatcher
from whoosh.reading import TermNotFound

from memory_mcp.search.index.page_terms import ID, KEYWORD_FIELDS, TEXT, decode_page
from memory_mcp.search.index.segment_files import DOCUMENT_COUNT, ENTRY_LENGTHS, CorruptIndex

INDEX_NAME = "MAIN"
STORED = "page"
TERMS_EXTENSION = ".trm"
POSTINGS_EXTENSION = ".pst"
STORED_COLUMN = "_stored"
LENGTHS_COLUMN = f"_{TEXT}_len"
STORED_COLUMN_TYPE = columns.VarBytesColumn()
POSTING_BYTES = 6
_FIELD_BYTES = 2
"""A key of the dictionary is the number of the field, then the term."""
_PIECE_BYTES = 32 * 1024


class TermBag(fields.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping of terms to weights, or a sequence of terms."""

    def __init__(self, scorable: bool) -> None:
        super().__init__(formats.Frequency(), None, scorable=scorable)

    def index(self, value: Mapping[str, int] | Iterable[str]) -> Iterator[tuple[bytes, int, float, bytes]]:
        """What Whoosh's own writer indexes."""
        weights = value if isinstance(value, Mapping) else dict.fromkeys(value, 1)
        for term, weight in weights.items():
            yield term_key(term), weight, float(weight), b""


def make_schema() -> fields.Schema:
    """The schema of a page index."""
    bags = {name: TermBag(scorable=False) for name in (ID, *KEYWORD_FIELDS)}
    return fields.Schema(**bags, **{TEXT: TermBag(scorable=True), STORED: fields.STORED})


def term_key(term: str) -> bytes:
    """The bytes of a term; file names that are not UTF-8 hold lone surrogates."""
    return term.encode("utf-8", "surrogatepass")


def unpack_postings(data: bytes) -> tuple[array[int], array[int]]:
    """The document numbers and impacts of a posting list."""
    split = len(data) // POSTING_BYTES * 4
    documents, impacts = array("I"), array("H")
    documents.frombytes(data[:split])
    impacts.frombytes(data[split:])
    return documents, impacts


class PositionedFile(StructFile):  # type: ignore[misc]
    """A file whose `get` does not move the file position."""

    def get(self, position: int, length: int) -> bytes:
        """Read `length` bytes at `position`; fewer at the end of a torn file."""
        if hasattr(os, "pread"):
            return os.pread(self.fileno(), length, position)
        self.file.seek(position)  # Windows; the threads of a process take turns, see `PageSearch`
        data: bytes = self.file.read(length)
        return data


class PageStorage(FileStorage):  # type: ignore[misc]
    """A folder of segment files, which closes what was opened in it, also after a failure half-way."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._opened: list[PositionedFile] = []

    def open_file(self, name: str, **options: Any) -> PositionedFile:
        """Open a file for reading."""
        handle = open(self._fpath(name), "rb")  # noqa: SIM115 - closed by close()
        file = PositionedFile(handle, name=name, **options)
        self._opened.append(file)
        return file

    def close(self) -> None:
        """Close all files."""
        for file in self._opened:
            if not file.is_closed:
                file.close()
        self._opened.clear()


class PageTermsReader(W3TermsReader):  # type: ignore[misc]
    """The term dictionary and the posting arrays of a segment."""

    def postings(self, field: str, term: str) -> tuple[array[int], array[int]] | None:
        """The documents and impacts of a term, deleted documents included."""
        try:
            info = self.term_info(field, term_key(term))
        except TermNotFound:
            return None
        return self.read(info)

    def read(self, info: W3TermInfo) -> tuple[array[int], array[int]]:
        """The documents and impacts of a term of the dictionary."""
        offset, (length,) = info.extent()  # Whoosh keeps the length as a tuple
        data = self._postfile.get(offset, length)
        if len(data) != length or length != info.doc_frequency() * POSTING_BYTES:
            raise CorruptIndex("a posting list is not as long as its term says")
        return unpack_postings(data)

    def frequencies(self, field: str, prefix: str) -> Iterator[tuple[str, int]]:
        """The terms with a prefix, in order, and how many documents hold each, deleted ones included.

        The entries of the dictionary follow each other, so that large pieces of it are read at once.
        """
        wanted = self._keycoder(field, term_key(prefix))
        at, end = self._tindex.closest_key_pos(wanted), self._tindex.endofdata
        while at is not None and at < end:
            data = self._dbfile.get(at, min(_PIECE_BYTES, end - at))
            start = 0
            for start, key, count in _entries(data):  # noqa: B007 - where the last whole entry ends
                if not key.startswith(wanted):
                    return
                yield key[_FIELD_BYTES:].decode("utf-8", "surrogatepass"), count
            if not start:
                raise CorruptIndex("an entry of the dictionary is longer than any term")
            at += start


def _entries(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Of each whole entry in a piece of the dictionary: where it ends, its key, how many documents it has."""
    end = 0
    while end + ENTRY_LENGTHS.size <= len(data):
        key_length, info_length = ENTRY_LENGTHS.unpack_from(data, end)
        key = end + ENTRY_LENGTHS.size
        info = key + key_length
        if key_length < _FIELD_BYTES or info_length < DOCUMENT_COUNT.size:
            raise CorruptIndex("an entry of the dictionary is shorter than any term")
        if info + info_length > len(data):
            return
        end = info + info_length
        yield end, data[key:info], DOCUMENT_COUNT.unpack_from(data, info)[0]


class PostingsMatcher(ListMatcher):  # type: ignore[misc]
    """The postings of a term as stock queries walk them."""

    def replace(self, minquality: float = 0) -> Matcher:
        """Never drop the list for its quality: Whoosh compares that without the boost of the term."""
        return self if self.is_active() else NullMatcher()


class PageColumnReader(W3PerDocReader):  # type: ignore[misc]
    """Lengths and stored pages of a segment."""

    def stored_fields(self, docnum: int) -> dict[str, Any]:
        """The stored page of a document, as stock search results give it."""
        column = self._cached_reader(STORED_COLUMN, STORED_COLUMN_TYPE)
        return {STORED: decode_page(column[docnum])}


class PageCodec(Codec):  # type: ignore[misc]
    """Opens segments that `index_write` wrote. Whoosh itself never writes with it."""

    def terms_reader(self, storage: FileStorage, segment: W3Segment) -> PageTermsReader:
        """The term dictionary of a segment."""
        name = segment.make_filename(TERMS_EXTENSION)
        postings = segment.open_file(storage, POSTINGS_EXTENSION)
        return PageTermsReader(self, storage.open_file(name), storage.file_length(name), postings)

    def per_document_reader(self, storage: FileStorage, segment: W3Segment) -> PageColumnReader:
        """The columns of a segment."""
        return PageColumnReader(storage, segment)

    def postings_reader(
        self, dbfile: StructFile, terminfo: W3TermInfo, format_: Any, term: Any = None, scorer: Any = None
    ) -> PostingsMatcher:
        """The postings of a term for a stock query."""
        offset, (length,) = terminfo.extent()
        documents, impacts = unpack_postings(dbfile.get(offset, length))
        weights = [float(impact >> 8) for impact in impacts]
        return PostingsMatcher(documents, weights, None, format_, scorer=scorer, term=term, terminfo=terminfo)

    def new_segment(self, storage: FileStorage, indexname: str) -> W3Segment:
        """A segment without documents."""
        return W3Segment(self, indexname)
