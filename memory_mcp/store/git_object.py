"""Names and shapes of git's objects that need no git process."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

FILE = "100644"
EXECUTABLE = "100755"
SYMLINK = "120000"

OBJECT_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
"""SHA-1 has 40 hex digits, SHA-256 64."""


class Entry(NamedTuple):
    """A file in a tree or in the index: its mode and the id of its content."""

    mode: str
    blob: str


def blob_id(data: bytes, id_length: int = 40) -> str:
    """The id of a file's content in a repository whose ids have `id_length` hex digits."""
    digest = hashlib.sha1(usedforsecurity=False) if id_length == 40 else hashlib.sha256()
    digest.update(b"blob %d\0" % len(data))
    digest.update(data)
    return digest.hexdigest()


def path_bytes(path: str) -> bytes:
    """A path as git stores it; what is not UTF-8 in a file name survives as surrogates."""
    return path.encode("utf-8", "surrogateescape")


def path_text(path: bytes) -> str:
    """The inverse of `path_bytes`."""
    return path.decode("utf-8", "surrogateescape")


def quote_path(path: str) -> bytes:
    r"""A path in git's C style: always quoted, with `\"`, `\\` and octal escapes of control characters."""
    out = bytearray(b'"')
    for byte in path_bytes(path):
        if byte in b'"\\':
            out += b"\\%c" % byte
        elif byte < 0x20 or byte == 0x7F:
            out += b"\\%03o" % byte
        else:
            out.append(byte)
    return bytes(out + b'"')


def split_nul(output: bytes) -> Iterator[bytes]:
    """The records of an output made with `-z`."""
    return (record for record in output.split(b"\0") if record)
