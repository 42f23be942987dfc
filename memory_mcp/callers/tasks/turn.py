"""A turn of the conversation begins and ends, as the host sees it.

What the person says in a turn can confirm that a task be dismissed, for this turn only. What is said first in
a session is also compared with the open tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memory_mcp.callers.tasks.confirmation import Confirmation, confirmed_code, phrase_for
from memory_mcp.callers.tasks.reconcile import Boundary, reconcile
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.callers.tasks.turn_file import TurnFiles
from memory_mcp.errors import Conflict
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record_id import ids_with_code
from memory_mcp.model.session_id import check_session

if TYPE_CHECKING:
    from memory_mcp.callers.tasks.task_write import TaskWriter

MAX_ASKED = 12
MAX_NAME_CHARS = 300

_TOLD = "the user said so when the session began"


@dataclass(frozen=True, slots=True)
class TurnStart:
    """What the first words of a session did.

    With `completed` a task is closed, and `text` belongs into the prompt of this turn. With
    `dismiss_confirmation` nothing has changed: `text` is the reply to the user, and the turn ends with it.
    """

    kind: Literal["none", "completed", "dismiss_confirmation"] = "none"
    tasks: tuple[Task, ...] = ()
    text: str = ""


class TurnService:
    """Follows the turns of the sessions of one caller."""

    def __init__(self, turns: TurnFiles, tasks: TaskReader, writer: TaskWriter, clock: Clock) -> None:
        self._turns = turns
        self._tasks = tasks
        self._writer = writer
        self._clock = clock

    def begin(self, user_text: str, session: str, actor: Actor) -> TurnStart:
        """A turn begins with this text of the person, nothing of which is kept but the codes it confirms.

        A text that the person only passes on must not be given here: give "" instead.

        Raises:
            InvalidInput: the session is no id.
            UserError: a task cannot be completed now; the text of the next turn is compared instead.
        """
        check_session(session, "session")
        now = self._clock()
        code = confirmed_code(user_text)
        codes = (code,) if code else ()
        checked = self._turns.begin(session, now, codes)
        if checked or not user_text.strip():
            return TurnStart()
        start = self._reconcile(user_text, actor)
        self._turns.write(session, now, codes, checked=True)
        return start

    def end(self, session: str) -> None:
        """The turn is over, and so is what it confirmed.

        Raises:
            InvalidInput: the session is no id.
        """
        check_session(session, "session")
        before = self._turns.read(session)
        if before is not None and before.codes:
            self._turns.write(session, before.at, (), checked=before.checked)

    def hears(self, session: str) -> bool:
        """Whether somebody hands over what the person says in this session."""
        return self._turns.read(session) is not None

    def confirmation(self, task: Task, session: str) -> Confirmation | None:
        """The person's word in the present turn of this session to dismiss this task, None without one."""
        turn = self._turns.read(session) if session else None
        if turn is None or not turn.is_valid(self._clock()):
            return None
        ids = self._tasks.ids()
        if any(ids_with_code(code, ids) == [task.id] for code in turn.codes):
            return Confirmation(task.id, "turn")
        return None

    def _reconcile(self, user_text: str, actor: Actor) -> TurnStart:
        found = reconcile(user_text, self._tasks.active(), self._tasks.ids())
        if found.kind == "completed":
            return self._complete(found, actor)
        if found.kind == "dismiss_confirmation":
            return TurnStart(found.kind, found.tasks, _question(found.tasks))
        return TurnStart()

    def _complete(self, found: Boundary, actor: Actor) -> TurnStart:
        [task] = found.tasks
        try:
            done = self._writer.complete(task.id, actor, origin=_TOLD).task
        except Conflict:
            if self._tasks.find(task.id).is_active:
                raise
            return TurnStart()  # another process was faster
        return TurnStart("completed", (done,), _report(done))


def _report(task: Task) -> str:
    return (
        "## Boundary task reconciliation\n"
        f"- The user reported this task as done, and it was completed: {_name(task)}.\n"
        "- Do not ask whether it is done, and do not complete it again."
    )


def _question(tasks: tuple[Task, ...]) -> str:
    lines = ["This sounds as if you want to drop a task. Nothing is dropped before you confirm it."]
    lines += [f"- {_name(task)}" for task in tasks[:MAX_ASKED]]
    if more := len(tasks) - MAX_ASKED:
        lines += [f"- ... {more} more."] if more > 0 else []
    if len(tasks) == 1:
        lines.append(f"To dismiss it, reply: {phrase_for(tasks[0].code)}")
    else:
        lines.append(f"To dismiss one of them, reply with its code, as in: {phrase_for(tasks[0].code)}")
    return "\n".join(lines)


def _name(task: Task) -> str:
    note = f" — {one_line(task.note, MAX_NAME_CHARS)}" if task.note else ""
    return f"[{task.code}] {task.list_name}: {task.title}{note}"
