"""What a repository says: HEAD, the files it holds, and what differs from it."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import Unavailable
from memory_mcp.store.git_folder import GitFolder, find_git_folder
from memory_mcp.store.git_object import (
    EXECUTABLE,
    FILE,
    OBJECT_ID,
    SYMLINK,
    Entry,
    blob_id,
    path_text,
    split_nul,
)
from memory_mcp.store.git_run import GitFailure, GitRun

MAX_PATHS_AS_ARGUMENTS = 200
"""For more paths than this one list of everything is cheaper than one of just them."""


class Head(NamedTuple):
    """Where HEAD is: its commit (None before the first), the full name of its branch (None if detached)."""

    commit: str | None
    branch: str | None


class GitReader:
    """One repository, read. Paths are relative to its root, with '/'.

    Everything works in a repository without a commit, and no method takes a lock of git's.
    """

    def __init__(self, root: Path, *, light: bool = False) -> None:
        self.root = root
        self.run = GitRun(root, light)
        self._asked: tuple[str, frozenset[str]] | None = None
        self._entries: dict[str, Entry] = {}
        """The last answer of `entries`: a write asks twice, before its files change and after."""

    @cached_property
    def folder(self) -> GitFolder:
        """Where git keeps this repository."""
        return find_git_folder(self.root)

    def head(self) -> Head:
        """Where HEAD is now; without a process unless its branch is packed."""
        text = self.folder.head_text()
        if not text.startswith("ref: "):
            return Head(text, None)
        branch = text.removeprefix("ref: ")
        commit = self.folder.loose_ref(branch)
        if commit is not None and OBJECT_ID.match(commit):
            return Head(commit, branch)
        try:
            return Head(self.run("rev-parse", "--verify", "--quiet", branch).decode().strip(), branch)
        except GitFailure as failure:
            if failure.status == 1 and not failure.stderr:
                return Head(None, branch)
            raise

    def id_length(self, commit: str | None) -> int:
        """The number of hex digits of an object's id, told by any commit, else by git."""
        if commit:
            return len(commit)
        return 64 if self.run("rev-parse", "--show-object-format").strip() == b"sha256" else 40

    def entries(self, paths: Collection[str], commit: str | None) -> dict[str, Entry]:
        """The files that `commit` holds at `paths`; what it does not hold is left out."""
        if commit is None or not paths:
            return {}
        question = (commit, frozenset(paths))
        if self._asked != question:
            rows = self._listing(["ls-tree", "-z"], paths, after=commit, recursive="-r")
            self._entries = {
                path: Entry(mode, blob)
                for (mode, kind, blob), path in rows
                if kind != "tree" and path in paths
            }
            self._asked = question
        return dict(self._entries)

    def index_entries(self, paths: Collection[str]) -> dict[str, Entry | None]:
        """What the user's index holds at `paths`; None for a path with a merge conflict."""
        found: dict[str, Entry | None] = {}
        for (mode, blob, stage), path in self._listing(["ls-files", "-s", "-z"], paths):
            if path in paths:
                found[path] = Entry(mode, blob) if stage == "0" else None
        return found

    def blobs(self, paths: Collection[str]) -> dict[str, str | None]:
        """The id of each path's content at HEAD, None where HEAD does not hold it."""
        entries = self.entries(paths, self.head().commit)
        return {path: entries[path].blob if path in entries else None for path in paths}

    def contents(self, blobs: Collection[str]) -> dict[str, bytes]:
        """The bytes of blobs by their ids, or by any `<commit>:<path>`; what is missing is left out."""
        if not blobs:
            return {}
        names = list(dict.fromkeys(blobs))
        output = self.run(
            "cat-file", "--batch", data="\n".join(names).encode("utf-8", "surrogateescape") + b"\n"
        )
        found, position = {}, 0
        for name in names:
            end = output.index(b"\n", position)
            header = output[position:end].rsplit(b" ", 2)
            position = end + 1
            if len(header) == 3 and header[2].isdigit():
                size = int(header[2])
                if header[1] == b"blob":
                    found[name] = output[position : position + size]
                position += size + 1
        return found

    def differs_from_head(self, paths: Collection[str]) -> list[str]:
        """Those paths whose file on disk is not what HEAD holds; absent against present counts too."""
        commit = self.head().commit
        entries = self.entries(paths, commit)
        length = len(commit or "")
        return [path for path in paths if _differs(self.root / path, entries.get(path), length)]

    def uncommitted(self, prefix: str) -> list[str]:
        """The files below `prefix` with changes that are in no commit.

        What people ignore and what lies in a repository of its own is left out.
        """
        output = self.run(
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
            "--",
            *([prefix] if prefix else []),
            user_config=True,
        )
        paths = (path_text(record[3:]) for record in split_nul(output))
        return sorted(path for path in paths if not path.endswith("/"))

    def at_head(self, prefix: str) -> set[str]:
        """The files below `prefix` that HEAD holds."""
        commit = self.head().commit
        if commit is None:
            return set()
        below = [prefix.rstrip("/") + "/"] if prefix else []
        output = self.run("ls-tree", "-r", "--name-only", "-z", commit, "--", *below)
        return {path_text(record) for record in split_nul(output)}

    def conflicted(self, prefix: str) -> list[str]:
        """The files below `prefix` with a merge conflict that nobody has resolved yet."""
        output = self.run("ls-files", "-u", "-z", "--", *([prefix] if prefix else []))
        return sorted({path_text(record.split(b"\t", 1)[1]) for record in split_nul(output)})

    def _listing(
        self, command: list[str], paths: Collection[str], after: str = "", recursive: str = ""
    ) -> Iterator[tuple[list[str], str]]:
        """Rows of ls-tree or ls-files: the words before the tab, and the path."""
        arguments = list(command)
        all_of_them = len(paths) > MAX_PATHS_AS_ARGUMENTS
        if all_of_them and recursive:
            arguments.append(recursive)
        if after:
            arguments.append(after)
        arguments.append("--")
        if not all_of_them:
            arguments += paths
        for record in split_nul(self.run(*arguments)):
            words, path = record.split(b"\t", 1)
            yield words.decode().split(), path_text(path)


def _differs(file: Path, entry: Entry | None, id_length: int) -> bool:
    try:
        status = file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return entry is not None
    if stat.S_ISDIR(status.st_mode):
        return entry is not None
    if entry is None:
        return True
    try:
        if stat.S_ISLNK(status.st_mode):
            return entry.mode != SYMLINK or blob_id(os.fsencode(file.readlink()), id_length) != entry.blob
        data = file.read_bytes()
    except OSError as error:
        raise Unavailable(f"cannot read {file}: {error.strerror}.") from error
    return entry.mode not in (FILE, EXECUTABLE) or blob_id(data, id_length) != entry.blob
