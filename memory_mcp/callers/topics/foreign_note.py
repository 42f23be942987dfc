"""What another memory knew, on its way into notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page import MAX_FILE_BYTES
from memory_mcp.model.plain_text import with_lf
from memory_mcp.store.files import disk_errors


@dataclass(frozen=True, slots=True)
class ForeignNote:
    """A topic of another memory; `source` says where it stood, for reports.

    `relations` are (relation, topic) to other notes of the same import.
    """

    source: str
    topic: str
    hook: str
    content: str
    tags: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class ForeignMemory:
    """What was read: `texts` are the files by name, `skipped` are (where, why) of what cannot be taken."""

    notes: list[ForeignNote] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


def read_source(file: Path) -> str:
    """The text of a file that a person wants to import, with LF line ends.

    Raises:
        InvalidInput: it is no regular file, not UTF-8, or larger than 32 MB.
        Unavailable: the operating system refuses.
    """
    with disk_errors(file, "read"):
        if not file.is_file():
            raise InvalidInput("it is no regular file.")
        if file.stat().st_size > MAX_FILE_BYTES:
            raise InvalidInput(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MB: split it.")
        data = file.read_bytes()
    try:
        return with_lf(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"it is not UTF-8 (byte {error.start}): convert it first.") from None
