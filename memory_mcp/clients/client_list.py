"""The clients whose files the product can edit."""

from __future__ import annotations

from memory_mcp.clients import claude_code, codex

CLIENTS = {client.name: client for client in (claude_code.CLIENT, codex.CLIENT)}
