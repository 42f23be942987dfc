"""A task: something that a person or an agent still owes the person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import TASK, Event, fold
from memory_mcp.wiki.record_file import RecordText

ACTIVE = TASK.initial
MAX_PRIORITY = 3


@dataclass(frozen=True, slots=True)
class Task:
    """A task as its file tells it.

    `code` names it to people: the shortest end of its id that no other task of the caller has. `due` is a
    date or an RFC 3339 time, `priority` 0 to 3; texts are one line, "" where nothing is known. `path` is
    relative to the caller's folder.
    """

    id: str
    code: str
    list_name: str
    title: str
    state: str
    created: datetime
    path: str
    note: str = ""
    due: str = ""
    priority: int = 0
    history: tuple[Event, ...] = ()

    @property
    def is_active(self) -> bool:
        """Whether it is still to be done."""
        return self.state == ACTIVE

    @property
    def updated(self) -> datetime:
        """When something happened to it last."""
        return max((event.at for event in self.history), default=self.created)

    def facts(self) -> dict[str, str | int]:
        """What is known of it, by the names that tools and commands give to it."""
        known: dict[str, str | int] = {
            "task_id": self.code,
            "id": self.id,
            "state": self.state,
            "list_name": self.list_name,
            "title": self.title,
            "note": self.note,
            "due": self.due,
            "priority": self.priority,
            "created": format_time(self.created),
            "path": self.path,
        }
        return {key: value for key, value in known.items() if value}

    @property
    def ended_by(self) -> Event | None:
        """The event that brought it to its end, None while it is active."""
        return fold(TASK, self.history).decided_by


def closed_sentence(code: str, ended: Event) -> str:
    """Why a task that this event brought to its end is not changed any more."""
    return (
        f"task {code} was {ended.event} on {format_time(ended.at)[:10]} and stays so: add a new task if "
        "there is more to do."
    )


def task_of(record_id: str, code: str, path: str, record: RecordText, created: datetime) -> Task:
    """The task that a record's file tells of; `created` is what its id says, where the file does not."""
    try:
        created = parse_time(record.text("created"))
    except (ValueError, OverflowError):
        pass
    priority = record.values.get("priority")
    return Task(
        id=record_id,
        code=code,
        list_name=one_line(record.text("list")) or "tasks",
        title=one_line(record.text("title")) or "(no title)",
        state=fold(TASK, record.history).state,
        created=created,
        path=path,
        note=one_line(record.text("note")),
        due=one_line(record.text("due")),
        priority=priority if isinstance(priority, int) and 0 <= priority <= MAX_PRIORITY else 0,
        history=record.history,
    )
