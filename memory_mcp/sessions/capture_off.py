"""The folders in which a person turned recording off: one absolute path a line, in `state/capture-off`.

Hooks read the same file (`capture.hook_event`). A folder stands for everything below it.
"""

from __future__ import annotations

import os
from pathlib import Path

from memory_mcp.errors import InvalidInput
from memory_mcp.store.files import disk_errors, write_atomically

NAME = "capture-off"


def folders_off(state: Path) -> list[str]:
    """The folders, sorted."""
    file = state / NAME
    with disk_errors(file, "read"):
        try:
            return sorted(set(file.read_text(encoding="utf-8", errors="surrogateescape").split("\n")) - {""})
        except FileNotFoundError:
            return []


def which_is_off(state: Path, folder: Path) -> str:
    """The folder, this one or one above it, for which recording was turned off; "" for none."""
    for each in folders_off(state):
        if folder == Path(each) or Path(each) in folder.parents:
            return each
    return ""


def turn_off(state: Path, folder: Path) -> bool:
    """Record nothing in the folder any more; whether that is new. The writer lock must be held.

    Raises:
        InvalidInput: its name holds a line break, which the file cannot tell from two folders.
    """
    if "\n" in str(folder) or "\r" in str(folder):
        raise InvalidInput(f"{str(folder)!r:.200} holds a line break: turn the folder above it off.")
    known = folders_off(state)
    if str(folder) in known:
        return False
    _write(state, [*known, str(folder)])
    return True


def turn_on(state: Path, folder: Path) -> bool:
    """Record in the folder again; whether it was off by itself. The writer lock must be held."""
    known = folders_off(state)
    if str(folder) not in known:
        return False
    _write(state, [each for each in known if each != str(folder)])
    return True


def _write(state: Path, folders: list[str]) -> None:
    data = "".join(f"{folder}\n" for folder in sorted(folders))
    write_atomically(state / NAME, os.fsencode(data), 0o600)
