"""What one agent learns about a person, the next one knows: real servers and clients over stdio."""

import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.server.answers import ask, refusal, text_of

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).resolve().parents[2] / "server.py"
CLIENT_CHARS = 10_000
"""Answers above are cut or hidden by one client or the other."""
INSTRUCTION_CHARS = 2_000


@pytest.fixture
def connect(project, environment):
    """Start a server and a client to it; `cwd` is another folder than the project's."""

    @asynccontextmanager
    async def start(mode, *args, cwd=project, **options):
        server = StdioServerParameters(
            command=sys.executable, args=[str(SCRIPT), *args], env=environment, cwd=cwd
        )
        async with Client(server, mode=mode, **options) as client:
            yield client

    return start


async def learn(client):
    await ask(
        client, "memory_write", target="user", section="Profile", content="Ana, data engineer in Lisbon."
    )
    await ask(client, "memory_write", target="user", section="Preferences", content="Answers in Portuguese.")
    await ask(
        client, "memory_write", topic="Staging bucket", content="Ask Rui first.", hook="before staging work"
    )
    await ask(client, "skill_write", name="Release", content="Tag, then push.", hook="when a release is due")
    await ask(client, "memory_append_log", op="decision_made", detail="staging moves to Rui")
    await ask(client, "task_add", list_name="today", title="Call Rui back", due="2026-11-01")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_that_only_follows_the_instructions_knows_the_person_in_one_call(
    mode, connect, tmp_path
):
    async with connect(mode) as client:
        await learn(client)
    (tmp_path / "elsewhere").mkdir()
    async with connect(mode, cwd=tmp_path / "elsewhere") as client:
        instructions = client.instructions
        assert len(instructions) <= INSTRUCTION_CHARS
        assert "Call session_context first" in instructions[:500]
        assert "Ana, data engineer in Lisbon." in instructions
        assert "Call Rui back" in instructions
        told = text_of(await ask(client, "session_context"))
        assert len(told) < CLIENT_CHARS
        for words in (
            "Answers in Portuguese.",
            "- [staging-bucket](notes/staging-bucket.md): before staging work",
            "- [release](release.md): when a release is due",
            "today: Call Rui back (overdue since 2026-11-01)",
        ):
            assert words in told
        version = told.split("\n", 1)[0].removeprefix("version: ")
        assert len(text_of(await ask(client, "session_context", if_version=version))) < 200
        await ask(client, "task_add", list_name="today", title="Thank Rui")
        assert "Thank Rui" in text_of(await ask(client, "session_context", if_version=version))


async def test_what_the_index_points_to_is_read_by_path_and_found_by_question(connect):
    async with connect("auto") as client:
        await learn(client)
        found = (
            await ask(client, "memory_query", query="whom to ask about the staging bucket")
        ).structured_content
        [hit] = found["caller_hits"]
        assert hit["path"] == "memory/notes/staging-bucket.md"
        scope = {"workspace": "_callers", "project": "default"}
        assert "Ask Rui first." in text_of(await ask(client, "memory_read_page", path=hit["path"], **scope))
        log = Path(found["folder"]).parents[1] / "_callers" / "default" / "memory" / "log.md"
        assert log.read_text(encoding="utf-8").endswith("] decision_made | staging moves to Rui\n")


async def test_another_caller_of_the_same_store_knows_nothing_of_it(connect):
    async with connect("auto") as client:
        await learn(client)
    async with connect("auto", "--caller", "ben") as client:
        assert "Ana" not in client.instructions
        told = text_of(await ask(client, "session_context"))
        assert "Ana" not in told
        assert "Rui" not in told
        assert "caller_hits" not in (await ask(client, "memory_query", query="Rui")).structured_content
        scope = {"workspace": "_callers", "project": "default"}
        assert "reserved" in await refusal(client, "memory_read_page", path="memory/USER.md", **scope)
        [task] = [line for line in told.splitlines() if line.startswith("- None")]
        assert task
