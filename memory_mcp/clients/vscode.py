"""VS Code: servers in `mcp.json`, which may hold comments; for the user or in `.vscode`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.json_servers import json_servers, plain_form
from memory_mcp.clients.json_text import load_jsonc
from memory_mcp.clients.user_config import user_config_folder


def _form(entry: ServerEntry) -> Mapping[str, Any]:
    return {"type": "stdio", **plain_form(entry)}


def _user_file(environ: Mapping[str, str], home: Path) -> Path:
    return user_config_folder(environ, home) / "Code" / "User" / "mcp.json"


CLIENT = Client(
    name="vscode",
    title="VS Code",
    servers=json_servers(
        Place(_user_file, lambda folder: folder / ".vscode" / "mcp.json"), ("servers",), _form, load_jsonc
    ),
    instructions=Place(None, lambda folder: folder / "AGENTS.md"),
    skills=Place(
        lambda environ, home: home / ".copilot" / "skills", lambda folder: folder / ".github" / "skills"
    ),
)
