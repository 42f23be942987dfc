"""What a client is told before it calls anything: tools, schemas, instructions, and their sizes."""

import json

import pytest

from memory_mcp.clients.approved_tools import APPROVED_TOOLS

pytestmark = pytest.mark.anyio

WIKI_TOOLS = [
    "memory_query",
    "memory_recent",
    "memory_read_page",
    "memory_write_page",
    "memory_delete_page",
    "memory_status",
]
CALLER_TOOLS = [
    "session_context",
    "memory_write",
    "skill_write",
    "memory_append_log",
    "memory_maintain",
    "task_add",
    "task_complete",
    "task_dismiss",
    "task_list_active",
]
SESSION_TOOLS = [
    "memory_briefing",
    "memory_explore",
    "memory_read_session_observations",
    "memory_install_self_routing",
]
HANDOFF_TOOLS = [
    "memory_handoff_begin",
    "memory_handoff_list",
    "memory_handoff_accept",
    "memory_handoff_cancel",
]
MESSAGE_TOOLS = [
    "memory_message_send",
    "memory_message_list",
    "memory_message_pop",
    "memory_message_cancel",
]
CONTINUITY_TOOLS = [*SESSION_TOOLS, *HANDOFF_TOOLS, *MESSAGE_TOOLS]
READ_TOOLS = {
    *SESSION_TOOLS,
    "memory_handoff_list",
    "memory_message_list",
    "memory_query",
    "memory_recent",
    "memory_read_page",
    "memory_status",
    "session_context",
    "task_list_active",
}
DELETE_TOOLS = {"memory_delete_page"}
ADDING_TOOLS = {"task_add", "memory_handoff_begin", "memory_message_send"}
ASKED_TOOLS = {
    "memory_delete_page",
    "task_dismiss",
    "memory_handoff_cancel",
    "memory_message_send",
    "memory_message_cancel",
}
"""What an installed client asks its user about before it calls."""
WIKI_BYTES = 6_144
CALLER_BYTES = 4_096
CONTINUITY_BYTES = 6_144
ALL_BYTES = 20_480
DESCRIPTION_CHARS = 2_000
"""One client cuts descriptions and instructions at about 2,040 characters."""


def listed_bytes(tools):
    """What a model reads of the tools: name, description and input schema as compact JSON."""
    listed = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in tools
    ]
    return sum(len(json.dumps(each, separators=(",", ":"), ensure_ascii=False).encode()) for each in listed)


async def test_the_default_tools_fit_their_budget(client):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [*WIKI_TOOLS, *CALLER_TOOLS, *CONTINUITY_TOOLS]
    by_name = {tool.name: tool for tool in tools}
    for names, most in (
        (WIKI_TOOLS, WIKI_BYTES),
        (CALLER_TOOLS, CALLER_BYTES),
        (CONTINUITY_TOOLS, CONTINUITY_BYTES),
    ):
        assert listed_bytes([by_name[name] for name in names]) <= most
    assert listed_bytes(tools) < ALL_BYTES


async def test_schemas_are_flat_objects_of_plain_types(client):
    for tool in (await client.list_tools()).tools:
        schema = tool.input_schema
        assert set(schema) <= {"type", "properties", "required"}, tool.name
        assert schema["type"] == "object"
        for name, each in schema["properties"].items():
            assert name == name.lower()
            assert each["type"] in {"string", "integer", "boolean", "array"}, (tool.name, name)
            assert not {"title", "anyOf", "oneOf", "allOf", "$ref"} & set(each), (tool.name, name)


async def test_every_tool_has_title_description_and_honest_annotations(client):
    for tool in (await client.list_tools()).tools:
        assert tool.title
        assert 0 < len(tool.description or "") <= DESCRIPTION_CHARS
        assert "  " not in (tool.description or "")
        assert tool.annotations.read_only_hint is (tool.name in READ_TOOLS)
        assert tool.annotations.destructive_hint is (tool.name in DELETE_TOOLS)
        assert tool.annotations.idempotent_hint is (tool.name not in ADDING_TOOLS)
        assert tool.annotations.open_world_hint is False


async def test_a_property_may_be_called_title(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools["memory_write_page"].input_schema["properties"]["title"]["type"] == "string"


async def test_the_schema_shows_the_names_and_not_the_aliases(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    properties = tools["memory_query"].input_schema["properties"]
    assert {"query", "limit", "global", "scopes"} <= set(properties)
    assert not {"q", "search", "n", "top_k", "everywhere"} & set(properties)
    assert tools["memory_query"].input_schema["required"] == ["query"]


async def test_an_installed_client_asks_about_what_withdraws_drops_or_speaks_to_others(client):
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert set(APPROVED_TOOLS) == tools - ASKED_TOOLS
