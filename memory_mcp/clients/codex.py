"""Codex: servers in the `mcp_servers` tables of `config.toml`, hooks in `hooks.json` beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from memory_mcp.capture.toml_file import parse_toml
from memory_mcp.clients.approved_tools import APPROVED_TOOLS
from memory_mcp.clients.client import Client, HookFile, Place, ServerFile
from memory_mcp.clients.config_file import newline_of
from memory_mcp.clients.entry import NAME, ServerEntry, entry_words, is_our_server
from memory_mcp.clients.hook_groups import add_hooks, our_hooks, remove_hooks

# ruff: noqa: PLC0415 - tomlkit is needed only while a file is edited

START_SECONDS = 30
"""Codex allows 10 by default, for the handshake and the tool list: too few on a busy machine."""

HOOK_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "PreToolUse": "pre-tool-use",
    "PostToolUse": "post-tool-use",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compaction",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
APPROVALS = {name: {"approval_mode": "approve"} for name in APPROVED_TOOLS}
_TRUST = (
    "Codex asks at its next start whether you trust the hooks: say yes, or nothing is recorded. It asks "
    "again only when a command changes. `codex exec` does not ask: start `codex` once before."
)
_PROJECT_TRUST = (
    "Codex reads the files of a project only if you trust its folder: start `codex` here and say yes."
)


def config_file(environ: Mapping[str, str], home: Path) -> Path:
    """The file that Codex reads; `CODEX_HOME` moves it."""
    return _folder(environ, home) / "config.toml"


def add_entry(text: str, entry: ServerEntry) -> str:
    """The text with our table in it; what a person added to a table of ours stays.

    A new table goes to the end of the text, where it cannot come between a comment and its subject.

    Raises:
        ValueError: the text is not TOML, or holds something else where the table belongs.
    """
    old = parse_toml(text)
    servers = _table(old.get("mcp_servers", {}), "mcp_servers")
    present = _table(servers.get(NAME, {}), f"mcp_servers.{NAME}")
    table = {"startup_timeout_sec": START_SECONDS, **present}
    table |= {"command": entry.command, "args": list(entry.args)}
    table["env"] = {**_table(present.get("env", {}), "env"), **entry.env}
    tools = _table(present.get("tools", {}), "tools")
    table["tools"] = {**{name: each for name, each in APPROVALS.items() if name not in tools}, **tools}
    if table == present:
        return text
    wanted = {**old, "mcp_servers": {**servers, NAME: table}}
    if not present:
        appended = _append(text, table)
        if _holds(appended, wanted):
            return appended
    for edit in (_insert, _edit):
        edited = edit(text, table, present)
        if _holds(edited, wanted):
            return edited
    raise ValueError(f"the table [mcp_servers.{NAME}] cannot be set without changing others")


def remove_entry(text: str) -> str:
    """The text without our table, where it is provably ours; raises as `add_entry`."""
    import tomlkit

    old = parse_toml(text)
    servers = _table(old.get("mcp_servers", {}), "mcp_servers")
    present = _table(servers.get(NAME, {}), f"mcp_servers.{NAME}")
    if not is_our_server(entry_words(present.get("command"), present.get("args"))):
        return text
    document: Any = tomlkit.parse(text)
    del document["mcp_servers"][NAME]
    if not document["mcp_servers"]:
        del document["mcp_servers"]
    left = tomlkit.dumps(document)
    wanted = {key: value for key, value in servers.items() if key != NAME}
    expected = (
        {**old, "mcp_servers": wanted} if wanted else {k: v for k, v in old.items() if k != "mcp_servers"}
    )
    if not _holds(left, expected):
        raise ValueError(f"the table [mcp_servers.{NAME}] cannot be removed without changing others")
    return left


def _folder(environ: Mapping[str, str], home: Path) -> Path:
    folder = environ.get("CODEX_HOME", "").strip()
    return Path(folder) if folder else home / ".codex"


def _append(text: str, table: Mapping[str, Any]) -> str:
    import tomlkit

    ours = tomlkit.table()
    for key in ("command", "args", *(key for key in table if key not in ("command", "args", "tools"))):
        value = table[key]
        ours[key] = _inline(value) if isinstance(value, dict) else value
    block = f"[mcp_servers.{NAME}]\n{tomlkit.dumps(ours)}\n{_tools_block(table['tools'])}"
    return _with_block(text, block)


def _tools_block(tools: Mapping[str, Any]) -> str:
    import tomlkit

    table = tomlkit.table()
    for name, value in tools.items():
        table[name] = _inline(value)
    return f"[mcp_servers.{NAME}.tools]\n{tomlkit.dumps(table)}"


def _with_block(text: str, block: str) -> str:
    newline = newline_of(text)
    if text and not text.endswith("\n"):
        text += newline
    return text + (newline if text.strip() else "") + block.replace("\n", newline)


def _insert(text: str, table: Mapping[str, Any], present: Mapping[str, Any]) -> str:
    """The text with changed values in their places, and new keys below the heads of their tables.

    An editor of TOML would put new keys at the end of a table: behind the comment on what follows.
    """
    import tomlkit

    document: Any = tomlkit.parse(text)
    for key in ("command", "args"):
        if key in present and present[key] != table[key]:
            document["mcp_servers"][NAME][key] = table[key]
    text = tomlkit.dumps(document)
    new = {key: value for key, value in table.items() if key not in present and key != "tools"}
    text = _below_head(text, f"mcp_servers.{NAME}", new)
    if "env" in present:
        env = {key: value for key, value in table["env"].items() if key not in present["env"]}
        text = _below_head(text, f"mcp_servers.{NAME}.env", env)
    if "tools" not in present:
        return _with_block(text, _tools_block(table["tools"]))
    tools = {key: value for key, value in table["tools"].items() if key not in present["tools"]}
    return _below_head(text, f"mcp_servers.{NAME}.tools", tools)


def _below_head(text: str, name: str, values: Mapping[str, Any]) -> str:
    """The text with these keys below the line `[name]`; as it is where there is no such line."""
    import tomlkit

    head = re.search(rf"^[ \t]*\[{re.escape(name)}\][^\n]*\n", text, re.MULTILINE)
    if not head or not values:
        return text
    lines = tomlkit.table()
    for key, value in values.items():
        lines[key] = _inline(value) if isinstance(value, dict) else value
    added = tomlkit.dumps(lines).replace("\n", newline_of(text))
    return text[: head.end()] + added + text[head.end() :]


def _edit(text: str, table: Mapping[str, Any], present: Mapping[str, Any]) -> str:
    """The text with keys of our table set where it stands; tomlkit keeps the rest as it is."""
    import tomlkit

    document: Any = tomlkit.parse(text)
    if tomlkit.dumps(document) != text:
        raise ValueError("it cannot be edited without changing its other lines")
    servers = document.setdefault("mcp_servers", tomlkit.table())
    ours = servers.setdefault(NAME, tomlkit.inline_table())
    for key, value in table.items():
        old = present.get(key)
        if value == old:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            for name, item in value.items():
                if old.get(name) != item:
                    ours[key][name] = _inline(item) if isinstance(item, dict) else item
        else:
            ours[key] = _inline(value) if isinstance(value, dict) else value
    return tomlkit.dumps(document)


def _inline(values: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    for key, value in values.items():
        table[key] = _inline(value) if isinstance(value, dict) else value
    return table


def _holds(text: str, wanted: Mapping[str, object]) -> bool:
    try:
        return parse_toml(text) == wanted
    except ValueError:
        return False


def _table(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a table")
    return value


CLIENT = Client(
    name="codex",
    title="Codex",
    servers=ServerFile(
        Place(config_file, lambda folder: folder / ".codex" / "config.toml"),
        ("mcp_servers",),
        add_entry,
        remove_entry,
        is_toml=True,
    ),
    hooks=HookFile(
        Place(
            lambda environ, home: _folder(environ, home) / "hooks.json",
            lambda folder: folder / ".codex" / "hooks.json",
        ),
        partial(add_hooks, agent="codex", events=HOOK_EVENTS),
        remove_hooks,
        our_hooks,
    ),
    instructions=Place(
        lambda environ, home: _folder(environ, home) / "AGENTS.md", lambda folder: folder / "AGENTS.md"
    ),
    skills=Place(
        lambda environ, home: _folder(environ, home) / "skills", lambda folder: folder / ".agents" / "skills"
    ),
    note=_TRUST,
    project_note=_PROJECT_TRUST,
)
