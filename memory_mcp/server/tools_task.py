"""The tools of the caller's tasks.

The annotations here are evaluated when the functions are made, since one of them names a bound method.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import (
    AcceptedElicitation,
    CancelledElicitation,
    Context,
    Elicit,
    ElicitationResult,
    Resolve,
)
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import AliasChoices, BaseModel, Field

from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.errors import Conflict
from memory_mcp.model.record_id import MIN_CODE_DIGITS
from memory_mcp.server.arguments import Digits
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.stamped_answer import stamped_answer
from memory_mcp.server.task_answer import question_for, snapshot_answer, unconfirmed, written_answer
from memory_mcp.server.tool_build import READ, WRITE, answer, build_tool

if TYPE_CHECKING:
    from memory_mcp.callers.tasks.task_write import WrittenTask

ADD = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)

TaskId = Annotated[
    str,
    Digits(MIN_CODE_DIGITS),
    Field(validation_alias=AliasChoices("task_id", "taskId", "code", "id")),
]
ListName = Annotated[
    str, Field(description="e.g. today", validation_alias=AliasChoices("list_name", "listName", "list"))
]


class Answer(BaseModel):
    """What the person is asked for before a task is dismissed."""

    dismiss: bool = Field(title="Dismiss it", description="Yes: it leaves the list for good")


class Told(BaseModel):
    """In place of an answer: whether the person's text of this turn confirms it; no question is needed."""

    dismiss: bool


Word = ElicitationResult[Answer]


class TaskTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._caller = calls.app.caller
        self._session = calls.app.settings.session

    async def task_add(
        self,
        context: Context,
        title: str,
        list_name: ListName,
        note: str = "",
        due: Annotated[str, Field(description="Date or RFC 3339 time")] = "",
        priority: Annotated[int, Field(ge=0, le=3)] = 0,
    ) -> CallToolResult:
        """Note what the user wants done later, in this or another session; not the steps of your own plan.
        Look at task_list_active first."""
        actor = self._calls.actor(context)
        return await self._write(
            context,
            "Added active task",
            lambda: self._caller.task_writer.add(
                title, list_name, actor, note=note, due=due, priority=priority
            ),
        )

    async def task_complete(self, context: Context, task_id: TaskId) -> CallToolResult:
        """Close a task as soon as it is done. Final."""
        actor = self._calls.actor(context)
        return await self._write(
            context, "Completed task", lambda: self._caller.task_writer.complete(task_id, actor)
        )

    async def task_list_active(
        self, context: Context, limit: Annotated[int, Field(ge=1, le=100)] = 12
    ) -> CallToolResult:
        """List open tasks with their codes, overdue first. Use it before you add, plan or report."""
        snapshot = await self._calls.call(context, lambda _: self._caller.task_snapshots.snapshot(limit))
        return answer(*snapshot_answer(snapshot, self._caller.folder.root))

    async def ask(self, context: Context, task_id: str) -> Elicit[Answer] | Told:
        """Whether the person wants a task dismissed: as told in this turn, else as answered to a question.

        Only the client puts the question, and only where it says that it can; a model answers neither.
        """
        task, confirmation = await self._calls.call(
            context,
            lambda _: (
                task := self._caller.tasks.find_active(task_id),
                self._caller.turns.confirmation(task, self._session),
            ),
        )
        if confirmation is None and _can_ask(context):
            return Elicit(question_for(task), Answer)
        return Told(dismiss=confirmation is not None)

    async def dismiss(self, context: Context, task_id: str, word: Word, reason: str) -> CallToolResult:
        """Dismiss a task if the person's word is there.

        Raises:
            Conflict: it is not.
        """
        actor = self._calls.actor(context)
        task, hears_user = await self._calls.call(
            context,
            lambda _: (self._caller.tasks.find_active(task_id), self._caller.turns.hears(self._session)),
        )
        given = word.data if isinstance(word, AcceptedElicitation) else None
        if given is None or not given.dismiss:
            asked = not isinstance(given, Told)
            how = "" if not asked else "cancelled" if isinstance(word, CancelledElicitation) else "declined"
            caller = self._calls.app.settings.caller
            raise Conflict(unconfirmed(task.code, how, caller=caller, hears_user=hears_user))
        confirmation = Confirmation(task.id, "turn" if isinstance(given, Told) else "answer")
        return await self._write(
            context,
            "Dismissed task",
            lambda: self._caller.task_writer.dismiss(task.id, actor, confirmation, reason=reason),
        )

    async def _write(self, context: Context, what: str, write: Callable[[], "WrittenTask"]) -> CallToolResult:
        def show() -> tuple[str, dict[str, Any]]:
            written = write()
            return written_answer(what, written, self._caller.task_snapshots.line(written.task))

        shown = await self._calls.call(context, lambda _: show())
        return await stamped_answer(self._calls, context, *shown)


def _can_ask(context: Context) -> bool:
    """Whether the client puts forms to its user; a capability without modes is that of forms."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    tasks = TaskTools(calls)

    async def task_dismiss(
        context: Context,
        task_id: TaskId,
        word: Annotated[Word, Resolve(tasks.ask)],
        reason: str = "",
    ) -> CallToolResult:
        """Drop a task undone, only if the user asks for it: the user has to confirm it, by a question of
        the client or by the words that a refusal names. Final."""
        return await tasks.dismiss(context, task_id, word, reason)

    return [
        build_tool(tasks.task_add, "Add a task", ADD),
        build_tool(tasks.task_complete, "Complete a task", WRITE),
        build_tool(task_dismiss, "Dismiss a task", WRITE),
        build_tool(tasks.task_list_active, "Open tasks", READ),
    ]
