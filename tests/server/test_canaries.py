"""A secret in any argument of any tool: none reaches a file, a commit, an index or the log."""

from __future__ import annotations

import subprocess
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from bench.secret_samples import samples
from memory_mcp.config import Settings

pytestmark = pytest.mark.anyio

CLASSES = ("github-pat", "aws-access-token", "anthropic-api-key", "curl-auth-user", "generic-api-key", "jwt")
VALID: dict[str, dict[str, Any]] = {
    "memory_read_page": {"path": "notes/kept.md"},
    "memory_write_page": {"path": "notes/kept.md", "body": "# Kept\n\nText.\n"},
    "memory_delete_page": {"path": "notes/kept.md"},
    "memory_handoff_begin": {"summary": "It works."},
    "memory_message_send": {"to_workspace": "acme", "to_project": "other", "body": "Hello."},
    "task_add": {"title": "Something", "list_name": "today"},
    "memory_write": {"content": "Text.", "topic": "A"},
    "skill_write": {"name": "A", "content": "Text."},
    "memory_append_log": {"op": "tested", "detail": "A thing."},
}
STORED = {
    ("memory_write_page", "body"),
    ("memory_write_page", "title"),
    ("memory_write_page", "tags"),
    ("memory_handoff_begin", "summary"),
    ("memory_handoff_begin", "next_steps"),
    ("memory_message_send", "body"),
    ("memory_message_send", "subject"),
    ("memory_append_log", "detail"),
    ("memory_write", "content"),
    ("skill_write", "content"),
    ("task_add", "title"),
}
"""Some arguments that must have been accepted, or this test says nothing."""


def arguments_of(tool: str, name: str, schema: dict[str, Any], text: str) -> dict[str, Any] | None:
    """A call with the text in the one argument; None if it takes no text."""
    kinds = [schema, *schema.get("anyOf", ())]
    if any(kind.get("type") == "string" and "enum" not in kind for kind in kinds):
        value: Any = f"notes/{text}.md" if name == "path" else text
    elif any(kind.get("type") == "array" for kind in kinds):
        value = [text]
    else:
        return None
    return {**VALID.get(tool, {}), name: value}


def stored(data: Path) -> str:
    texts = [file.read_bytes().decode("utf-8", "replace") for file in data.rglob("*") if file.is_file()]
    git = subprocess.run(
        ["git", "-C", data / "wiki", "log", "--all", "-p", "--format=fuller%n%B"],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=True,
    )
    return "\n".join([*texts, git.stdout]).lower()


async def test_no_argument_of_any_tool_stores_a_secret(client: Client, settings: Settings) -> None:
    secrets = [(core, line) for rule, core, line in samples(each=1) if rule in CLASSES]
    await client.call_tool("memory_write_page", VALID["memory_write_page"])
    await client.call_tool("memory_write_page", {**VALID["memory_write_page"], "project": "other"})
    accepted = set()
    turn = cycle(secrets)
    for tool in (await client.list_tools()).tools:
        for name, schema in tool.input_schema["properties"].items():
            for _, line in islice(turn, 2):
                arguments = arguments_of(tool.name, name, schema, line)
                if arguments is not None:
                    result = await client.call_tool(tool.name, arguments)
                    accepted |= set() if result.is_error else {(tool.name, name)}
    assert accepted >= STORED, STORED - accepted
    found = stored(settings.data_dir)
    assert "it works." in found
    assert [core for core, _ in secrets if core[:12].lower() in found] == []
