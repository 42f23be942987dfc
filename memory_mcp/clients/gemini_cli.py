"""Gemini CLI: servers and hooks in `.gemini/settings.json`, which may hold comments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from memory_mcp.clients.client import Client, HookFile, Place
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.hook_groups import add_hooks, our_hooks, remove_hooks
from memory_mcp.clients.json_servers import json_servers, plain_form
from memory_mcp.clients.json_text import load_jsonc

HOOK_EVENTS = {
    "SessionStart": "session-start",
    "BeforeAgent": "user-prompt",
    "BeforeTool": "pre-tool-use",
    "AfterTool": "post-tool-use",
    "PreCompress": "pre-compact",
    "Notification": "notification",
    "AfterAgent": "stop",
    "SessionEnd": "session-end",
}
CALL_MILLISECONDS = 60_000
MILLISECONDS = 1_000
"""Gemini CLI counts the time-outs of hooks in them: ten seconds as 10 would kill every hook."""


def _form(entry: ServerEntry) -> Mapping[str, Any]:
    return {**plain_form(entry), "timeout": CALL_MILLISECONDS}


_SETTINGS = Place(
    lambda environ, home: home / ".gemini" / "settings.json",
    lambda folder: folder / ".gemini" / "settings.json",
)

CLIENT = Client(
    name="gemini-cli",
    title="Gemini CLI",
    servers=json_servers(_SETTINGS, ("mcpServers",), _form, load_jsonc),
    hooks=HookFile(
        _SETTINGS,
        partial(
            add_hooks,
            agent="gemini-cli",
            events=HOOK_EVENTS,
            load=load_jsonc,
            units_per_second=MILLISECONDS,
        ),
        partial(remove_hooks, load=load_jsonc),
        partial(our_hooks, load=load_jsonc),
    ),
    instructions=Place(
        lambda environ, home: home / ".gemini" / "GEMINI.md", lambda folder: folder / "GEMINI.md"
    ),
    skills=Place(
        lambda environ, home: home / ".gemini" / "skills", lambda folder: folder / ".gemini" / "skills"
    ),
    note="Restart Gemini CLI: it reads its settings when it starts.",
)
