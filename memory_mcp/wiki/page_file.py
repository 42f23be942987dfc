"""Where a page's file lies, and that it lies inside its scope."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.page import MAX_FILE_BYTES
from memory_mcp.model.page_path import check_read_path, collision_key
from memory_mcp.model.scope import Scope
from memory_mcp.store.files import disk_errors


def page_file(wiki: Path, scope: Scope, path: str) -> Path:
    """The file of a page, which may not exist yet.

    Raises:
        InvalidInput: the path leaves the scope, by its spelling or through a symbolic link.
    """
    check_read_path(path)
    return plain_file(wiki, scope, path)


def read_page_file(wiki: Path, scope: Scope, path: str) -> bytes | None:
    """The bytes of a page's file, None when there is none.

    Raises:
        InvalidInput: the path leaves the scope, or names a folder, a pipe, or a file of over 32 MB.
    """
    check_read_path(path)
    return read_plain_file(wiki, scope, path)


def plain_file(wiki: Path, scope: Scope, path: str) -> Path:
    """The file at a path of ours in a scope, which may not exist yet.

    Raises:
        InvalidInput: the path goes through a symbolic link.
    """
    file = wiki
    for part in (scope.workspace, scope.project, *path.split("/")):
        file = file / part
        with disk_errors(file, "read"):
            is_link = file.is_symlink()
        if is_link:
            raise InvalidInput(
                f"path = {path!r:.120} goes through the symbolic link {file}: pages are plain files in plain "
                "folders of the wiki."
            )
    return file


def markdown_names(folder: Path) -> list[str]:
    """The names of the plain markdown files in a folder, sorted; none when there is no folder.

    Raises:
        Unavailable: the operating system refuses.
    """
    with disk_errors(folder, "list"):
        try:
            with os.scandir(folder) as entries:
                return sorted(
                    entry.name
                    for entry in entries
                    if entry.name.endswith(".md")
                    and not entry.name.startswith(".")
                    and entry.is_file(follow_symlinks=False)
                )
        except (FileNotFoundError, NotADirectoryError):
            return []


def read_plain_file(wiki: Path, scope: Scope, path: str) -> bytes | None:
    """The bytes of the file at a path of ours in a scope, None when there is none.

    Raises:
        InvalidInput: the path goes through a symbolic link, or names a folder, a pipe, or over 32 MB.
    """
    file = plain_file(wiki, scope, path)
    with disk_errors(file, "read"):
        try:
            found = file.lstat()
            if not stat.S_ISREG(found.st_mode):
                what = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
                raise InvalidInput(f"path = {path!r:.120} is {what}, not a page.")
            if found.st_size > MAX_FILE_BYTES:
                raise InvalidInput(
                    f"path = {path!r:.120} is larger than {MAX_FILE_BYTES // 1024 // 1024} MB: split it."
                )
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None


FolderNames = dict[Path, dict[str, set[str]]]
"""The names in folders by what some file systems take for the same name, as far as they were looked up."""


def check_new_file(wiki: Path, scope: Scope, path: str, listed: FolderNames | None = None) -> None:
    """Refuse a new page whose name some file systems could not tell from one that exists.

    `listed` saves listing a folder again for every one of many new pages; it then holds their names too.

    Raises:
        Conflict: another file or folder differs from a part of `path` only by case or Unicode form.
        InvalidInput: a part of the path is a file, or the path is a folder.
    """
    folder = wiki
    parts = (scope.workspace, scope.project, *path.split("/"))
    listed = {} if listed is None else listed
    for depth, part in enumerate(parts):
        same = _names(folder, path, listed).setdefault(collision_key(part), {part})
        if part not in same:
            there = "/".join((*parts[2:depth], min(same))) if depth > 1 else min(same)
            raise Conflict(
                f"path = {path!r:.120} differs only by case or Unicode form from {there!r:.120}, "
                "which exists: use that name."
            )
        folder = folder / part
    if folder.is_dir() or folder in listed:
        raise InvalidInput(f"path = {path!r:.120} is a folder, not a page.")


def _names(folder: Path, path: str, listed: FolderNames) -> dict[str, set[str]]:
    if folder not in listed:
        names: dict[str, set[str]] = {}
        with disk_errors(folder, "list"):
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        names.setdefault(collision_key(entry.name), set()).add(entry.name)
            except FileNotFoundError:
                pass
            except NotADirectoryError:
                raise InvalidInput(
                    f"path = {path!r:.120}: {folder.name!r} is a file, not a folder."
                ) from None
        listed[folder] = names
    return listed[folder]
