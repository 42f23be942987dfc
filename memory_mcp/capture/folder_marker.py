"""The marker files `.memory-mcp.toml` that speak of a folder, read as little as a hook must.

Which folders are looked at is as in `wiki.scope_resolve`: from the folder up to home; outside home up to the
root of the checkout; outside both the folder alone; and for a linked worktree without one the same from its
main worktree. A test holds the two together.
"""

from __future__ import annotations

import os
import re

from memory_mcp.capture.toml_file import BadToml, read_toml_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER_NAME = ".memory-mcp.toml"
MAX_MARKER_BYTES = 65_536
_SCOPE_KEYS = ("workspace", "project", "project_strategy", "drop_subagent_captures", "recall", "briefing")
_NAME = r"[a-z0-9][a-z0-9._-]*\Z"
_TRUE = ("true", "1", "yes", "on")
_MAX_POINTER = 4096


class FolderMarker:
    """What the markers of a folder say.

    `folder` is where the nearest marker lies, "" if there is none, and `tables` what it holds: None where it
    cannot be read. `scope` is `workspace/project` if the nearest marker that sets a scope names both.
    """

    __slots__ = ("drop_subagents", "folder", "scope", "tables")

    def __init__(self) -> None:
        self.folder = ""
        self.tables: dict[str, Any] | None = {}
        self.scope = ""
        self.drop_subagents = False


def find_marker(folder: str, home: str) -> FolderMarker:
    """What the markers that speak of `folder` say; both are absolute and without symbolic links."""
    found = FolderMarker()
    for each in _folders(folder, home):
        path = os.path.join(each, MARKER_NAME)
        if not os.path.exists(path):
            continue
        try:
            tables = read_toml_file(path, MAX_MARKER_BYTES)
        except BadToml:
            tables = None
        if not found.folder:
            found.folder, found.tables = each, tables
        if tables is None:
            return found  # what it says of the scope is not known
        if any(key in tables for key in _SCOPE_KEYS):
            _read_scope(found, tables)
            return found
    return found


def _read_scope(found: FolderMarker, tables: dict[str, Any]) -> None:
    workspace, project = tables.get("workspace"), tables.get("project")
    if isinstance(workspace, str) and isinstance(project, str):
        named = re.match(_NAME, workspace) and re.match(_NAME, project)
        found.scope = f"{workspace}/{project}" if named else ""
    value = tables.get("drop_subagent_captures", False)
    found.drop_subagents = value is True or (isinstance(value, str) and value.lower() in _TRUE)


def checkout_root(folder: str) -> str:
    """The nearest folder at or above `folder` that is a checkout, "" if there is none."""
    for each in _upward(folder):
        git = os.path.join(each, ".git")
        # Git passes over a `.git` folder without HEAD.
        if os.path.lexists(os.path.join(git, "HEAD")) or _pointed_to(each):
            return each
    return ""


def _folders(folder: str, home: str) -> list[str]:
    root = checkout_root(folder)
    main = _main_worktree(root) if root else ""
    no_projects = _upward(home)
    if root in no_projects or main in no_projects:
        root = main = ""  # a repository at home, of dotfiles say, is no project
    folders = _marker_folders(folder, home, root)
    if main and main not in (root, *_upward(folder)):
        folders += _marker_folders(main, home, root)
    return folders


def _marker_folders(start: str, home: str, root: str) -> list[str]:
    above = _upward(start)
    for last in (home, root):
        if last in above:
            return above[: above.index(last) + 1]
    return [start]


def _upward(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return folders


def _main_worktree(root: str) -> str:
    """The main worktree of a linked one, "" for any other; see gitrepository-layout(5)."""
    git_dir = _pointed_to(root)
    common = _line(os.path.join(git_dir, "commondir")) if git_dir else ""
    if common:
        common = os.path.realpath(os.path.join(git_dir, common))
    elif os.path.basename(os.path.dirname(git_dir)) == "worktrees" and not os.path.isdir(git_dir):
        common = os.path.dirname(os.path.dirname(git_dir))  # its repository is not there, in a container say
    return os.path.dirname(common) if os.path.basename(common).startswith(".") else common


def _pointed_to(root: str) -> str:
    """The folder that the file `.git` of a linked worktree or submodule names, "" where it is none."""
    prefix, colon, target = _line(os.path.join(root, ".git")).partition(":")
    target = target.strip(" ")
    if prefix != "gitdir" or not colon or not target or "\0" in target:
        return ""
    return os.path.normpath(os.path.join(root, target))


def _line(path: str) -> str:
    try:
        if not os.path.isfile(path):
            return ""  # a pipe would block whoever opens it
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_MAX_POINTER)).strip("\r\n")
    except (OSError, ValueError):
        return ""
