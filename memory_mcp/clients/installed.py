"""Reading back what a client's file says of our server."""

from __future__ import annotations

from typing import Any

from memory_mcp.clients.client import Client
from memory_mcp.clients.entry import NAME, ServerEntry
from memory_mcp.clients.json_text import load_jsonc
from memory_mcp.store.toml_read import parse_toml


def installed_server(client: Client, text: str) -> ServerEntry | None:
    """The entry of our name in the text of the client's file of servers; None where there is none to read."""
    try:
        found: Any = parse_toml(text) if client.servers.is_toml else load_jsonc(text or "{}")
        for key in (*client.servers.keys, NAME):
            found = found[key]
        command, args = found["command"], found.get("args") or []
        words = [*command, *args] if isinstance(command, list) else [command, *args]
        given = found.get("env") or found.get("environment") or {}
        env = {str(key): str(value) for key, value in given.items()}
        return ServerEntry(str(words[0]), tuple(map(str, words[1:])), env)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None
