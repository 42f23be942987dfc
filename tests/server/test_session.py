"""The session's prompt as a tool, a prompt and a resource, and what subscribers are told."""

from __future__ import annotations

import json

import anyio
import pytest
from mcp import Client, MCPError
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import INVALID_PARAMS, ResourceUpdatedNotification

from memory_mcp.callers.prompt.rules import RULES
from memory_mcp.server.surface import MemoryServer
from tests.memory import CODEX
from tests.server.answers import ask, refusal, text_of

pytestmark = pytest.mark.anyio

PROMPT = "memory://system-prompt"
NOTE = "memory://page/_callers/default/memory/notes/deploys.md"
SESSION_BYTES = 520
ANSWER_CHARS = 10_000


async def context(client, **arguments):
    return text_of(await ask(client, "session_context", **arguments))


async def test_the_tool_is_small_and_only_reads(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    tool = tools["session_context"]
    listed = {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
    assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode()) <= SESSION_BYTES
    assert tool.annotations.read_only_hint
    assert "required" not in tool.input_schema


async def test_one_call_brings_rules_profile_notes_skills_and_tasks(client):
    await ask(client, "memory_write", target="user", section="Profile", content="Ana, a baker.")
    await ask(client, "memory_write", topic="Deploys", content="Blue and green.", hook="How we deploy")
    await ask(client, "skill_write", name="Deploy", content="Push.", hook="To ship")
    await ask(client, "task_add", title="Ship it", list_name="today")
    text = await context(client)
    assert RULES in text
    for part in (
        "Ana, a baker.",
        "(notes/deploys.md): How we deploy",
        "(deploy.md): To ship",
        "today: Ship it",
    ):
        assert part in text
    assert len(text) < ANSWER_CHARS


async def test_the_stamp_of_the_last_write_is_the_stamp_of_the_prompt(client):
    written = await ask(client, "memory_write", topic="Deploys", content="Blue and green.")
    version = written.structured_content["prompt_version"]
    assert f"prompt_version: {version}" in text_of(written)
    assert (await context(client)).startswith(f"version: {version}\n")
    unchanged = await context(client, if_version=version)
    assert "unchanged" in unchanged
    assert len(unchanged) < 200
    added = await ask(client, "task_add", title="Ship it", list_name="today")
    assert added.structured_content["prompt_version"] != version
    assert "Ship it" in await context(client, if_version=version)


async def test_a_vague_request_brings_candidates(client):
    await ask(client, "task_add", title="Ship the importer", list_name="today")
    assert "## Recall-on-Ambiguity" in await context(client, request="continue with the importer")
    assert "## Recall-on-Ambiguity" not in await context(client)


async def test_a_folder_of_another_caller_is_one_sentence(client, app):
    file = app.caller.folder.root / "_meta" / "caller.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"v": 1, "caller": "bo"}\n', encoding="utf-8")
    assert "'bo'" in await refusal(client, "session_context")
    with pytest.raises(MCPError, match="'bo'") as error:
        await client.get_prompt("memory_session")
    assert error.value.error.code == INVALID_PARAMS
    with pytest.raises(MCPError, match="'bo'"):
        await client.read_resource(PROMPT)


async def test_it_is_a_prompt_with_an_identity(client):
    [listed] = (await client.list_prompts()).prompts
    assert (listed.name, [argument.name for argument in listed.arguments]) == ("memory_session", ["identity"])
    assert listed.arguments[0].required is False
    [message] = (await client.get_prompt("memory_session", {"identity": "You are Bo."})).messages
    assert message.content.text.startswith(f"You are Bo.\n\n---\n\n{RULES}")
    [message] = (await client.get_prompt("memory_session")).messages
    assert message.content.text.startswith(RULES)


async def test_it_is_a_resource(client):
    [listed] = (await client.list_resources()).resources
    assert (str(listed.uri), listed.mime_type) == (PROMPT, "text/markdown")
    [content] = (await client.read_resource(PROMPT)).contents
    assert content.text.startswith(RULES)
    assert content.mime_type == "text/markdown"


async def test_whoever_listens_is_told_of_writes(app):
    async with (
        Client(MemoryServer(app), mode="auto") as client,
        client.listen(resource_subscriptions=[PROMPT, NOTE]) as stream,
    ):
        await ask(client, "memory_append_log", op="decision_made", detail="Use WAL")
        await refusal(client, "memory_write", topic="!!!", content="x")
        await ask(client, "memory_write", topic="Deploys", content="Blue and green.")
        with anyio.fail_after(5):
            assert [(await anext(stream)).uri for _ in range(2)] == [PROMPT, NOTE]
        await ask(client, "memory_write", topic="Deploys", content="Blue and green.")
        with anyio.move_on_after(0.05):
            raise AssertionError(await anext(stream))
        await ask(client, "task_add", title="Ship it", list_name="today")
        with anyio.fail_after(5):
            assert (await anext(stream)).uri == PROMPT
        with anyio.move_on_after(0.05):
            raise AssertionError(await anext(stream))


async def test_a_client_of_the_handshake_is_told_of_what_it_subscribed_to(app):
    seen = []

    async def note(message):
        if isinstance(message, ResourceUpdatedNotification):
            seen.append(str(message.params.uri))

    async with Client(MemoryServer(app), mode="legacy", message_handler=note) as client:
        assert client.server_capabilities.resources.subscribe
        await ask(client, "memory_write", topic="Deploys", content="Red.")
        assert seen == []
        with pytest.warns(MCPDeprecationWarning):
            await client.subscribe_resource(PROMPT)
        await ask(client, "memory_write", topic="Deploys", content="Blue.")
        with pytest.warns(MCPDeprecationWarning):
            await client.subscribe_resource(NOTE)
        await ask(client, "memory_write", topic="Deploys", content="Green.")
        with pytest.warns(MCPDeprecationWarning):
            await client.unsubscribe_resource(PROMPT)
        await ask(client, "memory_write", topic="Deploys", content="Yellow.")
    assert seen == [PROMPT, PROMPT, NOTE, NOTE]


async def test_writes_of_the_wiki_are_not_told_as_the_callers(app):
    async with (
        Client(MemoryServer(app), mode="auto") as client,
        client.listen(resource_subscriptions=[PROMPT]) as stream,
    ):
        await ask(client, "memory_write_page", path="notes/a.md", body="# A\n\nText.\n")
        app.caller.task_writer.add("Elsewhere", "today", CODEX)
        with anyio.move_on_after(0.05):
            raise AssertionError(await anext(stream))
