"""The tools of messages between projects."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import AliasChoices, Field

from memory_mcp.model.record_id import MIN_CODE_DIGITS
from memory_mcp.server.arguments import Digits
from memory_mcp.server.message_answer import cancelled_answer, listed_answer, popped_answer, sent_answer
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import READ, WRITE, answer, build_tool
from memory_mcp.server.tools_handoff import ADD

Code = Annotated[
    str,
    Digits(MIN_CODE_DIGITS),
    Field(validation_alias=AliasChoices("message_id", "messageId", "code", "id")),
]


class MessageTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._services = calls.app.continuity

    async def memory_message_send(
        self,
        context: Context,
        to_workspace: str,
        to_project: str,
        body: Annotated[str, Field(description="At most 8,000 characters")],
        subject: str = "",
        from_workspace: str = "",
        from_project: str = "",
    ) -> CallToolResult:
        """Tell another project something that its agents should know or do, once the user agrees."""
        actor = self._calls.actor(context)
        sent = await self._calls.call(
            context,
            lambda _: self._services.messages.send(
                to_workspace,
                to_project,
                body,
                actor,
                subject=subject,
                workspace=from_workspace,
                project=from_project,
            ),
        )
        return answer(*sent_answer(sent))

    async def memory_message_list(
        self,
        context: Context,
        box: Literal["inbox", "outbox"] = "inbox",
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """List messages that wait here (inbox), or your own elsewhere (outbox), without taking one."""
        listed = await self._calls.call(
            context, lambda _: self._services.messages.look(box, workspace=workspace, project=project)
        )
        return answer(*listed_answer(listed))

    async def memory_message_pop(
        self, context: Context, message_id: Code = "", workspace: str = "", project: str = ""
    ) -> CallToolResult:
        """Take a message that waits for this project, the oldest without an id; no other session gets it.
        Show it to the user."""
        actor = self._calls.actor(context)
        taken = await self._calls.call(
            context,
            lambda _: self._services.messages.pop(message_id, actor, workspace=workspace, project=project),
        )
        return answer(*popped_answer(taken))

    async def memory_message_cancel(
        self, context: Context, message_id: Code = "", workspace: str = "", project: str = ""
    ) -> CallToolResult:
        """Withdraw a message that this project sent and nobody took yet; without an id, all of them."""
        actor = self._calls.actor(context)
        cancelled = await self._calls.call(
            context,
            lambda _: self._services.messages.cancel(message_id, actor, workspace=workspace, project=project),
        )
        return answer(*cancelled_answer(cancelled))


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    tools = MessageTools(calls)
    return [
        build_tool(tools.memory_message_send, "Send a message", ADD),
        build_tool(tools.memory_message_list, "Messages", READ),
        build_tool(tools.memory_message_pop, "Take a message", WRITE),
        build_tool(tools.memory_message_cancel, "Cancel messages", WRITE),
    ]
