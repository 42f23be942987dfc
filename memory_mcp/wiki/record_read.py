"""Reading the files of records. Most are of records that were closed long ago, hence `record_closed`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import UserError
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import Fold, RecordType, fold
from memory_mcp.store.files import PLAIN_FILE, disk_errors
from memory_mcp.wiki.record_closed import is_surely_closed
from memory_mcp.wiki.record_file import NotARecord, RecordText, mend_state, parse_record

MAX_RECORD_BYTES = 1_000_000
_CHUNK = 65_536


class RecordFile(NamedTuple):
    """A record as its file tells it: the bytes, what they say, and what has become of the record."""

    id: str
    path: str
    kind: RecordType
    data: bytes
    text: RecordText
    fold: Fold

    def mended(self) -> bytes | None:
        """The bytes with a `state` that says what the history says, as after a merge it may not.

        None where it does, and where only a person can change it: the history counts all the same.
        """
        if self.text.states == (self.fold.state,):
            return None
        try:
            return mend_state(self.data, self.kind)
        except UserError:
            return None


class UnreadableRecord(NamedTuple):
    """A file that says nothing, and why, in words that follow its name."""

    id: str
    path: str
    problem: str


def read_records(
    folder: Path, prefix: str, ids: Iterable[str], kind: RecordType, *, closed: bool, naming: str = ""
) -> Iterator[RecordFile | UnreadableRecord]:
    """The records of these ids whose files are in the folder; `prefix` is what their paths begin with.

    Without `closed`, those that are surely closed are left out, unless they name `naming`, an id. Files
    that are gone are passed over.

    Raises:
        Unavailable: the operating system refuses.
    """
    named = naming.encode()
    for record_id in ids:
        data = _read(f"{folder}/{record_id}.md")  # a `Path` would take half of the time
        if data is None:
            continue
        wanted = closed or (named and named in data)
        if wanted or not is_surely_closed(data, kind):
            yield parse_file(record_id, f"{prefix}/{record_id}.md", data, kind)


def read_record(
    folder: Path, prefix: str, record_id: str, kind: RecordType
) -> RecordFile | UnreadableRecord | None:
    """The record of this id, None when its file is gone; raises as `read_records`."""
    return next(read_records(folder, prefix, [record_id], kind, closed=True), None)


def parse_file(record_id: str, path: str, data: bytes, kind: RecordType) -> RecordFile | UnreadableRecord:
    """What these bytes say."""
    try:
        if len(data) > MAX_RECORD_BYTES:
            raise NotARecord(f"is larger than {MAX_RECORD_BYTES:,} bytes")
        text = parse_record(data)
    except NotARecord as fault:
        return UnreadableRecord(record_id, path, one_line(str(fault)))
    return RecordFile(record_id, path, kind, data, text, fold(kind, text.history))


def _read(file: str) -> bytes | None:
    """The bytes of a file, a little more than the largest that counts; None when it is gone."""
    try:
        descriptor = os.open(file, os.O_RDONLY | PLAIN_FILE)
        try:
            data = os.read(descriptor, _CHUNK)
            if len(data) == _CHUNK:
                with open(descriptor, "rb", closefd=False) as rest:
                    data += rest.read(MAX_RECORD_BYTES)
            return data
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError:
        with disk_errors(Path(file), "read"):
            raise
