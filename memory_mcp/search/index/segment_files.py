"""The files of one segment: written in one go, and their sizes in a file beside them.

Whoosh syncs nothing, and an index is derived data: what a power cut tears is found by size when the index
is opened and rebuilt from the pages.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable
from pathlib import Path
from pickle import dumps
from struct import Struct
from zlib import crc32

from whoosh.util.numeric import length_to_byte

SIZES_EXTENSION = ".siz"
_BUFFER_BYTES = 1 << 20

ENTRY_LENGTHS = Struct("!ii")
"""What stands before an entry of the dictionary: the lengths of its key and of its info."""
_SLOT = Struct("!Iq")
_DIRECTORY_ENTRY = Struct("!qi")
_TERM_INFO = Struct("!BfIBBfIIqi")
"""Whoosh's W3TermInfo with the place of its postings."""
DOCUMENT_COUNT = Struct("!5xI")
"""The part of it that says how many documents hold the term."""
_CRC32 = 1
_TERMS_AT_ONCE = 4096

_LITTLE = sys.byteorder == "little"
_DOCUMENT_WORD = 1 if _LITTLE else 0
_IMPACT_BYTE = 0 if _LITTLE else 6
_WEIGHT_BYTE = 1 if _LITTLE else 6
"""Where a packed posting (`document << 32 | weight << 8 | length byte`, type `Q`) holds its parts."""


class CorruptIndex(Exception):
    """A file of the index is not what was written; the index is rebuilt."""


class SegmentFile:
    """A file that is written from its beginning to its end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open(path, "wb", buffering=_BUFFER_BYTES)  # noqa: SIM115 - closed by close()
        self.position = 0

    def write(self, data: bytes) -> None:
        """Append bytes."""
        self._file.write(data)
        self.position += len(data)

    def close(self) -> tuple[str, int]:
        """Finish the file; returns its name and size."""
        self._file.close()
        return self._path.name, self.position


def write_sizes(path: Path, sizes: Iterable[tuple[str, int]]) -> None:
    """Write the sizes of a segment's files."""
    path.write_text(json.dumps(dict(sizes)), encoding="utf-8")


def check_sizes(folder: Path, sizes_name: str) -> None:
    """Raise `CorruptIndex` if a file of the segment is missing or has another size."""
    for name, size in json.loads((folder / sizes_name).read_text(encoding="utf-8")).items():
        if (folder / name).stat().st_size != size:
            raise CorruptIndex(f"{name} has another size than was written")


class TermsWriter:
    """Writes a term dictionary (Whoosh's ordered hash file) and the postings it points to.

    The postings of a term come packed as `document << 32 | weight << 8 | length byte`, documents ascending.
    """

    def __init__(self, terms: SegmentFile, postings: SegmentFile) -> None:
        self._terms = terms
        self._postings = postings
        self._fields: dict[str, int] = {}
        self._buckets: list[list[tuple[int, int]]] = [[] for _ in range(256)]
        self._positions = array("I")
        terms.write(b"HSH3" + bytes([_CRC32]) + bytes(8))

    def add_field(self, name: str, field: dict[str, array[int]]) -> None:
        """Write all terms of a field."""
        number = self._fields[name] = len(self._fields)
        prefix = number.to_bytes(2, "big")
        ordered = sorted(field)
        for start in range(0, len(ordered), _TERMS_AT_ONCE):
            self._add_terms(prefix, field, ordered[start : start + _TERMS_AT_ONCE])

    def _add_terms(self, prefix: bytes, field: dict[str, array[int]], terms: list[str]) -> None:
        buckets, positions = self._buckets, self._positions
        place, offset = self._terms.position, self._postings.position
        entries: list[bytes] = []
        lists: list[bytes] = []
        for term in terms:
            packed = field[term]
            raw = packed.tobytes()
            weights = raw[_WEIGHT_BYTE::8]
            words = array("I", raw)
            if len(packed) == 1:
                data = raw[_DOCUMENT_WORD * 4 :][:4] + raw[_IMPACT_BYTE:][:2]
            else:
                data = words[_DOCUMENT_WORD::2].tobytes() + array("H", raw)[_IMPACT_BYTE // 2 :: 4].tobytes()
            first, last = words[_DOCUMENT_WORD], words[_DOCUMENT_WORD - 2]
            key = prefix + term.encode("utf-8", "surrogatepass")
            hashed = crc32(key)
            buckets[hashed & 255].append((hashed, place))
            positions.append(place)
            total, most = sum(weights), max(weights)
            info = _TERM_INFO.pack(0, total, len(packed), 0, 0, most, first, last, offset, len(data))
            entry = ENTRY_LENGTHS.pack(len(key), len(info)) + key + info
            entries.append(entry)
            lists.append(data)
            place += len(entry)
            offset += len(data)
        self._terms.write(b"".join(entries))
        self._postings.write(b"".join(lists))

    def close(self) -> None:
        """Write the hash tables, the directory and the positions of the keys."""
        directory = []
        for entries in self._buckets:
            slots = 2 * len(entries)
            directory.append(_DIRECTORY_ENTRY.pack(self._terms.position, slots))
            table = bytearray(slots * _SLOT.size)
            taken = bytearray(slots)
            for hashed, position in entries:
                slot = (hashed >> 8) % slots
                while taken[slot]:
                    slot = (slot + 1) % slots
                taken[slot] = 1
                _SLOT.pack_into(table, slot * _SLOT.size, hashed, position)
            self._terms.write(bytes(table))
        self._terms.write(b"".join(directory))
        extras = dumps(
            {"fieldmap": self._fields, "indextype": "I", "indexlen": len(self._positions)}, protocol=2
        )
        if _LITTLE:
            self._positions.byteswap()
        tail = extras + self._positions.tobytes()
        self._terms.write(tail + len(tail).to_bytes(4, "big"))


def write_stored(file: SegmentFile, pages: Iterable[bytes]) -> None:
    """Write the column of stored pages as Whoosh's `VarBytesColumn` reads it.

    Bytes, lengths, offsets, the types of the two, and `X`. Whoosh leaves the offsets out below 32,768
    pages; then every opening of the index has to add up the lengths.
    """
    lengths, offsets = array("I"), array("Q")
    offset = 0
    for page in pages:
        file.write(page)
        lengths.append(len(page))
        offsets.append(offset)
        offset += len(page)
    if _LITTLE:
        lengths.byteswap()
        offsets.byteswap()
    file.write(lengths.tobytes() + offsets.tobytes() + b"IQX")


def length_byte(length: int) -> int:
    """Whoosh's one byte for the length of a document, in terms."""
    return int(length_to_byte(length))
