"""How vectors lie on disk: a first line that names the format, then blocks, one a batch of pages.

    memory-mcp vectors 1 recipe 1 dimension 256 float16\\n
    block: "PAGE", pages, rows, CRC-32 of what follows   (4 bytes each, little-endian)
           for each page: its version (16 ASCII bytes), its number of rows (4 bytes)
           all rows of all pages, one after the other    (little-endian float16)

Blocks are only ever appended. A process that dies while it appends leaves a block that is too short; what is
wrong in any other way is damage. Either way the blocks before it count, and the rest is computed anew. The
random word at the end of the first line tells a file from another one that took its place.
"""

from __future__ import annotations

import secrets
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1

_MAGIC = b"PAGE"
_BEGINNING = b"memory-mcp vectors "
_ID_SIZE = 8
_HEAD = struct.Struct("<4sIII")
_PAGE = struct.Struct("<16sI")


@dataclass(frozen=True, slots=True)
class Block:
    """The vectors of some pages: their versions, how many rows each has, and all rows in this order."""

    versions: tuple[str, ...]
    counts: tuple[int, ...]
    rows: NDArray[np.float32]


class DamagedVectors(Exception):
    """A block is not what was written."""


def new_first_line(recipe: int, dimension: int) -> bytes:
    """The beginning of a new file."""
    return _first_line(recipe, dimension) + secrets.token_hex(_ID_SIZE // 2).encode("ascii") + b"\n"


def read_first_line(data: bytes, recipe: int, dimension: int) -> bytes:
    """The first line of a file of this recipe and dimension; b"" when it is of others, or cut short.

    Raises:
        DamagedVectors: it is the first line of nothing of ours.
    """
    expected = _first_line(recipe, dimension)
    if data.startswith(expected):
        line = data[: len(expected) + _ID_SIZE + 1]
        return line if line.endswith(b"\n") else b""
    if data.startswith(_BEGINNING) or _BEGINNING.startswith(data):
        return b""
    raise DamagedVectors


def _first_line(recipe: int, dimension: int) -> bytes:
    return f"memory-mcp vectors {FORMAT} recipe {recipe} dimension {dimension} float16 file ".encode("ascii")


def encode_block(block: Block) -> bytes:
    """The bytes of a block."""
    pages = [
        _PAGE.pack(version.encode("ascii"), count)
        for version, count in zip(block.versions, block.counts, strict=True)
    ]
    body: bytes = b"".join(pages) + block.rows.astype("<f2").tobytes()
    return _HEAD.pack(_MAGIC, len(pages), len(block.rows), zlib.crc32(body)) + body


def decode_blocks(data: bytes, start: int, dimension: int) -> Iterator[tuple[int, Block]]:
    """Each whole block from `start` on, with where it ends; stops before one that is too short.

    Raises:
        DamagedVectors: after the blocks before the damage.
    """
    while start + _HEAD.size <= len(data):
        magic, pages, rows, checksum = _HEAD.unpack_from(data, start)
        if magic != _MAGIC:
            raise DamagedVectors
        table = start + _HEAD.size
        numbers = table + pages * _PAGE.size
        end = numbers + rows * dimension * 2
        if end > len(data):
            return
        if zlib.crc32(memoryview(data)[table:end]) != checksum:
            raise DamagedVectors
        entries = list(_PAGE.iter_unpack(memoryview(data)[table:numbers]))
        matrix = np.frombuffer(data, "<f2", rows * dimension, numbers).reshape(rows, dimension)
        versions = tuple(version.decode("ascii") for version, _ in entries)
        yield end, Block(versions, tuple(count for _, count in entries), matrix.astype(np.float32))
        start = end
