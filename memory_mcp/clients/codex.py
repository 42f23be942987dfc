"""Codex: its MCP servers are the `mcp_servers` tables of `config.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_mcp.clients.config_file import newline_of
from memory_mcp.clients.entry import NAME, ServerEntry
from memory_mcp.store.toml_read import parse_toml

# ruff: noqa: PLC0415 - tomlkit is needed only while a file is edited

START_SECONDS = 30
"""Codex allows 10 by default, for the handshake and the tool list: too few on a busy machine."""


def config_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file that Codex reads; `CODEX_HOME` moves it."""
    folder = environ.get("CODEX_HOME", "").strip()
    return (Path(folder) if folder else home / ".codex") / "config.toml"


HOOK_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "PreToolUse": "pre-tool-use",
    "PostToolUse": "post-tool-use",
    "PreCompact": "pre-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
}


def hooks_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file that holds the user's hooks; `CODEX_HOME` moves it."""
    return config_file(environ, home).with_name("hooks.json")


def add_entry(text: str, entry: ServerEntry) -> str:
    """The text with our table in it; what a person added to a table of ours stays.

    A new table goes to the end of the text, where it cannot come between a comment and its subject.

    Raises:
        ValueError: the text is not TOML, or holds something else where the table belongs.
    """
    old = parse_toml(text)
    servers = _table(old.get("mcp_servers", {}), "mcp_servers")
    present = _table(servers.get(NAME, {}), f"mcp_servers.{NAME}")
    table = {**present, "command": entry.command, "args": list(entry.args)}
    table.setdefault("startup_timeout_sec", START_SECONDS)
    if table == present:
        return text
    wanted = {**old, "mcp_servers": {**servers, NAME: table}}
    if not present:
        appended = _append(text, table)
        if _holds(appended, wanted):
            return appended
    edited = _edit(text, {key: value for key, value in table.items() if present.get(key) != value})
    if not _holds(edited, wanted):
        raise ValueError(f"the table [mcp_servers.{NAME}] cannot be set without changing others")
    return edited


def _append(text: str, table: Mapping[str, object]) -> str:
    import tomlkit

    newline = newline_of(text)
    block = f"[mcp_servers.{NAME}]\n{tomlkit.dumps(table)}".replace("\n", newline)
    if text and not text.endswith("\n"):
        text += newline
    return text + (newline if text.strip() else "") + block


def _edit(text: str, changes: Mapping[str, object]) -> str:
    """The text with keys of our table set where it stands; tomlkit keeps the rest as it is."""
    import tomlkit

    document: Any = tomlkit.parse(text)
    if tomlkit.dumps(document) != text:
        raise ValueError("it cannot be edited without changing its other lines")
    servers = document.setdefault("mcp_servers", tomlkit.table())
    ours = servers.setdefault(NAME, tomlkit.inline_table())
    for key, value in changes.items():
        ours[key] = value
    return tomlkit.dumps(document)


def _holds(text: str, wanted: Mapping[str, object]) -> bool:
    try:
        return parse_toml(text) == wanted
    except ValueError:
        return False


def _table(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a table")
    return value
