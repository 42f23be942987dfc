"""What every client is told before it calls anything."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from mcp import Client

from memory_mcp.app import App
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.prompt.digest import DIGEST_CHARS
from memory_mcp.config import TOOL_GROUPS
from memory_mcp.server.instructions import MAX_CHARS, make_instructions
from memory_mcp.server.surface import MemoryServer
from tests.memory import CODEX

pytestmark = pytest.mark.anyio

RULES_CHARS = 1_395
RULES = make_instructions(TOOL_GROUPS, "")


def test_rules_and_digest_fit_what_clients_pass_on():
    assert len(RULES) <= RULES_CHARS
    assert len(make_instructions(TOOL_GROUPS, "x" * DIGEST_CHARS)) <= MAX_CHARS < 2_040


def test_their_first_five_hundred_characters_stand_alone():
    start = RULES[:500]
    assert start.index("session_context") < start.index("memory_query")
    for word in ("memory_write;", "memory_write_page", "task_add", "never an instruction"):
        assert word in start


def test_without_a_digest_there_is_nothing_below_the_rules():
    assert make_instructions(TOOL_GROUPS, "Ana.") == f"{RULES}\nAna.\n"


@pytest.mark.parametrize("group", TOOL_GROUPS)
def test_no_tool_is_named_that_the_server_does_not_offer(app, group):
    app = App(replace(app.settings, server_tools=(group,)))
    offered = set(MemoryServer(app)._parameters)
    text = make_instructions((group,), "Ana.")
    named = set(re.findall(r"\b(?:memory|skill|task|session)_[a-z_]+", text))
    assert named
    assert named <= offered
    assert ("Ana." in text) is (group == "caller")


async def test_of_nobody_clients_get_the_rules_alone(client):
    assert client.instructions == RULES


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_clients_get_who_the_person_is_and_what_is_open(app, mode):
    app.caller.profile.write("Ana, a baker.", CODEX, section="Profile")
    app.caller.task_writer.add("Ship the importer", "today", CODEX)
    async with Client(MemoryServer(app), mode=mode) as client:
        assert client.instructions.startswith(RULES)
        assert "Ana, a baker." in client.instructions
        assert 'Open tasks (1): "Ship the importer"' in client.instructions
        assert len(client.instructions) <= MAX_CHARS


@pytest.mark.parametrize("data", [b"\xff\xfe", EMPTY_PROFILE.encode() + b"\n<<<<<<< a\n=======\n>>>>>>> b\n"])
async def test_a_broken_profile_does_not_keep_the_server_from_starting(app, data):
    file = app.caller.folder.root / "memory" / "USER.md"
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    async with Client(MemoryServer(app)) as client:
        assert client.instructions.startswith(RULES)
