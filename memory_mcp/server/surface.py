"""The MCP server: `MCPServer` with arguments checked strictly and every error told in one sentence."""

from __future__ import annotations

import difflib
import logging
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, InputRequiredResult

from memory_mcp import __version__
from memory_mcp.app import App
from memory_mcp.errors import UserError
from memory_mcp.server.arguments import check_arguments
from memory_mcp.server.instructions import make_instructions
from memory_mcp.server.prompts import add_session_prompt
from memory_mcp.server.resource_updates import serve_subscriptions
from memory_mcp.server.resources import add_resources
from memory_mcp.server.service_calls import FIRST_MAINTENANCE_SECONDS, ServiceCalls
from memory_mcp.server.stdin_lines import take_stdin
from memory_mcp.server.tool_build import parameters_of

log = logging.getLogger(__name__)

TOOL_GROUPS: Mapping[str, str] = {
    "wiki": "memory_mcp.server.tools_wiki",
    "caller": "memory_mcp.server.tools_caller",
    "tasks": "memory_mcp.server.tools_task",
    "sessions": "memory_mcp.server.tools_session",
    "handoffs": "memory_mcp.server.tools_handoff",
    "messages": "memory_mcp.server.tools_message",
}
"""Group of `[server] tools` to the module whose `build_tools(calls)` makes its tools."""


_NO_ANSWER = (
    "the client gave no answer that can be used to a question for its user, and nothing was changed: ask the "
    "user in words what is to be done."
)


class MemoryServer(MCPServer[None]):
    """Offers the services of `app` over MCP."""

    def __init__(self, app: App) -> None:
        calls = ServiceCalls(app)
        tools = [tool for group in app.settings.server_tools for tool in _build_group(group, calls)]
        self._parameters = {tool.name: parameters_of(tool) for tool in tools}
        self._log_file = app.settings.data_dir / "logs" / "server.log"

        @asynccontextmanager
        async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
            calls.maintain_in(FIRST_MAINTENANCE_SECONDS)
            try:
                yield
            finally:
                calls.close()

        with _without_rich():
            super().__init__(
                "memory-mcp",
                title="Memory",
                version=__version__,
                instructions=make_instructions(app.settings.server_tools, app.caller.digest()),
                tools=tools,
                lifespan=lifespan,
                log_level="WARNING",
            )
        add_resources(self, calls)
        add_session_prompt(self, calls)
        serve_subscriptions(self._lowlevel_server, calls)

    async def run_stdio_async(self) -> None:
        """Serve stdin and stdout, as the SDK's own method does but for our reading of stdin."""
        server = self._lowlevel_server
        async with stdio_server(stdin=anyio.wrap_file(take_stdin())) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: with one sentence for the model, the whole text that the client shows.
        """
        if name not in self._parameters:
            near = difflib.get_close_matches(name, self._parameters, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self._parameters)}."
            raise ToolError(f"There is no tool {name!r:.80}; {hint}")
        try:
            checked = check_arguments(self._parameters[name], arguments)
            return await super().call_tool(name, checked, context)
        except UserError as error:
            raise ToolError(f"{name}: {error}") from error
        except ToolError as error:
            # The SDK wraps what a tool raised and puts "Error executing tool" before it.
            if isinstance(error.__cause__, UserError):
                raise ToolError(f"{name}: {error.__cause__}") from error
            if isinstance(error.__cause__, ToolError):  # only the SDK's own, about an answer of the client
                raise ToolError(f"{name}: {_NO_ANSWER}") from error
            log.error("%s failed", name, exc_info=error.__cause__ or error)
            raise ToolError(f"{name}: internal error; {self._log_file} says more.") from None
        except MCPError as error:
            log.warning("%s: the client refused a question: %s", name, error)
            raise ToolError(f"{name}: {_NO_ANSWER}") from error


def _build_group(group: str, calls: ServiceCalls) -> list[Tool]:
    tools: list[Tool] = import_module(TOOL_GROUPS[group]).build_tools(calls)
    return tools


@contextmanager
def _without_rich() -> Iterator[None]:
    """Keep the SDK from importing rich for its log handler: 20 ms, and logging is set up already."""
    if "rich" in sys.modules:
        yield
        return
    sys.modules["rich"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["rich"]
