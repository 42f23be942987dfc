"""Bringing back what was committed while HEAD was detached or a rebase, pick, revert or bisect was under way.

Such a commit goes on HEAD like any other, else `git rebase --continue` would refuse because of unstaged
changes. But an abort or a checkout can drop it, and its files with it, so it is also kept under a ref. Once
HEAD is on a branch, each kept commit that the branch does not contain is replayed with its own author and
message. A page that the branch has changed too, or that a person is editing, is left to the person.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone

from memory_mcp.store import steps
from memory_mcp.store.commit_message import Signature
from memory_mcp.store.files import remove_durably, write_atomically
from memory_mcp.store.git_object import path_text
from memory_mcp.store.git_repo import KEPT, GitRepo

CONFLICTS = "kept-conflicts.json"


@dataclass(frozen=True, slots=True)
class KeptConflict:
    """A page that a kept commit and the branch have both changed.

    `git show <commit>:<path>` is what was kept, and `git update-ref -d <ref>` gives it up.
    """

    commit: str
    path: str

    @property
    def ref(self) -> str:
        """The ref that keeps it."""
        return f"{KEPT}/{self.commit}"


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """The paths that a replay restored, and those that it left to a person."""

    paths: tuple[str, ...]
    conflicts: tuple[KeptConflict, ...]


@dataclass(frozen=True, slots=True)
class _KeptCommit:
    id: str
    author: Signature
    message: str
    changes: dict[str, tuple[str | None, str | None]]
    """By path: the blob before and the blob after."""


def bring_back(repo: GitRepo) -> BroughtBack:
    """Replay the kept commits that the branch does not contain; does nothing while HEAD is unsettled.

    A page whose branch version is one that a later kept commit wrote is already further on. The writer
    lock must be held.
    """
    refs = repo.folder.refs_below(KEPT)
    if not refs or repo.folder.is_unsettled():
        return BroughtBack((), ())
    dropped = list(_dropped_commits(repo, refs))
    _forget(repo, refs - {commit.id for commit in dropped})
    left = _read_conflicts(repo)
    restored: list[str] = []
    conflicts: dict[str, list[str]] = {}
    for number, kept in enumerate(dropped):
        later = {(path, new) for each in dropped[number + 1 :] for path, (_, new) in each.changes.items()}
        paths = left.get(kept.id, list(kept.changes))
        done, conflicts[kept.id] = _replay(repo, kept, paths, later)
        restored += done
        if not conflicts[kept.id]:
            _forget(repo, {kept.id})
            del conflicts[kept.id]
    _write_conflicts(repo, conflicts)
    repo.remember_replay()
    found = tuple(KeptConflict(commit, path) for commit, paths in conflicts.items() for path in paths)
    return BroughtBack(tuple(dict.fromkeys(restored)), found)


def kept_conflicts(repo: GitRepo) -> list[KeptConflict]:
    """What the last replay left to a person and is still kept; runs no process."""
    refs = repo.folder.refs_below(KEPT)
    conflicts = _read_conflicts(repo) if refs else {}
    return [KeptConflict(c, path) for c, paths in conflicts.items() if c in refs for path in paths]


def _replay(
    repo: GitRepo, kept: _KeptCommit, paths: list[str], later: set[tuple[str, str | None]]
) -> tuple[list[str], list[str]]:
    """Restore those paths of one kept commit that nobody has changed; returns (restored, conflicts)."""
    now = repo.blobs(paths)
    edited = set(repo.differs_from_head(paths))
    contents = repo.contents([new for path in paths if (new := kept.changes[path][1])])
    changes: dict[str, bytes | None] = {}
    conflicts = []
    for path in paths:
        was, new = kept.changes[path]
        if now[path] == new or (path, now[path]) in later:
            continue
        data = contents[new] if new else None
        if now[path] == was and (path not in edited or _on_disk(repo, path) == data):
            changes[path] = data
        else:
            conflicts.append(path)
    steps.reach("git.bring-back")
    for path, data in changes.items():
        if data is None:
            remove_durably(repo.root / path)
        else:
            write_atomically(repo.root / path, data)
    if changes:
        repo.commit(changes, kept.message, kept.author)
    steps.reach("git.brought-back")
    return list(changes), conflicts


def _on_disk(repo: GitRepo, path: str) -> bytes | None:
    file = repo.root / path
    return file.read_bytes() if file.is_file() and not file.is_symlink() else None


def _dropped_commits(repo: GitRepo, refs: frozenset[str]) -> Iterator[_KeptCommit]:
    """The kept commits that HEAD does not contain, oldest first."""
    output = repo.run(
        "log",
        "-z",
        "--topo-order",
        "--reverse",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--encoding=UTF-8",
        "--no-notes",
        "--format=%x00%H%x00%an%x00%ae%x00%at%x00%B",
        *sorted(refs),
        "--not",
        "HEAD",
        "--",
    )
    fields = output.split(b"\0")
    position = 0
    while position + 6 < len(fields):
        commit, name, email, seconds, message = (
            field.decode("utf-8", "replace") for field in fields[position + 1 : position + 6]
        )
        position += 6
        changes = {}
        while position + 1 < len(fields) and fields[position]:
            before, after = fields[position].decode().split()[2:4]
            path = path_text(fields[position + 1])
            changes[path] = (before if before.strip("0") else None, after if after.strip("0") else None)
            position += 2
        if commit in refs:
            author = Signature(name, email, datetime.fromtimestamp(int(seconds), timezone.utc))
            yield _KeptCommit(commit, author, message, changes)


def _forget(repo: GitRepo, commits: set[str] | frozenset[str]) -> None:
    if commits:
        orders = "".join(f"delete {KEPT}/{commit}\0{commit}\0" for commit in sorted(commits))
        repo.run("update-ref", "-z", "--stdin", data=orders.encode())


def _read_conflicts(repo: GitRepo) -> dict[str, list[str]]:
    try:
        found = json.loads((repo.folder.notes / CONFLICTS).read_text(encoding="utf-8"))
        return {commit: [str(path) for path in paths] for commit, paths in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _write_conflicts(repo: GitRepo, conflicts: dict[str, list[str]]) -> None:
    file = repo.folder.notes / CONFLICTS
    if conflicts:
        write_atomically(file, (json.dumps(conflicts, indent=1) + "\n").encode())
    elif file.exists():
        remove_durably(file)
