"""Editing a file that belongs to a client: atomically, with a backup, and nothing but our entry."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.errors import Conflict, InvalidInput, Unavailable
from memory_mcp.store.files import disk_errors, write_atomically

NEW_FILE_MODE = 0o600
"""Clients keep tokens in these files."""
_NOTHING = (b"", b"{}")
"""All that is left of a file in which everything was ours."""


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file and its `outcome`: created, updated, unchanged or removed; `backup` is None without one."""

    file: Path
    outcome: str
    backup: Path | None


def edit_config_file(
    file: Path, edit: Callable[[str], str], now: datetime, *, may_go: bool = False
) -> EditedFile:
    """Replace the text of `file` by `edit(text)`, "" being the text of a file that does not exist.

    A symbolic link stays one: its target is edited. A byte order mark, the mode of the file and, beside
    it, a copy of what it held before are kept. When the text stays the same nothing is written. `edit` raises
    ValueError for a text that it cannot edit. With `may_go` a file in which the edit leaves nothing goes.

    Raises:
        InvalidInput: the file is not UTF-8, or `edit` refuses its text.
        Conflict: the client wrote the file at the same moment.
        Unavailable: the file cannot be read or written.
    """
    target = file.resolve()
    old, mark, new = _edited(file, edit)
    if new == old:
        return EditedFile(file, "unchanged", None)
    if old is None:
        write_atomically(target, new, NEW_FILE_MODE)
        return EditedFile(file, "created", None)
    mode = _mode(target)
    goes = may_go and new[len(mark) :].strip() in _NOTHING and not file.is_symlink()
    backup = None if goes else file.with_name(f"{file.name}.{now:%Y%m%dT%H%M%S%fZ}.bak")
    if backup is not None:
        write_atomically(backup, old, mode)
    if _read(target) != old:
        raise Conflict(f"{file} was changed by another program just now: run the command again.")
    if goes:
        with disk_errors(file, "remove"):
            file.unlink()
        return EditedFile(file, "removed", None)
    write_atomically(target, new, mode)
    return EditedFile(file, "updated", backup)


def check_config_file(file: Path, edit: Callable[[str], str]) -> None:
    """Raise what `edit_config_file` would, as far as that can be told before it."""
    _edited(file, edit)


def preview(file: Path, edit: Callable[[str], str]) -> str:
    """What `edit_config_file` would change, as a unified diff; "" for nothing. It raises as that does."""
    import difflib  # noqa: PLC0415 - only a preview needs it

    old, mark, new = _edited(file, edit)
    sides = ((old or b"")[len(mark) :], new[len(mark) :])
    old_lines, new_lines = (each.decode("utf-8").splitlines(keepends=True) for each in sides)
    return "".join(difflib.unified_diff(old_lines, new_lines, str(file), str(file), n=0))


def newline_of(text: str) -> str:
    """The line ending of a text, by its first line."""
    return "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"


def _edited(file: Path, edit: Callable[[str], str]) -> tuple[bytes | None, bytes, bytes]:
    """What the file holds, None where there is none; its byte order mark; and what it would hold."""
    target = file.resolve()
    old = _read(target)
    text, mark = _decode(file, old or b"")
    try:
        new = mark + edit(text).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{file} cannot be edited and was left as it is: {error}; mend it, then run the command again."
        ) from None
    # Renaming replaces a read-only file without asking, so its mode is asked first.
    if old is not None and new != old and not _mode(target) & 0o222:
        raise Unavailable(f"{file} is read-only: make it writable, or edit it yourself.")
    return old, mark, new


def _mode(target: Path) -> int:
    return target.stat().st_mode & 0o7777


def _read(target: Path) -> bytes | None:
    with disk_errors(target, "read"):
        try:
            return target.read_bytes()
        except FileNotFoundError:
            return None


def _decode(file: Path, data: bytes) -> tuple[str, bytes]:
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return data[len(mark) :].decode("utf-8"), mark
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{file} is not UTF-8 (byte {error.start + len(mark)}) and was left as it is: save it as UTF-8, "
            "then run the command again."
        ) from None
