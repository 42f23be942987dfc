"""The records of one kind in a scope, in its folder `HANDOFFS` or `MESSAGES`, read each time anew."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.errors import Conflict, NotFound
from memory_mcp.model.record import Fold, RecordType, fold
from memory_mcp.model.record_id import find_by_code, is_id
from memory_mcp.model.scope import Scope
from memory_mcp.store.files import disk_errors
from memory_mcp.wiki.record_file import NotARecord, RecordText, parse_record

HANDOFFS = "_handoffs"
MESSAGES = "_messages"
MAX_RECORD_BYTES = 1_000_000
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record's file: what it says, and what has become of it."""

    id: str
    wiki_path: str
    text: RecordText
    fold: Fold


class RecordFolder:
    """The records of the kind `kind`, in the folder `name` of each scope."""

    def __init__(self, wiki: Path, kind: RecordType, name: str) -> None:
        self._wiki = wiki
        self.kind = kind
        self._name = name

    def wiki_path(self, scope: Scope, record_id: str) -> str:
        """The wiki path of a record."""
        return f"{scope}/{self._name}/{record_id}.md"

    def ids(self, scope: Scope) -> list[str]:
        """The ids of all records of the scope, closed ones too, oldest first."""
        folder = self._wiki / str(scope) / self._name
        with disk_errors(folder, "read"):
            try:
                if folder.is_symlink():
                    return []
                names = os.listdir(folder)
            except (FileNotFoundError, NotADirectoryError):
                return []
        ids = (name.removesuffix(".md") for name in names if name.endswith(".md"))
        return sorted(each for each in ids if is_id(each))

    def records(
        self,
        scope: Scope,
        *,
        settled: bool = False,
        naming: str = "",
        changed: Mapping[str, bytes | None] | None = None,
    ) -> list[FoundRecord]:
        """The records of the scope, oldest first, without those that are surely settled.

        With `settled` those too, with `naming` those of them that name this session. `changed` are the files
        of a change that is under way, by wiki path. What cannot be read as a record is passed over.
        """
        changed = changed or {}
        paths = {self.wiki_path(scope, record_id): record_id for record_id in self.ids(scope)}
        for path in changed:
            folder, _, name = path.rpartition("/")
            if folder == f"{scope}/{self._name}":
                paths[path] = name.removesuffix(".md")
        found = []
        for path, record_id in sorted(paths.items()):
            data = changed[path] if path in changed else _read(self._wiki / path)
            if data is None:
                continue
            wanted = settled or (naming and naming.encode() in data)
            if not wanted and is_surely_settled(data, self.kind):
                continue
            try:
                found.append(self._found(record_id, path, data))
            except NotARecord:
                continue
        return found

    def find(self, scope: Scope, code: str) -> FoundRecord:
        """The record of this code.

        Raises:
            InvalidInput: the text is no code, or several records end so.
            NotFound: the scope has no such record.
            Conflict: its file cannot be read as a record.
        """
        return self.get(scope, find_by_code(code, self.ids(scope), self.kind.name))

    def get(self, scope: Scope, record_id: str) -> FoundRecord:
        """The record of this id; raises as `find`."""
        path = self.wiki_path(scope, record_id)
        data = _read(self._wiki / path)
        if data is None:
            raise NotFound(f"there is no {self.kind.name} {record_id} in {scope} any more.")
        try:
            return self._found(record_id, path, data)
        except NotARecord as fault:
            raise Conflict(f"{path} {fault}: mend it by hand first.") from None

    def _found(self, record_id: str, path: str, data: bytes) -> FoundRecord:
        if len(data) > MAX_RECORD_BYTES:
            raise NotARecord(f"is larger than {MAX_RECORD_BYTES:,} bytes")
        text = parse_record(data)
        return FoundRecord(record_id, path, text, fold(self.kind, text.history))


def is_surely_settled(data: bytes, kind: RecordType) -> bool:
    """Whether a look at the bytes shows that one event closed the record; most records are such.

    Only sure of the form that we write. What two clones closed, or what was given back, is not.
    """
    front = data.partition(b"\n---")[0]
    states = [state for state in kind.state_of.values() if state != kind.initial]
    if front.count(b"\nstate: ") != 1 or b"released" in front:
        return False
    if not any(front.startswith(f"---\nstate: {state}\n".encode()) for state in states):
        return False
    return sum(front.count(f"event: {event},".encode()) for event in kind.events[1:]) == 1


def _read(file: Path) -> bytes | None:
    with disk_errors(file, "read"):
        try:
            descriptor = os.open(file, _FLAGS)
        except FileNotFoundError:
            return None
        with open(descriptor, "rb") as stream:
            return stream.read(MAX_RECORD_BYTES + 1)
