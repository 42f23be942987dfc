"""The tool with which a session begins."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import READ, answer, build_tool


class SessionTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls

    async def session_context(
        self,
        context: Context,
        if_version: Annotated[str, Field(description="Stamp you hold: answers only if it is another")] = "",
        request: Annotated[str, Field(description="The user's words, if they are vague")] = "",
    ) -> CallToolResult:
        """Who you work for, what you know and owe: memory rules, profile, notes and skills index, open tasks.
        Call it first in every session, and again when a vague request points at earlier work."""
        prompt = self._calls.app.session_prompt
        text = await self._calls.call(context, lambda _: prompt.answer(if_version, request))
        return answer(text)


def build_session_tool(calls: ServiceCalls) -> Tool:
    """The tool `session_context`."""
    return build_tool(SessionTools(calls).session_context, "Session context", READ)
