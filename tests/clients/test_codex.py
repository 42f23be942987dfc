"""Codex's entry."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_mcp.clients.approved_tools import APPROVED_TOOLS
from memory_mcp.clients.codex import CLIENT, add_entry, config_file
from memory_mcp.clients.entry import ServerEntry

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRY = ServerEntry("/opt/bin/memory-mcp", ("serve",), {"MEMORY_MCP_DATA_DIR": "/m"})
TOOLS = {name: {"approval_mode": "approve"} for name in APPROVED_TOOLS}
OURS = {
    "command": "/opt/bin/memory-mcp",
    "args": ["serve"],
    "startup_timeout_sec": 30,
    "env": {"MEMORY_MCP_DATA_DIR": "/m"},
    "tools": TOOLS,
}
BLOCK = """[mcp_servers.memory-mcp]
command = "/opt/bin/memory-mcp"
args = ["serve"]
startup_timeout_sec = 30
env = {MEMORY_MCP_DATA_DIR = "/m"}

[mcp_servers.memory-mcp.tools]
""" + "".join(f'{name} = {{approval_mode = "approve"}}\n' for name in APPROVED_TOOLS)


def servers(text: str) -> dict:
    return tomllib.loads(text)["mcp_servers"]


def test_the_file_lies_in_home_unless_the_variable_says_otherwise():
    assert config_file({}, Path("/home/ana")) == Path("/home/ana/.codex/config.toml")
    assert config_file({"CODEX_HOME": "/c"}, Path("/home/ana")) == Path("/c/config.toml")


def test_an_empty_file_gets_the_table_alone():
    assert add_entry("", ENTRY) == BLOCK


def test_a_new_table_goes_to_the_end_and_leaves_comments_where_they_are():
    text = (
        '# mine\nm = "g"   # fast\n\n[mcp_servers.x]\ncommand = "x"\n\n# about profiles\n[profiles.y]\na = 1'
    )
    assert add_entry(text, ENTRY) == f"{text}\n\n{BLOCK}"


def test_windows_line_endings_are_continued():
    text = 'model = "gpt"\r\n'
    assert add_entry(text, ENTRY) == text + ("\n" + BLOCK).replace("\n", "\r\n")


def test_a_second_time_changes_nothing():
    text = add_entry("a = 1\n", ENTRY)
    assert add_entry(text, ENTRY) == text


def test_an_old_table_is_changed_where_it_stands_and_keeps_what_a_person_added():
    text = (
        "[mcp_servers.memory-mcp] # the memory\n"
        'command = "old"   # where it was\n'
        "startup_timeout_sec = 90\n"
        'args = ["serve", "--data-dir", "/m"]\n'
        "\n[mcp_servers.memory-mcp.env]\nA = 'b'\n\n# about x\n[x]\ny = 1 # why\n"
    )
    new = add_entry(text, ENTRY)
    assert "\n\n# about x\n[x]\ny = 1 # why\n" in new
    assert servers(new)["memory-mcp"] == {
        **OURS,
        "startup_timeout_sec": 90,
        "env": {"A": "b", "MEMORY_MCP_DATA_DIR": "/m"},
    }
    assert "# where it was" in new
    assert add_entry(new, ENTRY) == new


def test_what_a_person_decided_about_a_tool_stays():
    text = add_entry("", ENTRY).replace(
        'memory_write_page = {approval_mode = "approve"}', 'memory_write_page = {approval_mode = "prompt"}'
    )
    assert add_entry(text, ENTRY) == text


def test_our_table_goes_again_and_nothing_else():
    text = '# mine\nm = "g"   # fast\n\n[mcp_servers.x]\ncommand = "x"\n'
    left = CLIENT.servers.remove(add_entry(text, ENTRY))
    assert left.startswith(text)
    assert tomllib.loads(left) == tomllib.loads(text)


@pytest.mark.parametrize("args", ['["memory-mcp-js", "serve"]', '"serve"', "7"])
def test_a_table_of_our_name_that_is_not_ours_stays(args):
    text = f'[mcp_servers.memory-mcp]\ncommand = "npx"\nargs = {args}\n'
    assert CLIENT.servers.remove(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {}\n",
        'mcp_servers = { x = { command = "x" } } # inline\nz = 1\n',
        'mcp_servers.x.command = "x"\nz = 1\n',
        '[mcp_servers]\nx = { command = "x" }\n[z]\n',
        '[mcp_servers]\nmemory-mcp = { command = "old" }\n[z]\n',
        '[mcp_servers.memory-mcp]\n[mcp_servers.x]\ncommand = "x"\n',
    ],
)
def test_however_the_tables_are_written_the_entry_gets_in_and_the_rest_stays(text):
    before = tomllib.loads(text)
    after = tomllib.loads(add_entry(text, ENTRY))
    assert after["mcp_servers"]["memory-mcp"] == OURS
    before["mcp_servers"].pop("memory-mcp", None)
    after["mcp_servers"].pop("memory-mcp")
    assert after == before


@pytest.mark.parametrize(
    "text", ["[", "a = 1\na = 2\n", "mcp_servers = 1\n", "[[mcp_servers]]\n", "mcp_servers.memory-mcp = 1\n"]
)
def test_a_text_that_is_not_the_clients_is_refused(text):
    with pytest.raises(ValueError):
        add_entry(text, ENTRY)


LINES = st.sampled_from(
    [
        "# comment",
        "",
        'k = "v"',
        "n = 1 # why",
        "[t]",
        "[t.u]",
        "  indented = true",
        "[[list]]",
        "date = 2026-01-01",
    ]
)


@settings(max_examples=100)
@given(
    lines=st.lists(LINES, max_size=8, unique=True),
    newline=st.sampled_from(["\n", "\r\n"]),
    final=st.booleans(),
)
def test_what_was_in_the_file_stays_byte_for_byte(lines, newline, final):
    text = newline.join(lines) + (newline if final else "")
    try:
        old = tomllib.loads(text)
    except ValueError:
        return
    new = add_entry(text, ENTRY)
    assert new.startswith(text)
    assert tomllib.loads(new) == {**old, "mcp_servers": {"memory-mcp": OURS}}
    assert add_entry(new, ENTRY) == new
