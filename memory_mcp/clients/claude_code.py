"""Claude Code: servers in `.claude.json`, hooks and permissions in `.claude/settings.json`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from memory_mcp.clients.approved_tools import APPROVED_TOOLS
from memory_mcp.clients.client import ApprovalFile, Client, HookFile, Place
from memory_mcp.clients.entry import NAME, ServerEntry
from memory_mcp.clients.hook_groups import add_hooks, our_hooks, remove_hooks
from memory_mcp.clients.json_servers import json_servers, plain_form
from memory_mcp.clients.json_text import load_json, remove_json_member, set_json_value

HOOK_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "PreToolUse": "pre-tool-use",
    "PostToolUse": "post-tool-use",
    "PostToolUseFailure": "post-tool-use",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compaction",
    "Notification": "notification",
    "Stop": "stop",
    "SubagentStart": "subagent-start",
    "SubagentStop": "subagent-stop",
    "SessionEnd": "session-end",
}
_KEYS = ("mcpServers",)
_ALLOWED = ("permissions", "allow")
_PREFIX = f"mcp__{NAME}__"


def config_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file of the user's servers; `CLAUDE_CONFIG_DIR` moves it."""
    folder = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return (Path(folder) if folder else home) / ".claude.json"


def settings_folder(environ: Mapping[str, str], home: Path) -> Path:
    """The folder of the user's settings, skills and instructions."""
    folder = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(folder) if folder else home / ".claude"


def add_entry(text: str, entry: ServerEntry) -> str:
    """The text with our entry in it; see `add_server`."""
    return CLIENT.servers.add(text, entry)


def add_approvals(text: str) -> str:
    """The settings with our tools among those that need no question; others stay.

    Raises:
        ValueError: the text is not JSON, or holds something else where permissions belong.
    """
    text = text if text.strip() else "{}\n"
    allowed = _allowed(text)
    missing = [rule for name in APPROVED_TOOLS if (rule := f"{_PREFIX}{name}") not in allowed]
    return set_json_value(text, _ALLOWED, [*allowed, *missing]) if missing else text


def remove_approvals(text: str) -> str:
    """The settings without rules for our tools; raises as `add_approvals`."""
    allowed = _allowed(text) if text.strip() else []
    kept = [rule for rule in allowed if not (isinstance(rule, str) and rule.startswith(_PREFIX))]
    if kept == allowed:
        return text
    if kept:
        return set_json_value(text, _ALLOWED, kept)
    text = remove_json_member(text, _ALLOWED)
    return remove_json_member(text, _ALLOWED[:1]) if load_json(text)["permissions"] == {} else text


def _allowed(text: str) -> list[Any]:
    found = load_json(text)
    permissions = found.get("permissions", {}) if isinstance(found, dict) else None
    allowed = permissions.get("allow", []) if isinstance(permissions, dict) else None
    if not isinstance(allowed, list):
        raise ValueError("permissions.allow is not a list in a JSON object")
    return allowed


def _form(entry: ServerEntry) -> Mapping[str, Any]:
    return {"type": "stdio", **plain_form(entry)}


_SETTINGS = Place(
    lambda environ, home: settings_folder(environ, home) / "settings.json",
    lambda folder: folder / ".claude" / "settings.local.json",
)
"""For one project the file that is not shared: commands and folders are those of this machine."""

CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    servers=json_servers(Place(config_file, lambda folder: folder / ".mcp.json"), _KEYS, _form),
    hooks=HookFile(
        _SETTINGS, partial(add_hooks, agent="claude-code", events=HOOK_EVENTS), remove_hooks, our_hooks
    ),
    approvals=ApprovalFile(_SETTINGS, add_approvals, remove_approvals),
    instructions=Place(
        lambda environ, home: settings_folder(environ, home) / "CLAUDE.md",
        lambda folder: folder / "CLAUDE.md",
    ),
    skills=Place(
        lambda environ, home: settings_folder(environ, home) / "skills",
        lambda folder: folder / ".claude" / "skills",
    ),
)
