"""The tools of handoffs: where one session of a project left off, for the next to take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import AliasChoices, Field

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import receiver_in
from memory_mcp.model.record_id import MIN_CODE_DIGITS
from memory_mcp.server.arguments import Digits
from memory_mcp.server.handoff_answer import accepted_answer, begun_answer, cancelled_answer, listed_answer
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import READ, WRITE, answer, build_tool

ADD = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)

Code = Annotated[
    str,
    Digits(MIN_CODE_DIGITS),
    Field(validation_alias=AliasChoices("handoff_id", "handoffId", "code", "id")),
]
Texts = Annotated[Sequence[str], Field()]


class HandoffTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._handoffs = calls.app.continuity

    async def memory_handoff_begin(
        self,
        context: Context,
        summary: Annotated[str, Field(description="What was done, what is left, where to go on")],
        open_questions: Texts = (),
        next_steps: Texts = (),
        files_touched: Texts = (),
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """Leave work for the next session of this project. Only when the user asks for it: sessions hand over
        by themselves where hooks are installed."""
        actor = self._calls.actor(context)
        draft = HandoffDraft("", summary, tuple(open_questions), tuple(next_steps), tuple(files_touched))
        written = await self._calls.call(
            context,
            lambda _: self._handoffs.handoffs.begin(draft, actor, workspace=workspace, project=project),
        )
        return answer(*begun_answer(written))

    async def memory_handoff_list(
        self, context: Context, workspace: str = "", project: str = ""
    ) -> CallToolResult:
        """List the handoffs that wait in a project, without taking one."""
        listed = await self._calls.call(
            context, lambda _: self._handoffs.handoffs.look(workspace=workspace, project=project)
        )
        return answer(*listed_answer(listed))

    async def memory_handoff_accept(
        self,
        context: Context,
        handoff_id: Code = "",
        cwd: Annotated[str, Field(description="The folder you work in, if not the server's")] = "",
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """Take over what an earlier session left here: when the user wants to go on, and your context shows
        no handoff. Without an id the best that fits. Only one session gets it; you may read yours again."""
        actor = self._calls.actor(context)
        accepted = await self._calls.call(
            context,
            lambda _: self._handoffs.handoffs.accept(
                handoff_id,
                receiver_in(actor.name, actor.session, cwd or str(self._calls.app.settings.start_folder)),
                workspace=workspace,
                project=project,
            ),
        )
        return answer(*accepted_answer(accepted))

    async def memory_handoff_cancel(
        self, context: Context, handoff_id: Code, workspace: str = "", project: str = ""
    ) -> CallToolResult:
        """Withdraw a handoff that nobody needs any more."""
        actor = self._calls.actor(context)
        written, was_open = await self._calls.call(
            context,
            lambda _: self._handoffs.handoffs.cancel(handoff_id, actor, workspace=workspace, project=project),
        )
        return answer(*cancelled_answer(written, was_open=was_open))


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    tools = HandoffTools(calls)
    return [
        build_tool(tools.memory_handoff_begin, "Begin a handoff", ADD),
        build_tool(tools.memory_handoff_list, "Waiting handoffs", READ),
        build_tool(tools.memory_handoff_accept, "Accept a handoff", WRITE),
        build_tool(tools.memory_handoff_cancel, "Cancel a handoff", WRITE),
    ]
