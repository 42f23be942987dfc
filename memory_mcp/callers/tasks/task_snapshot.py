"""Tasks as the lines that an agent and a person read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_mcp.callers.caller_folder import PROFILE, CallerFolder
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_due import is_overdue
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.errors import UserError
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line

HEADING = "## Active tasks"
DEFAULT_LIMIT = 12
MAX_NOTE_CHARS = 200
"""What a line shows of a note; its file has the whole."""
MAX_SNAPSHOT_CHARS = 7_000


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """The first active tasks as text, these tasks, the ids of overdue ones, and how many there are in all.

    `problems` has a sentence for every file that cannot be read as a task.
    """

    text: str
    tasks: tuple[Task, ...]
    overdue: frozenset[str]
    total: int
    problems: tuple[str, ...] = ()


class TaskSnapshots:
    """Shows the active tasks of a caller, on the caller's own calendar."""

    def __init__(self, folder: CallerFolder, tasks: TaskReader, clock: Clock) -> None:
        self._folder = folder
        self._tasks = tasks
        self._clock = clock

    def snapshot(self, limit: int = DEFAULT_LIMIT) -> TaskSnapshot:
        """The active tasks as they stand in a prompt, at most `limit` of them."""
        found = self._tasks.look()
        shown = snapshot_of(found.tasks, self._clock(), self._profile(), limit)
        return replace(shown, problems=tuple(sentence for _, sentence in found.problems))

    def line(self, task: Task) -> str:
        """One task as `task_line`."""
        return task_line(task, self._clock(), self._profile())

    def _profile(self) -> str:
        try:
            return self._folder.read_text(PROFILE)
        except UserError:
            return ""  # whoever reads the profile itself says what is wrong with it


def snapshot_of(
    tasks: Sequence[Task], now: datetime, profile: str, limit: int = DEFAULT_LIMIT
) -> TaskSnapshot:
    """The tasks under a heading, overdue ones first, then as given: those that changed last first."""
    late = [task for task in tasks if is_overdue(task.due, now, profile)]
    late_ids = frozenset(task.id for task in late)
    ordered = [*late, *(task for task in tasks if task.id not in late_ids)]
    lines = [HEADING]
    length = len(HEADING)
    shown: list[Task] = []
    for task in ordered[:limit]:
        line = task_line(task, now, profile)
        if task.note:
            line += f" — {one_line(task.note, MAX_NOTE_CHARS)}"
        length += len(line) + 1
        if length > MAX_SNAPSHOT_CHARS:
            break
        lines.append(line)
        shown.append(task)
    if not tasks:
        lines.append("- None.")
    if more := len(ordered) - len(shown):
        lines.append(f"- ... {more} more active task(s).")
    return TaskSnapshot("\n".join(lines), tuple(shown), late_ids, len(tasks))


def task_line(task: Task, now: datetime, profile: str) -> str:
    """`- [code] list: title`, with what its time and its priority are, where it has any."""
    marks = ""
    if task.due and task.is_active and is_overdue(task.due, now, profile):
        marks += f" (overdue since {task.due})"
    elif task.due:
        marks += f" (due {task.due})"
    if task.priority:
        marks += f" (priority {task.priority})"
    return f"- [{task.code}] {task.list_name}: {task.title}{marks}"
