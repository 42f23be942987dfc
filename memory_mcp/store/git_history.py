"""The history of a repository: which commits changed a path, and what it said in each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime, timezone
from typing import NamedTuple

from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.store.commit_message import ACTOR, OPERATION, SESSION, parse_message
from memory_mcp.store.git_object import EXECUTABLE, FILE, path_text
from memory_mcp.store.git_read import GitReader
from memory_mcp.store.git_run import GitFailure

_COMMIT = re.compile(r"[0-9a-f]{4,64}\Z")
_FORMAT = "--format=%x00%H%x00%ct%x00%an%x00%B"


class CommitInfo(NamedTuple):
    """One commit: `time` is the committer's, `paths` are those asked for that it changed.

    `operation`, `actor` and `session` come from the trailers, "" in commits that are not ours.
    """

    commit: str
    time: datetime
    author: str
    subject: str
    operation: str
    actor: str
    session: str
    paths: tuple[str, ...]


class FirstParent(NamedTuple):
    """A commit on the line of first parents, and what HEAD's files became with it.

    `time` is the committer's, in seconds since 1970. `blobs` are ids by path, None for a path that holds no
    regular file any more.
    """

    commit: str
    parent: str | None
    time: int
    blobs: dict[str, str | None]


class GitHistory(GitReader):
    """One repository, read with its history."""

    def log(self, paths: Collection[str], limit: int) -> list[CommitInfo]:
        """The last commits that changed one of `paths` (of all, when there are none), newest first."""
        return list(self._log(paths, "--name-only", limit))

    def show(self, commit: str, path: str) -> bytes:
        """The exact bytes of a file in a commit.

        Raises:
            InvalidInput: `commit` is not a commit's id or the beginning of one.
            NotFound: there is no such commit, or it does not hold the path.
        """
        if not _COMMIT.match(commit):
            raise InvalidInput(
                f"commit = {commit!r:.80} is not a commit id: use the hex digits that "
                "`memory-mcp checkpoints` lists, at least four."
            )
        name = f"{commit}:{path}"
        found = {} if "\n" in path else self.contents([name])
        if name not in found:
            raise NotFound(
                f"commit {commit} does not exist or holds no {path}; `memory-mcp checkpoints --path` "
                "lists those of the page."
            )
        return found[name]

    def last_holder(self, path: str) -> str | None:
        """The last commit that wrote a file, whether or not a later one deleted it."""
        if self.head().commit is None:
            return None
        commits = self.run("log", "--diff-filter=AMT", "--format=%H", "--", path).decode().split()
        return commits[0] if commits else None

    def recent_changes(
        self, prefix: str, limit: int, among: Collection[str] | None = None
    ) -> dict[str, datetime]:
        """The last `limit` files below `prefix` to be changed by a commit, newest first, with its time.

        Files that HEAD does not hold are left out, and so are those not in `among`.
        """
        window = limit * 4
        while True:
            seen: dict[str, datetime | None] = {}
            commits = 0
            for info in self._log([prefix] if prefix else [], "--name-status", window):
                commits += 1
                for status, path in zip(info.paths[::2], info.paths[1::2], strict=True):
                    if among is None or path in among:
                        seen.setdefault(path, None if status == "D" else info.time)
            changes = [(path, moment) for path, moment in seen.items() if moment]
            if len(changes) >= limit or commits < window:
                return dict(changes[:limit])
            window *= 8

    def first_parents(self, after: str | None, head: str) -> list[FirstParent] | None:
        """The commits that led from `after` (None: from the beginning) to `head`, oldest first.

        Only the line of first parents is followed: a merge is one step, at the time of the merge, when this
        repository learned of it. None means that `after` is not on that line: history was rewritten, or
        another branch is checked out.
        """
        if after == head:
            return []
        try:
            output = self.run(
                "log",
                "-z",
                "--first-parent",
                "-m",
                "--reverse",
                "--raw",
                "--no-abbrev",
                "--no-renames",
                "--no-color",
                "--no-notes",
                "--format=%x00%H%x00%P%x00%ct",
                head,
                *([f"^{after}"] if after else []),
                "--",
                config=["log.showRoot=true"],
            )
        except GitFailure:
            if after and after not in self._commits([after]):
                return None
            raise
        line = list(_parse_first_parents(output))
        if after and (not line or line[0].parent != after):
            return None
        return line

    def blob_sizes(self, blobs: Collection[str]) -> dict[str, int]:
        """The length in bytes of each blob; what the repository does not hold any more is left out."""
        return {name: size for name, (kind, size) in self._check(blobs).items() if kind == "blob"}

    def _commits(self, names: Collection[str]) -> set[str]:
        return {name for name, (kind, _) in self._check(names).items() if kind == "commit"}

    def _check(self, names: Collection[str]) -> dict[str, tuple[str, int]]:
        """Type and size of objects by their ids; those that are missing are left out."""
        if not names:
            return {}
        data = "".join(f"{name}\n" for name in names).encode()
        rows = (row.split() for row in self.run("cat-file", "--batch-check", data=data).decode().splitlines())
        return {row[0]: (row[1], int(row[2])) for row in rows if len(row) == 3}

    def _log(self, paths: Collection[str], names: str, limit: int) -> Iterator[CommitInfo]:
        if self.head().commit is None:
            return
        output = self.run(
            "log",
            "-z",
            f"--max-count={limit}",
            names,
            "--no-renames",
            "--no-color",
            "--encoding=UTF-8",
            "--no-notes",
            _FORMAT,
            "--",
            *paths,
        )
        yield from _parse_log(output)


def _parse_log(output: bytes) -> Iterator[CommitInfo]:
    """An empty field starts a commit: no path is empty, and the message stands at a fixed place."""
    fields = output.split(b"\0")
    position = 0
    while position + 5 < len(fields):
        commit, seconds, author, message = (
            f.decode("utf-8", "replace") for f in fields[position + 1 : position + 5]
        )
        position += 5
        names: list[str] = []
        while position < len(fields) and fields[position]:
            name = fields[position] if names else fields[position].removeprefix(b"\n")
            names.append(path_text(name))
            position += 1
        subject, trailers = parse_message(message)
        yield CommitInfo(
            commit=commit,
            time=datetime.fromtimestamp(int(seconds), timezone.utc),
            author=author,
            subject=subject,
            operation=trailers.get(OPERATION, ""),
            actor=trailers.get(ACTOR, ""),
            session=trailers.get(SESSION, ""),
            paths=tuple(names),
        )


def _parse_first_parents(output: bytes) -> Iterator[FirstParent]:
    """As in `_parse_log`, an empty field starts a commit; then come pairs of what changed and a path."""
    fields = output.split(b"\0")
    position = 0
    while position + 3 < len(fields):
        commit, parents, seconds = (field.decode() for field in fields[position + 1 : position + 4])
        position += 4
        blobs: dict[str, str | None] = {}
        while position + 1 < len(fields) and fields[position]:
            _, mode, _, blob, _ = fields[position].decode().split()
            path = path_text(fields[position + 1])
            blobs[path] = blob if mode in (FILE, EXECUTABLE) else None
            position += 2
        yield FirstParent(commit, parents.split()[0] if parents else None, int(seconds), blobs)
