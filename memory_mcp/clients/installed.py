"""Reading back what a client's files say of us: our server, our hooks, our plugin."""

from __future__ import annotations

from typing import Any

from memory_mcp.capture.toml_file import parse_toml
from memory_mcp.clients.client import Client
from memory_mcp.clients.entry import NAME, ServerEntry
from memory_mcp.clients.json_text import load_jsonc

_UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)


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
    except _UNREADABLE:
        return None


def installed_hooks(client: Client, text: str) -> list[tuple[str, str]]:
    """Event and command of each hook of ours in the text of the client's file of hooks."""
    try:
        return client.hooks.find(text) if client.hooks and text.strip() else []
    except _UNREADABLE:
        return []


def enabled_plugin(settings: str, servers: str) -> str:
    """Our plugin, as `name@marketplace`, where it is turned on; "" where it is not.

    Claude Code says so among its settings, Codex where it names its servers.
    """
    try:
        switches = load_jsonc(settings)["enabledPlugins"]
        found = [name for name, is_on in switches.items() if is_on is True]
    except _UNREADABLE:
        try:
            plugins: Any = parse_toml(servers)["plugins"]
            found = [name for name, plugin in plugins.items() if plugin.get("enabled", True) is True]
        except _UNREADABLE:
            found = []
    return next((name for name in found if name.partition("@")[0] == NAME), "")
