"""What a client is told before it calls anything: tools, schemas, instructions, and their sizes."""

import json

import pytest

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
READ_TOOLS = {
    "memory_query",
    "memory_recent",
    "memory_read_page",
    "memory_status",
    "session_context",
    "task_list_active",
}
DELETE_TOOLS = {"memory_delete_page"}
WIKI_BYTES = 6_144
CALLER_BYTES = 4_096
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
    assert [tool.name for tool in tools] == [*WIKI_TOOLS, *CALLER_TOOLS]
    assert listed_bytes(tools[: len(WIKI_TOOLS)]) <= WIKI_BYTES
    assert listed_bytes(tools[len(WIKI_TOOLS) :]) <= CALLER_BYTES
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
        assert tool.annotations.idempotent_hint is (tool.name != "task_add")
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
