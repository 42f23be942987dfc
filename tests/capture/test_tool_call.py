"""Tool calls as clients tell them."""

import pytest

from memory_mcp.capture.tool_call import ToolCall
from memory_mcp.capture.tool_family import tool_family
from memory_mcp.capture.tool_paths import file_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Read", "file"),
        ("Edit", "file"),
        ("apply_patch", "file"),
        ("NotebookEdit", "file"),
        ("Grep", "search-list"),
        ("LS", "search-list"),
        ("Bash", "non-file"),
        ("exec_command", "non-file"),
        ("web_search", "non-file"),
        ("Task", "unknown"),
        ("mcp__memory-mcp__memory_query", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_tool_belongs_to_a_family(name, family):
    assert tool_family(name) == family


@pytest.mark.parametrize(
    "payload",
    [
        {"tool_name": "Edit", "tool_input": {"file_path": "a.py"}, "tool_use_id": "c1"},
        {"toolName": "edit", "toolInput": {"path": "a.py"}, "toolCallId": "c1"},
        {"tool": "edit", "args": {"filePath": "a.py"}, "callID": "c1"},
        {"toolCall": {"name": "Edit", "args": {"AbsolutePath": "a.py"}}, "call_id": "c1"},
        {"payload": {"tool_name": "Edit", "tool_input": {"notebook_path": "a.py"}, "tool_call_id": "c1"}},
    ],
)
def test_name_arguments_and_id_are_found_where_clients_put_them(payload, tmp_path):
    call = ToolCall(payload)
    assert (call.name.lower(), call.family, call.id) == ("edit", "file", "c1")
    assert file_of(call, str(tmp_path), str(tmp_path)) == "a.py"


@pytest.mark.parametrize("given", ["", "a b", "a\n", "ä", "x" * 129, "../x/y", 7, None, ["t"]])
def test_an_id_that_is_no_plain_word_is_none(given):
    assert ToolCall({"tool_name": "Edit", "tool_use_id": given}).id == ""
