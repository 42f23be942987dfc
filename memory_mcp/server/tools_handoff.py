"""The tools of handoffs."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool

from memory_mcp.server.service_calls import ServiceCalls


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    return []
