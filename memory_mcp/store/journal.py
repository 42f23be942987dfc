"""The change that is under way, written down before the first file is touched.

A process that is killed in the middle of a change leaves the journal behind; the next one that holds the
writer lock finishes the change from it. A file that a person edited in between is left as it is.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory_mcp.model.actor import Actor
from memory_mcp.store.files import disk_errors, remove_durably, write_atomically

Contents = Mapping[str, bytes | None]
"""What files hold, by wiki path; None for one that is not there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A change of several files: what they shall hold and what they held."""

    operation: str
    subject: str
    actor: Actor
    new: Contents
    old: Contents


class Journal:
    """The journal in `folder`; at most one entry, since there is one writer."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "journal.json"
        self._undo = folder / "undo.json"

    def exists(self) -> bool:
        """Whether some change was neither finished nor undone (or is under way right now)."""
        return self._file.exists() or self._undo.exists()

    def write(self, entry: Entry) -> None:
        """Record a change, durably."""
        record = {
            "v": 1,
            "operation": entry.operation,
            "subject": entry.subject,
            "actor": entry.actor.name,
            "session": entry.actor.session,
            "old": _encode(entry.old),
            "new": _encode(entry.new),
        }
        write_atomically(self._file, json.dumps(record).encode(), mode=0o600)

    def turn_back(self) -> None:
        """From now on the change is to be undone; takes no room on the disk."""
        with disk_errors(self._undo):
            if self._file.exists():
                self._file.replace(self._undo)

    def read(self) -> Entry | None:
        """What is to be done; None when there is nothing or when it is not readable."""
        try:
            if self._undo.exists():
                entry = _decode_entry(self._undo.read_bytes())
                return replace(entry, new=entry.old, old=entry.new)
            return _decode_entry(self._file.read_bytes())
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def clear(self) -> None:
        """Forget the change: it is finished, or undone."""
        remove_durably(self._file)
        if self._undo.exists():
            remove_durably(self._undo)


def _encode(contents: Contents) -> dict[str, str | None]:
    return {
        path: None if data is None else base64.b64encode(data).decode() for path, data in contents.items()
    }


def _decode_entry(data: bytes) -> Entry:
    record = json.loads(data)
    new, old = _decode(record["new"]), _decode(record["old"])
    if new.keys() != old.keys():
        raise ValueError("not of the same files")
    return Entry(record["operation"], record["subject"], Actor(record["actor"], record["session"]), new, old)


def _decode(record: dict[str, str | None]) -> dict[str, bytes | None]:
    return {path: None if data is None else base64.b64decode(data) for path, data in record.items()}
