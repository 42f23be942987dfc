"""Zed: servers in `settings.json`, which holds comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.json_servers import json_servers, plain_form
from memory_mcp.clients.json_text import load_jsonc


def _form(entry: ServerEntry) -> Mapping[str, Any]:
    return {"source": "custom", **plain_form(entry)}


CLIENT = Client(
    name="zed",
    title="Zed",
    servers=json_servers(
        Place(
            lambda environ, home: home / ".config" / "zed" / "settings.json",
            lambda folder: folder / ".zed" / "settings.json",
        ),
        ("context_servers",),
        _form,
        load_jsonc,
    ),
    instructions=Place(None, lambda folder: folder / "AGENTS.md"),
)
