"""Claude Code's entry."""

import json
from pathlib import Path

import pytest

from memory_mcp.clients.claude_code import add_entry, config_file
from memory_mcp.clients.entry import ServerEntry

ENTRY = ServerEntry("/opt/bin/memory-mcp", ("serve",))
OURS = {"type": "stdio", "command": "/opt/bin/memory-mcp", "args": ["serve"]}


def test_the_file_lies_in_home_unless_the_variable_says_otherwise():
    assert config_file({}, Path("/home/ana")) == Path("/home/ana/.claude.json")
    assert config_file({"CLAUDE_CONFIG_DIR": " "}, Path("/home/ana")) == Path("/home/ana/.claude.json")
    assert config_file({"CLAUDE_CONFIG_DIR": "/c"}, Path("/home/ana")) == Path("/c/.claude.json")


@pytest.mark.parametrize("text", ["", "\n", "{}"])
def test_an_empty_file_gets_the_entry_alone(text):
    assert json.loads(add_entry(text, ENTRY)) == {"mcpServers": {"memory-mcp": OURS}}


def test_a_second_time_changes_nothing():
    text = add_entry('{"a":1}', ENTRY)
    assert add_entry(text, ENTRY) == text


def test_what_a_person_added_to_the_entry_stays():
    text = json.dumps({"mcpServers": {"memory-mcp": {"command": "old", "args": [], "env": {"A": "b"}}}})
    assert json.loads(add_entry(text, ENTRY))["mcpServers"]["memory-mcp"] == {**OURS, "env": {"A": "b"}}


def test_an_entry_over_http_is_replaced():
    text = json.dumps({"mcpServers": {"memory-mcp": {"type": "http", "url": "https://example.invalid"}}})
    assert json.loads(add_entry(text, ENTRY))["mcpServers"]["memory-mcp"] == OURS


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '"text"',
        '{"mcpServers": null}',
        '{"mcpServers": []}',
        '{"mcpServers": {"memory-mcp": 1}}',
        '{"a": 1} // comment',
        '{"a": 1,}',
        "[" * 100_000,
    ],
)
def test_a_text_that_is_not_the_clients_is_refused(text):
    with pytest.raises((ValueError, RecursionError)):
        add_entry(text, ENTRY)
