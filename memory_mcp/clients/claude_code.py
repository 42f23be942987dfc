"""Claude Code: its user-level MCP servers are `mcpServers` of `.claude.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from memory_mcp.clients.entry import NAME, ServerEntry
from memory_mcp.clients.json_text import set_json_value


def config_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file that Claude Code reads; `CLAUDE_CONFIG_DIR` moves it."""
    folder = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return (Path(folder) if folder else home) / ".claude.json"


HOOK_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "PreToolUse": "pre-tool-use",
    "PostToolUse": "post-tool-use",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compaction",
    "Notification": "notification",
    "Stop": "stop",
    "SubagentStart": "subagent-start",
    "SubagentStop": "subagent-stop",
    "SessionEnd": "session-end",
}


def hooks_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file that holds the user's hooks."""
    folder = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return (Path(folder) if folder else home / ".claude") / "settings.json"


def add_entry(text: str, entry: ServerEntry) -> str:
    """The text with our entry in it; what a person added to an entry of ours (`env`, say) stays.

    Raises:
        ValueError: the text is not JSON, or holds something else where the entry belongs.
    """
    text = text if text.strip() else "{}\n"
    servers = _object(_object(json.loads(text), "the file").get("mcpServers", {}), "mcpServers")
    old = _object(servers.get(NAME, {}), f"mcpServers.{NAME}")
    ours = {"type": "stdio", "command": entry.command, "args": list(entry.args)}
    # An entry without a command is for a server over HTTP: none of its keys means anything to ours.
    new = {**(old if "command" in old else {}), **ours}
    return text if new == old else set_json_value(text, ("mcpServers", NAME), new)


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a JSON object")
    return value
