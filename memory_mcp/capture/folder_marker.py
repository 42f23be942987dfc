"""The marker files `.memory-mcp.toml` that speak of a folder, read as little as a hook must.

Which folders are looked at is as in `wiki.scope_resolve`: from the folder up to home; outside home up to the
root of the checkout; outside both the folder alone; and for a linked worktree without one, its main worktree.
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
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")
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
    """What the markers that speak of `folder`, an absolute path, say."""
    found = FolderMarker()
    for each in _folders(folder, home):
        path = f"{each}/{MARKER_NAME}"
        if not os.path.lexists(path):
            continue
        try:
            tables = read_toml_file(path, MAX_MARKER_BYTES)
        except BadToml:
            tables = None
        if not found.folder:
            found.folder, found.tables = each, tables
        if tables is None or any(key in tables for key in _SCOPE_KEYS):
            _read_scope(found, tables or {})
            return found
    return found


def _read_scope(found: FolderMarker, tables: dict[str, Any]) -> None:
    workspace, project = tables.get("workspace"), tables.get("project")
    named = [name for name in (workspace, project) if isinstance(name, str) and _NAME.match(name)]
    if len(named) == 2:
        found.scope = "/".join(named)
    value = tables.get("drop_subagent_captures", False)
    found.drop_subagents = value is True or (isinstance(value, str) and value.lower() in _TRUE)


def _folders(folder: str, home: str) -> list[str]:
    above = _upward(folder)
    root = checkout_root(folder)
    main = _main_worktree(root) if root else ""
    last = home if home in above else root
    return (above[: above.index(last) + 1] if last else [folder]) + ([main] if main else [])


def checkout_root(folder: str) -> str:
    """The nearest folder at or above `folder` that holds `.git`, "" if there is none."""
    for each in _upward(folder):
        if os.path.lexists(f"{each}/.git"):
            return each
    return ""


def _upward(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return folders


def _main_worktree(root: str) -> str:
    """The main worktree of a linked one, "" for any other; see gitrepository-layout(5)."""
    pointer = _line(f"{root}/.git")
    if not pointer.startswith("gitdir:"):
        return ""
    git_dir = os.path.join(root, pointer.removeprefix("gitdir:").strip())
    common = _line(f"{git_dir}/commondir")
    return os.path.dirname(os.path.realpath(os.path.join(git_dir, common))) if common else ""


def _line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_MAX_POINTER)).strip()
    except OSError:
        return ""
