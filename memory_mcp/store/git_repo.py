"""One repository that is written: a commit of exactly the given paths, whatever state the checkout is in."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from pathlib import Path

from memory_mcp.errors import Busy, Unavailable
from memory_mcp.store import steps
from memory_mcp.store.commit_message import Signature
from memory_mcp.store.files import disk_errors, make_folders
from memory_mcp.store.git_folder import is_repository
from memory_mcp.store.git_history import GitHistory
from memory_mcp.store.git_import import file_mode, import_commit
from memory_mcp.store.git_index import NOTE, mend_index, note_index, tell_index
from memory_mcp.store.git_object import Entry, blob_id
from memory_mcp.store.git_read import Head
from memory_mcp.store.git_run import GitFailure, init_repository

log = logging.getLogger(__name__)

KEPT = "refs/memory-mcp/kept"
"""Commits made while HEAD was unsettled, so that nothing an abort or a checkout drops is lost."""

_TRIES = 20
_PAUSE_SECONDS = 0.05


class GitRepo(GitHistory):
    """One repository, read and written; its writer holds the writer lock of the data dir."""

    def __init__(self, root: Path, *, light: bool = False) -> None:
        super().__init__(root, light=light)
        self._replayed: tuple[frozenset[str], Head] | None = None

    @classmethod
    def init(cls, root: Path, *, light: bool = False) -> GitRepo:
        """The repository of the work tree at `root`, made if there is none (branch `main`, no hooks)."""
        if not is_repository(root):
            with disk_errors(root, "create"):
                make_folders(root)
            init_repository(root, light=light)
        return cls(root, light=light)

    def commit(self, changes: Mapping[str, bytes | None], message: str, author: Signature) -> str | None:
        """Commit these contents (None deletes) on top of HEAD and return the commit's id.

        Only these paths are part of it. It returns None when HEAD holds them already. The files on disk
        are not looked at, and what the user has staged stays staged.

        Raises:
            Busy: HEAD moved, or its ref was locked, at every try.
            Unavailable: git is missing or refused; nothing was changed.
        """
        for _ in range(_TRIES):
            head = self.head()
            before = self.entries(changes, head.commit)
            length = self.id_length(head.commit)
            after = _changed(changes, before, length)
            if not after:
                mend_index(self)
                return None
            wanted = {path: changes[path] for path in after}
            steps.reach("git.import")
            new = import_commit(self.run, head.commit, wanted, before, message, author, length)
            steps.reach("git.imported")
            was = {path: before.get(path) for path in after}
            older = note_index(self, was)
            refusal = self._move_head(head, new)
            if refusal is None:
                break
        else:
            raise Busy(f"{refusal} End the other git command, or remove what a killed one left; try again.")
        try:
            if older:
                mend_index(self)
            else:
                tell_index(self, {path: [e.blob if e else None] for path, e in was.items()}, after)
        except (Unavailable, OSError) as error:
            log.warning("the commit is made; the index of %s is told of it later: %s", self.root, error)
        return new

    def mend_index(self) -> bool:
        """Tell the user's index what an earlier commit could not; False where it is still locked."""
        return mend_index(self)

    def may_need_repair(self) -> bool:
        """Whether `mend_index` or `bring_back` may have work; costs a few stats and no process."""
        if (self.folder.notes / NOTE).exists() and not self.folder.is_index_locked():
            return True
        kept = self.folder.refs_below(KEPT)
        return bool(kept) and not self.folder.is_unsettled() and self._replayed != (kept, self.head())

    def remember_replay(self) -> None:
        """What is kept now stays kept: `may_need_repair` need not ask before HEAD moves."""
        self._replayed = (self.folder.refs_below(KEPT), self.head())

    def _move_head(self, head: Head, new: str) -> GitFailure | None:
        """Move HEAD, or the branch it names, to `new`; returns why not if it has moved or is locked."""
        old = head.commit or "0" * len(new)
        orders = [f"update HEAD\0{new}\0{old}\0"]
        if self.folder.is_unsettled():
            orders.append(f"create {KEPT}/{new}\0{new}\0")
        steps.reach("git.ref-move")
        try:
            self.run("update-ref", "-m", "memory-mcp", "-z", "--stdin", data="".join(orders).encode())
        except GitFailure as failure:
            if "cannot lock ref" not in failure.stderr:
                raise
            if ".lock': File exists" in failure.stderr:
                time.sleep(_PAUSE_SECONDS)
            return failure
        steps.reach("git.ref-moved")
        return None


def _changed(
    changes: Mapping[str, bytes | None], before: Mapping[str, Entry], id_length: int
) -> dict[str, Entry | None]:
    """What the paths that differ from `before` will be."""
    after: dict[str, Entry | None] = {}
    for path, data in changes.items():
        old = before.get(path)
        new = None if data is None else Entry(file_mode(old), blob_id(data, id_length))
        if new != old:
            after[path] = new
    return after
