"""Claude Desktop: servers in `claude_desktop_config.json`."""

from __future__ import annotations

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.json_servers import json_servers
from memory_mcp.clients.user_config import user_config_folder

CLIENT = Client(
    name="claude-desktop",
    title="Claude Desktop",
    servers=json_servers(
        Place(
            lambda environ, home: user_config_folder(environ, home) / "Claude" / "claude_desktop_config.json"
        ),
        ("mcpServers",),
    ),
    note="Quit Claude Desktop and start it again.",
)
