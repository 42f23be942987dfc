"""The git checkout that a folder lies in, found by reading files alone.

A git process costs milliseconds and every hook would pay them. The rules are those of
gitrepository-layout(5): `.git` is a folder, or a file that says `gitdir: <folder>`; in a linked worktree that
folder holds `commondir`.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

_MAX_POINTER_BYTES = 4096
_MAX_CONFIG_BYTES = 1_000_000
_SECTION = re.compile(r"\s*\[([^\]]*)\]")
_WORKTREE = re.compile(r"\s*worktree\s*=\s*(.*?)\s*$", re.IGNORECASE)


class Checkout(NamedTuple):
    """A worktree and the repository it belongs to.

    `root` is the worktree's own folder. `main_root` is the folder of the main worktree, the same for every
    linked worktree; for a bare repository it is the repository itself. `name` is the repository's name.
    """

    root: Path
    main_root: Path
    name: str


def find_checkout(folder: Path) -> Checkout | None:
    """The nearest checkout at or above `folder`, an absolute path."""
    while (git_dir := _git_dir(folder)) is None:
        if folder.parent == folder:
            return None
        folder = folder.parent
    main_root, name = _main_worktree(_common_dir(git_dir))
    return Checkout(folder, main_root, name)


def folder_in_checkout(cwd: str) -> str:
    """The folder relative to the root of its checkout, `.` for the root itself and outside of one."""
    checkout = find_checkout(Path(cwd)) if os.path.isabs(cwd) else None
    return Path(cwd).relative_to(checkout.root).as_posix() if checkout else "."


def current_branch(folder: Path) -> str:
    """The branch that the checkout of `folder` is on, "" outside of one or while HEAD is detached."""
    checkout = find_checkout(folder)
    git_dir = _git_dir(checkout.root) if checkout else None
    head = _read(git_dir / "HEAD", _MAX_POINTER_BYTES).strip() if git_dir else ""
    prefix = "ref: refs/heads/"
    return head.removeprefix(prefix) if head.startswith(prefix) else ""


def _git_dir(folder: Path) -> Path | None:
    path = folder / ".git"
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        # Git passes over a `.git` folder without HEAD, and so do we.
        return path if os.path.lexists(path / "HEAD") else None
    if not stat.S_ISREG(mode):
        return None
    prefix, colon, target = _read(path, _MAX_POINTER_BYTES).partition(":")
    target = target.strip("\r\n").strip(" ")
    if prefix != "gitdir" or not colon or not target or "\0" in target:
        return None
    return Path(os.path.normpath(folder / target))


def _common_dir(git_dir: Path) -> Path:
    if pointer := _read(git_dir / "commondir", _MAX_POINTER_BYTES).strip("\r\n"):
        return Path(os.path.realpath(git_dir / pointer))
    if git_dir.parent.name == "worktrees" and not git_dir.is_dir():
        # A linked worktree whose repository is not there, in a container say: its path still tells.
        return git_dir.parent.parent
    return Path(os.path.realpath(git_dir))


def _main_worktree(common: Path) -> tuple[Path, str]:
    if common.name.startswith("."):
        # `project/.git`, and the layout `project/.bare` beside linked worktrees.
        return common.parent, common.parent.name
    if worktree := _core_worktree(_read(common / "config", _MAX_CONFIG_BYTES)):
        root = Path(os.path.realpath(common / worktree))
        return root, root.name
    return common, common.name.removesuffix(".git") or common.name


def _core_worktree(config: str) -> str:
    """The `core.worktree` of a repository's config; git sets it in submodules."""
    section = found = ""
    for line in config.splitlines():
        if header := _SECTION.match(line):
            section = header[1].strip().lower()
        elif section == "core" and (value := _WORKTREE.match(line)):
            found = value[1].strip('"')
    return found


def _read(path: Path, max_bytes: int) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(max_bytes))
    except OSError:
        return ""
