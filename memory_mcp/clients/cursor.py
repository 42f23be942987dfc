"""Cursor: servers in `mcp.json`, hooks in `hooks.json`, both in `.cursor`."""

from __future__ import annotations

from functools import partial

from memory_mcp.clients.client import Client, HookFile, Place
from memory_mcp.clients.flat_hooks import add_flat_hooks, our_flat_hooks, remove_flat_hooks
from memory_mcp.clients.json_servers import json_servers

HOOK_EVENTS = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "user-prompt",
    "preToolUse": "pre-tool-use",
    "postToolUse": "post-tool-use",
    "postToolUseFailure": "post-tool-use",
    "preCompact": "pre-compact",
    "stop": "stop",
    "sessionEnd": "session-end",
}


def _place(name: str) -> Place:
    return Place(lambda environ, home: home / ".cursor" / name, lambda folder: folder / ".cursor" / name)


CLIENT = Client(
    name="cursor",
    title="Cursor",
    servers=json_servers(_place("mcp.json"), ("mcpServers",)),
    hooks=HookFile(
        _place("hooks.json"),
        partial(add_flat_hooks, agent="cursor", events=HOOK_EVENTS),
        remove_flat_hooks,
        our_flat_hooks,
    ),
    instructions=Place(None, lambda folder: folder / "AGENTS.md"),
    skills=_place("skills"),
)
