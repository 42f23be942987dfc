"""The one write path of the wiki.

    lock -> repair what a killed process left -> hand edits committed -> journal -> files -> index
    -> one git commit -> journal cleared -> answer

Whatever fails before the answer is undone, and what a kill interrupts the next process finishes, so that a
change is either not there or whole.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memory_mcp.errors import Conflict, InvalidInput, Unavailable
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.scope import CALLERS, Scope
from memory_mcp.store import steps
from memory_mcp.store.commit_message import CommitMessage
from memory_mcp.store.data_dir import DataDir, migrate
from memory_mcp.store.files import disk_errors, remove_leftovers, write_many
from memory_mcp.store.journal import Contents, Entry, Journal
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.log_lines import append_line, log_line, log_name
from memory_mcp.store.wiki_repos import WikiRepos

log = logging.getLogger(__name__)

Reindex = Callable[[Sequence[str]], None]
"""Brings the index up to date with the named files (wiki paths); must not raise."""


class Change:
    """The files that one operation puts and removes; nothing is touched before the operation is complete.

    `caller` is the scope of the caller whose own files it may touch, None for the pages of projects.
    """

    def __init__(self, wiki: Path, now: Clock, caller: Scope | None = None) -> None:
        self._wiki = wiki
        self._now = now
        self._caller = caller
        self.files: dict[str, bytes | None] = {}
        self.commit: str | None = None
        """The commit that holds the change; None when nothing differed."""

    def read(self, wiki_path: str) -> bytes | None:
        """The bytes that the file would have now, None where there is none."""
        if wiki_path in self.files:
            return self.files[wiki_path]
        return _read(self._wiki / wiki_path)

    def put(self, wiki_path: str, data: bytes) -> None:
        """Let the file have these bytes.

        Raises:
            InvalidInput: it belongs to a caller, and the operation is not one on that caller's memory.
            Conflict: the way to it leads through a symbolic link.
        """
        self._check_owner(wiki_path)
        self._check_plain(wiki_path)
        self.files[wiki_path] = data

    def remove(self, wiki_path: str) -> None:
        """Let the file be gone; raises as `put` does."""
        self._check_owner(wiki_path)
        self._check_plain(wiki_path)
        self.files[wiki_path] = None

    def log(self, scope: Scope, event: str, detail: str) -> None:
        """Append an entry to the log of a scope.

        Raises:
            Conflict: the log is a symbolic link, whose target's text must not get into the wiki.
        """
        moment = self._now()
        path = f"{scope}/{log_name(moment)}"
        self.put(path, append_line(self.read(path), log_line(moment, event, detail), moment))

    def _check_plain(self, wiki_path: str) -> None:
        """Nothing is written out of the wiki, and what lies outside does not get in."""
        path = os.fspath(self._wiki)
        for part in wiki_path.split("/"):
            path = f"{path}/{part}"
            if os.path.islink(path):
                raise Conflict(
                    f"{path} is a symbolic link: put the file or folder itself there, or remove it."
                )

    def _check_owner(self, wiki_path: str) -> None:
        is_callers = wiki_path.split("/", 1)[0].lower() == CALLERS
        if is_callers and not (self._caller and wiki_path.startswith(f"{self._caller}/")):
            raise InvalidInput(
                f"{wiki_path!r:.120} is part of a caller's memory: write it with memory_write, skill_write, "
                "memory_append_log, memory_maintain or the task tools."
            )


class WikiChanges:
    """Makes changes to the wiki, one at a time among all processes."""

    def __init__(
        self, data_dir: DataDir, lock: WriterLock, repos: WikiRepos, reindex: Reindex, clock: Clock
    ) -> None:
        self._data_dir = data_dir
        self._wiki = data_dir.wiki
        self._lock = lock
        self._repos = repos
        self._reindex = reindex
        self._clock = clock
        self._journal = Journal(data_dir.state)
        self._swept = False

    @contextmanager
    def begin(
        self, operation: str, subject: str, actor: Actor, *, caller: Scope | None = None
    ) -> Iterator[Change]:
        """Collect a change and carry it out when the block ends without an exception.

        `caller` is the scope of the caller whose memory it is about; see `Change`.

        Raises:
            Busy: another process holds the writer lock for too long.
            Unavailable: the disk or git refuses; everything is as it was.
        """
        with self._lock.hold(operation):
            self._prepare()
            change = Change(self._wiki, self._clock, caller)
            yield change
            before = {path: _read(self._wiki / path) for path in change.files}
            wanted = {path: new for path, new in change.files.items() if new != before[path]}
            if wanted:
                self._repos.commit_hand_edits(wanted)
                old = {path: before[path] for path in wanted}
                change.commit = self._carry_out(Entry(operation, subject, actor, wanted, old))

    def commit_hand_edits(self, prefix: str) -> list[str]:
        """Commit, in the person's name, what was edited by hand below `prefix`; the wiki paths of it."""
        with self._lock.hold("commit"):
            self._prepare()
            edited = self._repos.uncommitted(prefix)
            return self._repos.commit_hand_edits(edited)

    def prepare(self) -> None:
        """Make the wiki a repository of the present format, as the first change would."""
        with self._lock.hold("init"):
            self._prepare()

    def _prepare(self) -> None:
        migrate(self._data_dir, {0: lambda _: self._repos.ensure()}, self._clock())
        self._repos.ensure()
        self._repair()

    def _repair(self) -> None:
        """Finish what a killed process left half done. The writer lock must be held."""
        if not self._swept:
            remove_leftovers([self._data_dir.root, self._data_dir.state, self._wiki])
            self._swept = True
        if self._journal.exists():
            self._finish_journal()
        restored = self._repos.repair()
        if restored:
            self._reindex(restored)

    def repair_if_due(self) -> None:
        """Finish what a killed process left, unless somebody is writing; costs a few stats if nothing is.

        A disk that refuses is left to the next change to report: reads go on.
        """
        try:
            if self._journal.exists() or self._repos.may_need_repair():
                with self._lock.hold_if_free("repair") as held:
                    if held:
                        self._repair()
        except Unavailable as error:
            log.warning("an interrupted change cannot be finished now: %s", error)

    def _carry_out(self, entry: Entry) -> str | None:
        made = _missing_folders(self._wiki, entry.new)
        try:
            self._journal.write(entry)
            steps.reach("journal.written")
            self._write(entry.new)
            self._reindex(list(entry.new))
            steps.reach("index.updated")
            commit = self._commit(entry)
        except Exception:
            self._undo(made)
            raise
        steps.reach("git.committed")
        self._forget()
        steps.reach("journal.cleared")
        return commit

    def _undo(self, made: list[Path]) -> None:
        """Put the old bytes back; where the disk refuses even that, the next process does."""
        try:
            self._journal.turn_back()
            self._finish_journal()
            for folder in made:
                if folder.is_dir() and not os.listdir(folder):
                    folder.rmdir()
        except (Unavailable, OSError) as error:
            log.warning("a change that failed cannot be undone now: %s", error)

    def _forget(self) -> None:
        """Clear the journal of a change that is whole; else the next process does."""
        try:
            self._journal.clear()
        except Unavailable as error:
            log.warning("%s", error)

    def _finish_journal(self) -> None:
        entry = self._journal.read()
        if entry is not None:
            remove_leftovers({(self._wiki / path).parent for path in entry.new})
            self._finish(entry)
        self._journal.clear()

    def _finish(self, entry: Entry) -> None:
        done: dict[str, bytes | None] = {}
        for path, new in entry.new.items():
            found = _read(self._wiki / path)
            if found not in (entry.old[path], new):
                log.warning("%s was edited after an interrupted write; the edit stays", path)
                continue
            done[path] = new
        self._write({path: new for path, new in done.items() if _read(self._wiki / path) != new})
        self._reindex(list(done))
        self._commit(Entry(entry.operation, entry.subject, entry.actor, done, {}))

    def _write(self, files: Contents) -> None:
        write_many({self._wiki / path: data for path, data in files.items()})

    def _commit(self, entry: Entry) -> str | None:
        message = CommitMessage(entry.operation, entry.subject, entry.actor)
        commits = self._repos.commit(entry.new, message)
        return commits[0] if commits else None


def _missing_folders(wiki: Path, files: Contents) -> list[Path]:
    """The folders that writing these files will make, the deepest first."""
    parents = {(wiki / path).parent for path in files}
    folders = {folder for parent in parents for folder in (parent, *parent.parents)}
    return sorted((folder for folder in folders if not folder.exists()), reverse=True)


def _read(path: Path) -> bytes | None:
    with disk_errors(path, "read"):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
