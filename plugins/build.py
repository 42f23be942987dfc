"""Writes the plugin folders beside this file, from what the installers and the skills say.

    PYTHONPATH=. python plugins/build.py

A plugin holds no path of a machine: it runs `memory-mcp` from the PATH, on the default data dir or the one
that `MEMORY_MCP_DATA_DIR` names.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import memory_mcp
from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.codex import APPROVALS, START_SECONDS
from memory_mcp.clients.entry import DATA_DIR_VARIABLE, NAME
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.routing.skill_files import SKILL_NAME, load_skills

ROOT = Path(__file__).resolve().parents[1]
DESCRIPTION = (
    "One long-term memory for coding agents: sessions are recorded and handed over, pages are found again."
)
AUTHOR = {"name": f"{NAME} maintainers"}
PASSED_ON = (DATA_DIR_VARIABLE, "MEMORY_MCP_CALLER", "XDG_DATA_HOME")
"""What decides which store is meant. Codex gives a server of its environment only what is named."""


def plugin_files() -> dict[str, str]:
    """The text of every file of the plugins and of the catalogues that name them, by path in here."""
    manifest = {"name": NAME, "version": memory_mcp.__version__, "description": DESCRIPTION, "author": AUTHOR}
    server: dict[str, Any] = {"command": NAME, "args": ["serve"]}
    codex_server = {
        **server,
        "env_vars": list(PASSED_ON),
        "startup_timeout_sec": START_SECONDS,
        "tools": APPROVALS,
    }
    parts = {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/hooks.json"}
    return {
        ".claude-plugin/marketplace.json": _json(
            {
                "name": NAME,
                "description": DESCRIPTION,
                "owner": AUTHOR,
                "plugins": [{"name": NAME, "source": "./plugins/claude-code", "description": DESCRIPTION}],
            }
        ),
        ".agents/plugins/marketplace.json": _json(
            {
                "name": NAME,
                "plugins": [
                    {
                        "name": NAME,
                        "source": {"source": "local", "path": "./plugins/codex"},
                        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                        "category": "Productivity",
                    }
                ],
            }
        ),
        "plugins/claude-code/.claude-plugin/plugin.json": _json(manifest),
        "plugins/codex/.codex-plugin/plugin.json": _json({**manifest, **parts}),
        **_bundle("claude-code", server),
        **_bundle("codex", codex_server),
    }


def _bundle(client: str, server: dict[str, Any]) -> dict[str, str]:
    """Server, hooks and skills of the plugin for this client."""
    hooks = CLIENTS[client].hooks
    assert hooks is not None
    folder = f"plugins/{client}"
    return {
        f"{folder}/.mcp.json": _json({"mcpServers": {NAME: server}}),
        f"{folder}/hooks/hooks.json": hooks.add("", HookOptions(None, program=(NAME,))),
        **{f"{folder}/skills/{skill.name}/{SKILL_NAME}": skill.text for skill in load_skills()},
    }


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2) + "\n"


if __name__ == "__main__":
    for path, text in plugin_files().items():
        file = ROOT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
