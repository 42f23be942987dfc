"""Which tasks a caller has. Most files are of tasks that were done long ago, hence `task_closed`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from memory_mcp.callers.caller_folder import TASKS, CallerFolder
from memory_mcp.callers.tasks.task import Task, closed_sentence, task_of
from memory_mcp.callers.tasks.task_closed import is_surely_closed
from memory_mcp.errors import Conflict, NotFound
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import TASK, fold
from memory_mcp.model.record_id import code_of, codes_of, find_by_code, is_id
from memory_mcp.store.files import disk_errors
from memory_mcp.wiki.record_file import NotARecord, RecordText, parse_record

MAX_TASK_BYTES = 1_000_000
_CHUNK = 65_536

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class TaskFile:
    """The file of a task that is not surely closed: its bytes, and what they say or why they say nothing."""

    id: str
    path: str
    data: bytes
    record: RecordText | None
    problem: str = ""

    @property
    def needs_mending(self) -> bool:
        """Whether its `state` says something else than its history, as after a merge."""
        return self.record is not None and self.record.states != (fold(TASK, self.record.history).state,)


@dataclass(frozen=True, slots=True)
class FoundTasks:
    """Tasks, those that changed last first, and in `problems` path and sentence of what is no task."""

    tasks: tuple[Task, ...]
    problems: tuple[tuple[str, str], ...]


class TaskReader:
    """Reads the tasks of one caller from their files, each time anew."""

    def __init__(self, folder: CallerFolder) -> None:
        self._folder = folder

    def active(self) -> tuple[Task, ...]:
        """The tasks that are still to be done, those that changed last first."""
        return self.look().tasks

    def all(self) -> tuple[Task, ...]:
        """Every task, the closed ones too, those that changed last first."""
        return self._find(closed=True).tasks

    def look(self) -> FoundTasks:
        """The tasks that are still to be done, and what cannot be read."""
        found = self._find(closed=False)
        return FoundTasks(tuple(task for task in found.tasks if task.is_active), found.problems)

    def find(self, code: str) -> Task:
        """The task of this code, active or closed.

        Raises:
            InvalidInput: the text is no code, or several tasks end so.
            NotFound: this caller has no such task.
            Conflict: its file cannot be read as a task.
        """
        ids = self.ids()
        task_id = find_by_code(code, ids, "task")
        for file in self.files([task_id], closed=True):
            if file.record is None:
                raise Conflict(f"{file.path} {file.problem}: mend it by hand first.")
            return task_of(task_id, code_of(task_id, ids), file.path, file.record, _made_at(task_id))
        raise NotFound(f"there is no task {code_of(task_id, ids)} any more: look up its code in the list.")

    def find_active(self, code: str) -> Task:
        """The active task of this code; raises as `find`, and `Conflict` for a closed one."""
        task = self.find(code)
        if ended := task.ended_by:
            raise Conflict(closed_sentence(task.code, ended))
        return task

    def ids(self) -> list[str]:
        """The ids of all tasks, closed ones too, sorted.

        Raises:
            Conflict: the folder belongs to a caller of another name.
            InvalidInput, Unavailable: as `files`.
        """
        self._folder.check_owner()
        names = (name.removesuffix(".md") for name in self._folder.names(TASKS))
        return [name for name in names if is_id(name)]

    def files(self, ids: list[str], *, closed: bool) -> Iterator[TaskFile]:
        """The files of these tasks; without `closed`, those that are surely closed are left out.

        Raises:
            InvalidInput: the folder is a symbolic link.
            Unavailable: the operating system refuses.
        """
        folder = self._folder.file(TASKS)
        for task_id in ids:
            path = f"{TASKS}/{task_id}.md"
            data = _read(f"{folder}/{task_id}.md")  # a `Path` would take half of the time
            if data is None or (not closed and is_surely_closed(data)):
                continue
            try:
                if len(data) > MAX_TASK_BYTES:
                    raise NotARecord(f"is larger than {MAX_TASK_BYTES:,} bytes")
                yield TaskFile(task_id, path, data, parse_record(data))
            except NotARecord as fault:
                yield TaskFile(task_id, path, data, None, one_line(str(fault)))

    def _find(self, *, closed: bool) -> FoundTasks:
        ids = self.ids()
        codes = codes_of(ids)
        tasks = []
        problems = []
        for file in self.files(ids, closed=closed):
            if file.record is None:
                problems.append((file.path, f"{file.path} {file.problem}: mend it by hand."))
            else:
                tasks.append(task_of(file.id, codes[file.id], file.path, file.record, _made_at(file.id)))
        tasks.sort(key=lambda task: (task.updated, task.id), reverse=True)
        return FoundTasks(tuple(tasks), tuple(problems))


def _read(file: str) -> bytes | None:
    """The bytes of a file, a little more than the largest that counts; None when it is gone."""
    try:
        descriptor = os.open(file, _FLAGS)
        try:
            data = os.read(descriptor, _CHUNK)
            if len(data) == _CHUNK:
                with open(descriptor, "rb", closefd=False) as rest:
                    data += rest.read(MAX_TASK_BYTES)
            return data
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError:
        with disk_errors(Path(file), "read"):
            raise


def _made_at(record_id: str) -> datetime:
    """The time inside a UUIDv7."""
    milliseconds = int(record_id.replace("-", "")[:12], 16)
    try:
        return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, timezone.utc)
