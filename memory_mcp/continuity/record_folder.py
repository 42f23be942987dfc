"""The records of one kind in a scope, in its folder `HANDOFFS` or `MESSAGES`, read each time anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.record import RecordType
from memory_mcp.model.record_id import codes_of, find_by_code, is_id
from memory_mcp.model.scope import Scope
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.page_file import markdown_names, plain_file
from memory_mcp.wiki.record_read import (
    RecordFile,
    UnreadableRecord,
    parse_file,
    read_record,
    read_records,
)

HANDOFFS = "_handoffs"
MESSAGES = "_messages"


class FoundRecords(NamedTuple):
    """Records, oldest first, the files that cannot be read as such, and the ids of all files there are."""

    records: Sequence[RecordFile]
    unreadable: Sequence[UnreadableRecord]
    ids: Sequence[str]

    @property
    def codes(self) -> dict[str, str]:
        """The codes of all records of the scope, closed ones too, by id."""
        return codes_of([*self.ids, *(each.id for each in self.records)])

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each file that cannot be read."""
        return tuple(f"{each.path} {each.problem}: mend it by hand" for each in self.unreadable)


class RecordFolder:
    """The records of the kind `kind`, in the folder `name` of each scope.

    A folder that is reached through a symbolic link holds none, and takes none.
    """

    def __init__(self, wiki: Path, kind: RecordType, name: str) -> None:
        self._wiki = wiki
        self.kind = kind
        self._name = name

    def wiki_path(self, scope: Scope, record_id: str) -> str:
        """The wiki path of a record."""
        return f"{scope}/{self._name}/{record_id}.md"

    def new_path(self, scope: Scope, record_id: str) -> str:
        """The wiki path of a record that is to be written.

        Raises:
            InvalidInput: it leads through a symbolic link.
        """
        plain_file(self._wiki, scope, f"{self._name}/{record_id}.md")
        return self.wiki_path(scope, record_id)

    def ids(self, scope: Scope) -> list[str]:
        """The ids of all records of the scope, closed ones too, oldest first."""
        folder = self._folder(scope)
        names = markdown_names(folder) if folder else []
        return [each for name in names if is_id(each := name.removesuffix(".md"))]

    def records(self, scope: Scope, *, settled: bool = False, naming: str = "") -> Sequence[RecordFile]:
        """The records of the scope, oldest first, without those that are surely settled.

        With `settled` those too, with `naming` those of them that name this session. What cannot be read as
        a record is passed over.
        """
        return self.look(scope, settled=settled, naming=naming).records

    def records_in(self, change: Change, scope: Scope, *, naming: str = "") -> Sequence[RecordFile]:
        """The same as they will be after a change that is under way."""
        return self.look(scope, naming=naming, changed=change.files).records

    def look(
        self,
        scope: Scope,
        *,
        settled: bool = False,
        naming: str = "",
        changed: Mapping[str, bytes | None] | None = None,
    ) -> FoundRecords:
        """The records as `records` finds them, and what cannot be read; `changed` are files by wiki path."""
        prefix = f"{scope}/{self._name}"
        changed = {path: data for path, data in (changed or {}).items() if path.startswith(f"{prefix}/")}
        folder = self._folder(scope)
        ids = self.ids(scope)
        kept = [each for each in ids if self.wiki_path(scope, each) not in changed]
        found: list[RecordFile | UnreadableRecord] = []
        if folder and kept:
            found += read_records(folder, prefix, kept, self.kind, closed=settled, naming=naming)
        for path, data in changed.items():
            if data is not None:
                found.append(parse_file(_id_in(path), path, data, self.kind))
        found.sort(key=lambda each: each.id)
        return FoundRecords(
            [each for each in found if isinstance(each, RecordFile)],
            [each for each in found if isinstance(each, UnreadableRecord)],
            ids,
        )

    def find(self, scope: Scope, code: str) -> RecordFile:
        """The record of this code.

        Raises:
            InvalidInput: the text is no code, or several records end so.
            NotFound: the scope has no such record.
            Conflict: its file cannot be read as a record.
        """
        return self.get(scope, find_by_code(code, self.ids(scope), self.kind.name))

    def get(self, scope: Scope, record_id: str, change: Change | None = None) -> RecordFile:
        """The record of this id, as it will be after `change`; raises as `find`."""
        path = self.wiki_path(scope, record_id)
        changed = change.files.get(path) if change else None
        folder = self._folder(scope)
        found = (
            parse_file(record_id, path, changed, self.kind)
            if changed is not None
            else folder and read_record(folder, f"{scope}/{self._name}", record_id, self.kind)
        )
        if not found:
            raise NotFound(f"there is no {self.kind.name} {record_id} in {scope} any more.")
        if isinstance(found, UnreadableRecord):
            raise Conflict(f"{path} {found.problem}: mend it by hand first.")
        return found

    def _folder(self, scope: Scope) -> Path | None:
        try:
            return plain_file(self._wiki, scope, self._name)
        except InvalidInput:
            return None


def mend_states(change: Change, records: Iterable[RecordFile]) -> None:
    """Let the `state` of records that two clones changed say what their history says; the lock is held."""
    for record in records:
        if record.path not in change.files and (mended := record.mended()) is not None:
            change.put(record.path, mended)


def _id_in(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
