"""The documents that a query may see, with statistics of their own.

Inside a set, document frequencies and the average length are counted over its documents alone, so that a
rank never depends on pages of another project or caller.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress

from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.index_read import LENGTHS, DocSet, IndexReader
from memory_mcp.search.index.page_terms import SCOPE


def doc_set(reader: IndexReader, scopes: Collection[str] | None, delta: Delta | None = None) -> DocSet:
    """The live documents of these scopes (`workspace/project`), or of all; remembered with the reader."""
    key = (None if scopes is None else frozenset(scopes), delta, delta.changes if delta else 0)
    found = reader.doc_sets.get(key)
    if found is None:
        if len(reader.doc_sets) >= 64:
            reader.doc_sets.clear()
        found = reader.doc_sets[key] = _make(reader, scopes, delta)
    return found


def counted(bits: bytes, lengths: bytes) -> DocSet:
    """A set of documents with its statistics; `lengths` has the length byte of each document."""
    count = bits.count(1)
    total = sum([LENGTHS[byte] for byte in compress(lengths, bits)])
    return DocSet(bits, count, total / count if count else 1.0)


def documents_in(
    allow: DocSet, reader: IndexReader, delta: Delta | None, keyword: str, term: str
) -> list[int]:
    """The documents of a set that hold a term of a keyword field, ascending, those of the delta last."""
    found = reader.documents(keyword, term)
    if delta is not None:
        found += [
            delta.base + place for place, page in delta.numbered() if term in page.keywords.get(keyword, ())
        ]
    return [number for number in found if allow.bits[number]]


def _make(reader: IndexReader, scopes: Collection[str] | None, delta: Delta | None) -> DocSet:
    if scopes is None:
        bits = bytearray(b"\1") * reader.count_all
        for leaf in reader.leaves:
            for number in leaf.deleted:
                bits[leaf.base + number] = 0
    else:
        bits = bytearray(reader.count_all)
        for scope in scopes:
            for number in reader.documents(SCOPE, scope):
                bits[number] = 1
    lengths = b"".join(leaf.lengths for leaf in reader.leaves)
    if delta is not None:
        for number in delta.masked:
            bits[number] = 0
        extra = bytearray(len(delta.lengths))
        for place, page in delta.numbered():
            extra[place] = scopes is None or str(page.stored.scope) in scopes
        bits += extra
        lengths += delta.lengths
    return counted(bytes(bits), lengths)
