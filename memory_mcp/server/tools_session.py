"""The tools for coming back to a project: how it stands, and what happened in earlier sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from memory_mcp.server.briefing_answer import briefing_answer, explored_answer
from memory_mcp.server.events_answer import events_answer
from memory_mcp.server.routing_answer import routing_answer
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import READ, answer, build_tool

Recent = Annotated[int, Field(ge=1, le=100)]


class SessionTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._services = calls.app.continuity

    async def memory_briefing(
        self,
        context: Context,
        recent_pages_limit: Recent = 10,
        settled_first: Annotated[bool, Field(description="Also rules and decisions by evidence")] = False,
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """How a project stands: rules, slots, pinned and recent pages, what waits, how active it is. Takes
        no handoff."""
        briefing = await self._calls.call(
            context,
            lambda progress: self._services.briefing.read(
                recent_pages_limit,
                settled_first=settled_first,
                workspace=workspace,
                project=project,
                progress=progress,
            ),
        )
        return answer(*briefing_answer(briefing))

    async def memory_explore(
        self,
        context: Context,
        focus: Annotated[str, Field(description="What you are about to work on")] = "",
        recent_pages_limit: Recent = 10,
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """Come back to a project: how long ago work stopped, the briefing, the best passages for the focus,
        and what to ask next."""
        explored = await self._calls.call(
            context,
            lambda progress: self._services.explorer.explore(
                focus, recent_pages_limit, workspace=workspace, project=project, progress=progress
            ),
        )
        return answer(*explored_answer(explored))

    async def memory_read_session_observations(
        self,
        context: Context,
        session_id: Annotated[str, Field(description="Default: the last that ended")] = "",
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
        offset: Annotated[int, Field(ge=0)] = 0,
        order: Literal["asc", "desc"] = "asc",
        kinds: Annotated[Sequence[str], Field(description="e.g. user-prompt")] = (),
        query: str = "",
        body_max_chars: Annotated[int, Field(ge=200, le=16384)] = 4000,
        workspace: str = "",
        project: str = "",
    ) -> CallToolResult:
        """Read what was recorded of a session here, when its page does not say enough."""
        read = await self._calls.call(
            context,
            lambda _: self._services.session_reader.read(
                session_id,
                limit=limit,
                offset=offset,
                order=order,
                kinds=kinds,
                query=query,
                workspace=workspace,
                project=project,
            ),
        )
        return answer(*events_answer(read, body_max_chars))

    async def memory_install_self_routing(
        self,
        context: Context,
        compact: bool = False,
        skill: Annotated[str, Field(description="Name of one: its whole file")] = "",
    ) -> CallToolResult:
        """What to write into a repository so that its agents use this memory. Only when the user asks."""
        return answer(*routing_answer(compact=compact, skill=skill))


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    tools = SessionTools(calls)
    return [
        build_tool(tools.memory_briefing, "Project briefing", READ),
        build_tool(tools.memory_explore, "Explore a project", READ),
        build_tool(tools.memory_read_session_observations, "Recorded events", READ),
        build_tool(tools.memory_install_self_routing, "Instructions to install", READ),
    ]
