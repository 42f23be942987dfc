"""The files in which clients themselves keep their sessions: read a little of, to see which there were."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from memory_mcp.clients.claude_code import settings_folder
from memory_mcp.clients.codex import config_file
from memory_mcp.model.clock import parse_time

MAX_HEAD_LINES = 64
"""Where the first prompt stands in files of either client, with room."""


class Transcript(NamedTuple):
    """A session that somebody wrote a prompt in: the client's id of it, its folder and its begin."""

    native_id: str
    cwd: str
    started: datetime
    file: Path


class _Kind(NamedTuple):
    """How a client keeps its sessions: which files, and what is read from their first lines."""

    files: Callable[[Mapping[str, str], Path], Iterator[Path]]
    read: Callable[[list[dict[str, Any]]], tuple[str, str, str] | None]


def client_sessions(
    client: str, environ: Mapping[str, str], home: Path, since: datetime
) -> Iterator[Transcript]:
    """The sessions of a client whose files changed after `since`; none of a client that is not known."""
    kind = _KINDS.get(client)
    for file in kind.files(environ, home) if kind else ():
        try:
            if file.stat().st_mtime < since.timestamp():
                continue
            found = kind.read(_head(file)) if kind else None
            if found is not None:
                native_id, cwd, started = found
                yield Transcript(native_id, cwd, parse_time(started), file)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # not a file of this form, or gone meanwhile


def _head(file: Path) -> list[dict[str, Any]]:
    found = []
    with file.open("rb") as lines:
        for _, line in zip(range(MAX_HEAD_LINES), lines, strict=False):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            found += [row] if isinstance(row, dict) else []
    return found


def _claude_files(environ: Mapping[str, str], home: Path) -> Iterator[Path]:
    return (settings_folder(environ, home) / "projects").glob("*/*.jsonl")


def _claude(rows: list[dict[str, Any]]) -> tuple[str, str, str] | None:
    """A prompt is a message of the user that is text; results of tools are lists."""
    for row in rows:
        if row.get("type") == "user" and not row.get("isSidechain") and not row.get("isMeta"):
            content = row["message"]["content"]
            if isinstance(content, str) or any(part["type"] == "text" for part in content):
                return row["sessionId"], row["cwd"], row["timestamp"]
    return None


def _codex_files(environ: Mapping[str, str], home: Path) -> Iterator[Path]:
    return (config_file(environ, home).parent / "sessions").glob("*/*/*/rollout-*.jsonl")


def _codex(rows: list[dict[str, Any]]) -> tuple[str, str, str] | None:
    """What the user wrote is an event; messages of role user also hold what Codex adds itself."""
    head = rows[0]["payload"] if rows and rows[0].get("type") == "session_meta" else None
    if head is None or isinstance(head.get("source"), dict):  # started by another session
        return None
    events = [row["payload"] for row in rows if row.get("type") == "event_msg"]
    if any(_is_prompt(event) for event in events):
        return head["id"], head["cwd"], head["timestamp"]
    return None


def _is_prompt(event: dict[str, Any]) -> bool:
    item = event.get("item")
    return event.get("type") == "user_message" or (
        isinstance(item, dict) and item.get("type") == "UserMessage"
    )


_KINDS = {"claude-code": _Kind(_claude_files, _claude), "codex": _Kind(_codex_files, _codex)}
