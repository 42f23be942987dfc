"""What a repository tells without a git process: where its folders are and what state its checkout is in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import Unavailable

UNSETTLED = (
    "rebase-merge",
    "rebase-apply",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "sequencer",
)
"""While one of these is there, an abort may take back commits (the abort of a merge does not)."""


class GitFolder(NamedTuple):
    """The folder that `.git` is or, in a linked worktree, names; and the one that all worktrees share."""

    own: Path
    common: Path

    @property
    def notes(self) -> Path:
        """Where the product keeps small files about this work tree."""
        return self.own / "memory-mcp"

    def head_text(self) -> str:
        """The content of HEAD: `ref: <branch>`, or a commit's id when it is detached."""
        try:
            text = (self.own / "HEAD").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"cannot read {self.own / 'HEAD'}: is this a git repository?") from error
        if text == "ref: refs/heads/.invalid":
            raise Unavailable(
                f"{self.own} keeps its branches in a reftable, which memory-mcp cannot read; "
                "run 'git refs migrate --ref-format=files' there."
            )
        return text

    def loose_ref(self, ref: str) -> str | None:
        """The id in the file of a ref; None where there is no such file."""
        try:
            return (self.common / ref).read_text(encoding="utf-8").strip()
        except OSError:
            return None

    def is_unsettled(self) -> bool:
        """Whether HEAD is detached or an operation is under way whose end may drop commits."""
        return not self.head_text().startswith("ref: ") or any(
            (self.own / name).exists() for name in UNSETTLED
        )

    def is_index_locked(self) -> bool:
        """Whether a git command is changing the index, or one was killed while it did."""
        return (self.own / "index.lock").exists()

    def refs_below(self, prefix: str) -> frozenset[str]:
        """The last parts of the refs `<prefix>/<name>`, loose or packed."""
        found: set[str] = set()
        try:
            found.update(name for name in os.listdir(self.common / prefix) if not name.endswith(".lock"))
        except OSError:
            pass
        try:
            packed = (self.common / "packed-refs").read_text(encoding="utf-8", errors="replace")
        except OSError:
            packed = ""
        if prefix in packed:
            marker = f" {prefix}/"
            found.update(line.split(marker, 1)[1] for line in packed.splitlines() if marker in line)
        return frozenset(found)


def find_git_folder(root: Path) -> GitFolder:
    """The git folder of the work tree at `root`.

    Raises:
        Unavailable: `.git` is a file that names no folder.
    """
    own = root / ".git"
    if own.is_file():
        text = own.read_text(encoding="utf-8", errors="surrogateescape")
        if not text.startswith("gitdir: "):
            raise Unavailable(f"{own} is a file that names no git folder.")
        own = root / text.removeprefix("gitdir: ").strip()
    try:
        common = own / (own / "commondir").read_text(encoding="utf-8").strip()
    except OSError:
        common = own
    return GitFolder(own, common)


def is_repository(folder: Path) -> bool:
    """Whether `folder` is the root of a work tree: it holds a `.git` folder with a HEAD, or a `.git` file."""
    dot_git = folder / ".git"
    return (dot_git / "HEAD").is_file() or dot_git.is_file()
