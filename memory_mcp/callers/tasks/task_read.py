"""Which tasks a caller has. Most files are of tasks that were done long ago, read by `wiki/record_read`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory_mcp.callers.caller_folder import TASKS, CallerFolder
from memory_mcp.callers.tasks.task import Task, closed_sentence, task_of
from memory_mcp.errors import Conflict, NotFound
from memory_mcp.model.record import TASK
from memory_mcp.model.record_id import code_of, codes_of, find_by_code, is_id, made_at
from memory_mcp.wiki.record_read import RecordFile, UnreadableRecord, read_records


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
            if isinstance(file, UnreadableRecord):
                raise Conflict(f"{file.path} {file.problem}: mend it by hand first.")
            return task_of(task_id, code_of(task_id, ids), file.path, file.text, made_at(task_id))
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

    def files(self, ids: list[str], *, closed: bool) -> Iterator[RecordFile | UnreadableRecord]:
        """The files of these tasks; without `closed`, those that are surely closed are left out.

        Raises:
            InvalidInput: the folder is a symbolic link.
            Unavailable: the operating system refuses.
        """
        return read_records(self._folder.file(TASKS), TASKS, ids, TASK, closed=closed)

    def _find(self, *, closed: bool) -> FoundTasks:
        ids = self.ids()
        codes = codes_of(ids)
        tasks = []
        problems = []
        for file in self.files(ids, closed=closed):
            if isinstance(file, UnreadableRecord):
                problems.append((file.path, f"{file.path} {file.problem}: mend it by hand."))
            else:
                tasks.append(task_of(file.id, codes[file.id], file.path, file.text, made_at(file.id)))
        tasks.sort(key=lambda task: (task.updated, task.id), reverse=True)
        return FoundTasks(tuple(tasks), tuple(problems))
