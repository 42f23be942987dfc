"""Claude Code's entry."""

import json
from pathlib import Path

import pytest

from memory_mcp.clients.approved_tools import APPROVED_TOOLS
from memory_mcp.clients.claude_code import CLIENT, add_approvals, add_entry, config_file, remove_approvals
from memory_mcp.clients.entry import ServerEntry

ENTRY = ServerEntry("/opt/bin/memory-mcp", ("serve",), {"MEMORY_MCP_DATA_DIR": "/m"})
OURS = {
    "type": "stdio",
    "command": "/opt/bin/memory-mcp",
    "args": ["serve"],
    "env": {"MEMORY_MCP_DATA_DIR": "/m"},
}


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
    assert json.loads(add_entry(text, ENTRY))["mcpServers"]["memory-mcp"] == {
        **OURS,
        "env": {"A": "b", "MEMORY_MCP_DATA_DIR": "/m"},
    }


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


def test_our_entry_goes_again_and_nothing_else():
    text = '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  },\n  "numStartups": 3\n}\n'
    assert CLIENT.servers.remove(add_entry(text, ENTRY)) == text


@pytest.mark.parametrize("args", [["-y", "memory-mcp-js", "serve"], "serve", 7, None])
def test_an_entry_of_our_name_that_is_not_ours_stays(args):
    text = json.dumps({"mcpServers": {"memory-mcp": {"command": "npx", "args": args}}})
    assert CLIENT.servers.remove(text) == text


def test_the_tools_that_only_read_or_add_need_no_question():
    text = '{"permissions": {"deny": ["Bash"], "allow": ["Edit"]}, "model": "x"}'
    approved = json.loads(add_approvals(text))
    assert approved["permissions"]["deny"] == ["Bash"]
    assert approved["permissions"]["allow"] == [
        "Edit",
        *(f"mcp__memory-mcp__{each}" for each in APPROVED_TOOLS),
    ]
    assert add_approvals(add_approvals(text)) == add_approvals(text)
    assert json.loads(remove_approvals(add_approvals(text))) == json.loads(text)


def test_settings_that_held_nothing_else_are_empty_again():
    assert remove_approvals(add_approvals("")).split() == ["{}"]


@pytest.mark.parametrize("text", ["[]", '{"permissions": []}', '{"permissions": {"allow": {}}}', "{"])
def test_settings_of_another_shape_are_refused(text):
    with pytest.raises(ValueError):
        add_approvals(text)
