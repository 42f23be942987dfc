"""The session's prompt, for clients that offer prompts and resources to a person."""

from __future__ import annotations

from typing import Annotated

from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import INVALID_PARAMS
from pydantic import Field

from memory_mcp.errors import UserError
from memory_mcp.server.resource_updates import PROMPT_URI
from memory_mcp.server.service_calls import ServiceCalls


def add_session_prompt(server: MCPServer[None], calls: ServiceCalls) -> None:
    """Offer it as the prompt `memory_session` and as the resource `memory://system-prompt`."""

    async def build(context: Context | None, identity: str = "") -> str:
        prompt = calls.app.caller.prompt
        return (await calls.call(context, lambda _: prompt.build(identity))).text

    @server.prompt("memory_session", title="Session with memory")
    async def memory_session(
        context: Context,
        identity: Annotated[str, Field(description="Who the agent is, put before everything else")] = "",
    ) -> str:
        """Begin a session with the memory of the person: rules, profile, notes, skills, open tasks."""
        try:
            return await build(context, identity)
        except UserError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    @server.resource(PROMPT_URI, name="system-prompt", title="Session prompt", mime_type="text/markdown")
    async def system_prompt() -> str:
        """The memory of the person as it stands: rules, profile, notes, skills, open tasks."""
        try:
            return await build(None)
        except UserError as error:
            raise ResourceError(str(error)) from error
