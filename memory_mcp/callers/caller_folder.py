"""The files of one caller, as everybody may read them."""

from __future__ import annotations

from pathlib import Path

from memory_mcp.errors import Conflict
from memory_mcp.model.caller import caller_scope
from memory_mcp.wiki.caller_owner import check_owner
from memory_mcp.wiki.page_file import markdown_names, plain_file, read_plain_file

PROFILE = "memory/USER.md"
NOTE_INDEX = "memory/MEMORY.md"
LOG = "memory/log.md"
NOTES = "memory/notes"
SKILL_INDEX = "skills/SKILLS.md"
SKILLS = "skills"
TASKS = "tasks"


class CallerFolder:
    """Reads the files of a caller; paths are relative to the caller's folder, with `/`.

    Nothing is created here; a caller of whom nothing was written yet has no folder.
    """

    def __init__(self, wiki: Path, caller: str) -> None:
        self.caller = caller
        self.scope = caller_scope(caller)
        self.wiki = wiki
        self.root = wiki / self.scope.workspace / self.scope.project

    def file(self, path: str) -> Path:
        """The absolute file.

        Raises:
            InvalidInput: the path goes through a symbolic link.
        """
        return plain_file(self.wiki, self.scope, path)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None when there is none.

        Raises:
            InvalidInput: the path goes through a symbolic link or names no regular file.
            Unavailable: the operating system refuses.
        """
        return read_plain_file(self.wiki, self.scope, path)

    def read_text(self, path: str) -> str:
        """The text of a file, "" when there is none.

        Raises:
            Conflict: it is not UTF-8.
            InvalidInput, Unavailable: see `read`.
        """
        return decode(self.read(path) or b"", path)

    def names(self, folder: str) -> list[str]:
        """The names of the markdown files in a folder, sorted; none when there is no folder."""
        return markdown_names(self.file(folder))

    def check_owner(self) -> None:
        """Refuse the folder of a caller of another name; raises as `caller_owner.check_owner`."""
        check_owner(self.wiki, self.caller)


def decode(data: bytes, path: str) -> str:
    """The text of a caller's file.

    Raises:
        Conflict: it is not UTF-8; the message names `path`.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Conflict(
            f"{path} is not UTF-8 text (byte 0x{data[error.start]:02x} on line {line}): save it as UTF-8."
        ) from None
