"""OpenCode: servers in `opencode.json`, which may hold comments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.json_servers import json_servers
from memory_mcp.clients.json_text import load_jsonc


def _folder(environ: Mapping[str, str], home: Path) -> Path:
    configured = environ.get("XDG_CONFIG_HOME", "").strip()
    return (Path(configured) if configured else home / ".config") / "opencode"


def _form(entry: ServerEntry) -> Mapping[str, Any]:
    return {
        "type": "local",
        "command": [entry.command, *entry.args],
        "environment": dict(entry.env),
        "enabled": True,
    }


CLIENT = Client(
    name="opencode",
    title="OpenCode",
    servers=json_servers(
        Place(
            lambda environ, home: _folder(environ, home) / "opencode.json",
            lambda folder: folder / "opencode.json",
        ),
        ("mcp",),
        _form,
        load_jsonc,
    ),
    instructions=Place(
        lambda environ, home: _folder(environ, home) / "AGENTS.md", lambda folder: folder / "AGENTS.md"
    ),
    skills=Place(
        lambda environ, home: _folder(environ, home) / "skills",
        lambda folder: folder / ".opencode" / "skills",
    ),
)
