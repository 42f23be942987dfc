"""Adding, completing and dismissing tasks: one record, one line of the caller's log, one commit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChange, CallerChanges
from memory_mcp.callers.caller_day import caller_day
from memory_mcp.callers.caller_folder import LOG, TASKS, CallerFolder
from memory_mcp.callers.caller_log import append_entry
from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.callers.tasks.task import MAX_PRIORITY, Task, closed_sentence
from memory_mcp.callers.tasks.task_due import check_due
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import MAX_REASON_CHARS, TASK, Event, event_by, fold
from memory_mcp.model.record_id import new_id
from memory_mcp.store.machine import machine_id
from memory_mcp.wiki.record_file import NotARecord, RecordValue, add_event, compose_record, parse_record
from memory_mcp.wiki.record_read import RecordFile

MAX_TITLE_CHARS = 300
MAX_LIST_CHARS = 100
MAX_NOTE_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class WrittenTask:
    """The task as it is now, its file, and the commit."""

    task: Task
    file: Path
    commit: str | None


class TaskWriter:
    """Changes the tasks of one caller. A task that was completed or dismissed stays so."""

    def __init__(
        self,
        folder: CallerFolder,
        changes: CallerChanges,
        tasks: TaskReader,
        sanitizer: Sanitizer,
        state: Path,
        clock: Clock,
    ) -> None:
        self._folder = folder
        self._changes = changes
        self._tasks = tasks
        self._sanitizer = sanitizer
        self._state = state
        self._clock = clock

    def add(
        self,
        title: str,
        list_name: str,
        actor: Actor,
        *,
        note: str = "",
        due: str = "",
        priority: int = 0,
    ) -> WrittenTask:
        """Add an active task. `due` is a date or an RFC 3339 time, `priority` 0 (none) to 3.

        Raises:
            InvalidInput: a text is blank or too long, or `due` or `priority` is none.
            Busy, Conflict, Unavailable: see `CallerChanges.begin`.
        """
        title = self._line("title", title, MAX_TITLE_CHARS, needed="say in a few words what is to do")
        details: dict[str, str | int] = {
            "list": self._line("list_name", list_name, MAX_LIST_CHARS, needed="name a list such as today"),
            "note": self._line("note", note, MAX_NOTE_CHARS),
            "due": check_due(due),
            "priority": _check_priority(priority),
        }
        task_id = new_id(self._clock())
        path = _path(task_id)
        with self._changes.begin("task-add", path, actor) as change:
            self._mend(change, self._tasks.ids())
            event = self._event("added", actor)
            named: dict[str, str | int] = {
                "id": task_id,
                "title": title,
                "created": format_time(event.at),
            }
            values: dict[str, RecordValue] = {**named, **details, "session": event.session}
            change.put(path, compose_record(TASK, values, [event]).decode())
        return self._written(task_id, change)

    def complete(self, code: str, actor: Actor, *, origin: str = "") -> WrittenTask:
        """Complete an active task; `origin` says in the log how that became known, where no tool call did.

        Raises:
            InvalidInput, NotFound: the code is none, or names several tasks or none of this caller.
            Conflict: the task is closed, or its file cannot be changed.
            Busy, Unavailable: see `CallerChanges.begin`.
        """
        return self._close(self._tasks.find(code), "completed", actor, origin=origin)

    def dismiss(
        self, code: str, actor: Actor, confirmation: Confirmation, *, reason: str = ""
    ) -> WrittenTask:
        """Dismiss an active task on the person's own word.

        Raises:
            InvalidInput: the reason is too long, the confirmation is for another task; and as `complete`.
            NotFound, Conflict, Busy, Unavailable: as `complete`.
        """
        reason = self._line("reason", reason, MAX_REASON_CHARS)
        task = self._tasks.find(code)
        if confirmation.task_id != task.id:
            raise InvalidInput(f"task {task.code} was not dismissed: the confirmation is for another task.")
        return self._close(task, "dismissed", actor, reason=reason)

    def _close(
        self, task: Task, event_name: str, actor: Actor, *, reason: str = "", origin: str = ""
    ) -> WrittenTask:
        path = _path(task.id)
        operation = "task-complete" if event_name == "completed" else "task-dismiss"
        with self._changes.begin(operation, path, actor) as change:
            data = change.read(path)
            if data is None:
                raise NotFound(f"there is no task {task.code} any more: look up its code in the list.")
            try:
                if ended := fold(TASK, parse_record(data).history).decided_by:
                    raise Conflict(closed_sentence(task.code, ended))
                event = self._event(event_name, actor, reason)
                closed = add_event(data, TASK, event)
            except NotARecord as fault:
                raise Conflict(f"{path} {fault}: mend it by hand first.") from None
            self._mend(change, [each for each in self._tasks.ids() if each != task.id])
            change.put(path, closed.decode())
            self._log(change, f"task_{event_name}", task, reason or origin)
        return self._written(task.id, change)

    def _event(self, name: str, actor: Actor, reason: str = "") -> Event:
        """What happens now; the writer lock must be held."""
        return event_by(actor, name, self._clock(), machine_id(self._state), reason)

    def _mend(self, change: CallerChange, ids: list[str]) -> None:
        """Let the `state` of tasks that two clones changed say what their history says."""
        for file in self._tasks.files(ids, closed=False):
            if isinstance(file, RecordFile) and (mended := file.mended()) is not None:
                change.put(file.path, mended.decode())

    def _log(self, change: CallerChange, op: str, task: Task, remark: str) -> None:
        day = caller_day(self._folder, self._clock())
        detail = f"[{task.code}] {task.title}" + (f" ({remark})" if remark else "")
        change.put(LOG, append_entry(change.read_text(LOG), day, op, detail))

    def _written(self, task_id: str, change: CallerChange) -> WrittenTask:
        return WrittenTask(self._tasks.find(task_id), self._folder.file(_path(task_id)), change.commit)

    def _line(self, name: str, text: str, limit: int, *, needed: str = "") -> str:
        """The text on one line, without secrets."""
        line = one_line(self._sanitizer.clean(text))
        if needed and not line:
            raise InvalidInput(f"{name} is blank: {needed}.")
        if len(line) > limit:
            raise InvalidInput(
                f"{name} has {len(line):,} characters; the limit is {limit:,}: say it shorter, and put the "
                "rest into a note with memory_write."
            )
        return line


def _path(task_id: str) -> str:
    return f"{TASKS}/{task_id}.md"


def _check_priority(priority: int) -> int:
    if not 0 <= priority <= MAX_PRIORITY:
        raise InvalidInput(
            f"priority = {priority} is out of range: 0 (none) to {MAX_PRIORITY} (most urgent)."
        )
    return priority
