"""The answer of a tool that may have changed what a session starts with."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult

from memory_mcp.server.resource_updates import notify_written
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import answer


async def stamped_answer(
    calls: ServiceCalls, context: Context, text: str, facts: dict[str, Any]
) -> CallToolResult:
    """The answer with the stamp of the session's prompt; subscribers are told where there was a commit."""
    version = await calls.call(context, lambda _: calls.app.caller.prompt.version())
    if "commit" in facts:
        await notify_written(calls, context, facts.get("path", ""))
    return answer(f"{text}\nprompt_version: {version}", {**facts, "prompt_version": version})
