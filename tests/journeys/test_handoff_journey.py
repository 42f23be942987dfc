"""Quit one agent, open another in the same folder, go on: the real hooks as the installers wrote them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import Implementation

from memory_mcp.capture.spool import Spool
from tests.agents import Agent, environment, new_repository, run_command, texts_of
from tests.journeys.conftest import SERVER

pytestmark = pytest.mark.anyio


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of that person."""
    return new_repository(tmp_path / "importer")


def records(tmp_path: Path, kind: str) -> list[str]:
    return texts_of(tmp_path / "data" / "wiki" / "default" / "importer" / kind)


def waiting(tmp_path: Path) -> int:
    return len(Spool(str(tmp_path / "data" / "spool")).names())


@pytest.mark.parametrize(("first", "second"), [("claude-code", "codex"), ("codex", "claude-code")])
def test_hooks_alone_carry_the_work_from_one_client_to_the_other(
    home: Path, project: Path, tmp_path: Path, first: str, second: str
) -> None:
    one = Agent(first, home, project)
    assert "Work was left here" not in one.start()
    one.work("Make the pangolin importer retry with back-off")
    one.end()
    assert waiting(tmp_path) == 0
    two = Agent(second, home, project)
    context = two.start()
    assert f"Work was left here by {first}" in context
    assert "Make the pangolin importer retry with back-off" in context
    assert len(context) <= 9_500
    assert "Work was left here" not in Agent(first, home, project).start()
    [record] = [text for text in records(tmp_path, "_handoffs") if one.session in text]
    assert f"event: accepted, agent: {second}, session: {two.session}" in record
    two.work("Cap the back-off")
    two.end()
    [left] = [text for text in records(tmp_path, "_handoffs") if text.startswith("---\nstate: open")]
    assert f"session: {two.session}" in left


async def test_with_a_server_running_the_receiver_finds_the_work_and_answers(
    home: Path, project: Path, tmp_path: Path
) -> None:
    environ = environment(home) | {"MEMORY_MCP_DATA_DIR": str(tmp_path / "data")}
    server = StdioServerParameters(command=SERVER[0], args=SERVER[1:], cwd=project, env=environ)
    one = Agent("claude-code", home, project)
    one.start()
    one.work("Make the pangolin importer retry with back-off")
    async with Client(stdio_client(server)) as client:
        found = await client.call_tool("memory_query", {"query": "pangolin back-off"})
        assert waiting(tmp_path) == 0
        assert "pangolin" in json.dumps(found.structured_content)
        one.end()
        two = Agent("codex", home, project)
        assert "Make the pangolin importer retry" in two.start()
        found = await client.call_tool("memory_query", {"query": "pangolin importer retry"})
        assert found.structured_content["hits"][0]["path"] == f"sessions/{one.session}.md"
        listed = await client.call_tool("memory_handoff_list", {})
        assert listed.structured_content["total"] == 0
        read = await client.call_tool("memory_read_session_observations", {"session_id": one.session})
        kinds = [each["kind"] for each in read.structured_content["observations"]]
        assert kinds[:2] == ["session-start", "user-prompt"]
        refused = await client.call_tool(
            "memory_message_send", {"to_workspace": "default", "to_project": "warehouse", "body": "Hello"}
        )
        assert refused.is_error
        await client.call_tool(
            "memory_write_page",
            {"path": "notes/a.md", "body": "# A\n", "workspace": "default", "project": "warehouse"},
        )
        sent = await client.call_tool(
            "memory_message_send",
            {"to_workspace": "default", "to_project": "warehouse", "body": "The importer retries now."},
        )
        assert not sent.is_error
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=warehouse, check=True)
    three = Agent("claude-code", home, warehouse)
    assert "1 message from other projects" in three.start()
    done = run_command("message", "pop", "--data-dir", str(tmp_path / "data"), home=home, folder=warehouse)
    assert "The importer retries now." in done.stdout


async def test_what_codex_hands_over_by_hand_is_not_left_twice(
    home: Path, project: Path, tmp_path: Path
) -> None:
    # Codex starts its server with next to no environment, and names the session with each call.
    environ = environment(home) | {"MEMORY_MCP_DATA_DIR": str(tmp_path / "data")}
    server = StdioServerParameters(command=SERVER[0], args=SERVER[1:], cwd=project, env=environ)
    info = Implementation(name="codex-mcp-client", title="Codex", version="0.171.0")
    one = Agent("codex", home, project)
    meta = {"threadId": one.session, "x-codex-turn-metadata": {"session_id": one.session}}
    one.start()
    one.work("Parse pangolins, then hand over")
    async with Client(stdio_client(server), client_info=info) as client:
        begun = await client.call_tool("memory_handoff_begin", {"summary": "Half is parsed."}, meta=meta)
        assert not begun.is_error
    one.end()
    context = Agent("claude-code", home, project).start()
    assert "Work was left here by codex" in context
    assert "Half is parsed." in context
    assert "Work waits here" not in context


async def test_codex_may_read_again_what_its_session_took_at_its_start(
    home: Path, project: Path, tmp_path: Path
) -> None:
    environ = environment(home) | {"MEMORY_MCP_DATA_DIR": str(tmp_path / "data")}
    server = StdioServerParameters(command=SERVER[0], args=SERVER[1:], cwd=project, env=environ)
    one, two = Agent("claude-code", home, project), Agent("codex", home, project)
    one.start()
    one.work("Parse pangolins")
    one.end()
    assert "Parse pangolins" in two.start()
    meta = {"x-codex-turn-metadata": {"session_id": two.session}}
    async with Client(stdio_client(server)) as client:
        again = await client.call_tool("memory_handoff_accept", {}, meta=meta)
    assert again.structured_content["status"] == "consumed_by_hook"
    assert "Parse pangolins" in again.structured_content["handoff"]["text"]


def test_an_agent_that_was_killed_in_the_middle_hands_over_later(
    home: Path, project: Path, tmp_path: Path
) -> None:
    one = Agent("claude-code", home, project)
    one.start()
    one.work("Half of the work")  # and then the terminal is closed: no hook runs any more
    context = Agent("codex", home, project).start()
    assert "Half of the work" not in context
    assert "memory_handoff_accept" in context


def test_an_agent_that_was_killed_in_its_first_turn_is_told_of(
    home: Path, project: Path, tmp_path: Path
) -> None:
    one = Agent("codex", home, project)
    one.start()
    one.prompt("Make the pangolin importer retry")
    one.tool("Bash", {"command": "make"})  # and here it was killed: no turn ever ended
    context = Agent("claude-code", home, project).start()
    assert "Make the pangolin importer retry" not in context
    assert "from codex" in context
    assert "memory_handoff_accept" in context
    [record] = records(tmp_path, "_handoffs")
    assert "The work may be unfinished; the session was at: Make the pangolin importer retry" in record


def test_two_agents_in_one_folder_do_not_take_each_others_work(home: Path, project: Path) -> None:
    one, two = Agent("claude-code", home, project), Agent("codex", home, project)
    one.start()
    two.start()
    one.work("Work of the first")
    two.work("Work of the second")
    one.end()
    context = Agent("claude-code", home, project).start()
    assert "Work of the first" in context
    assert "Work of the second" not in context


def test_one_agent_in_two_worktrees_goes_on_in_each(home: Path, project: Path, tmp_path: Path) -> None:
    environ = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A"}
    environ |= {"GIT_COMMITTER_EMAIL": "a@b.c"}
    for command in (
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["worktree", "add", "-q", "../two", "-b", "two"],
    ):
        subprocess.run(["git", *command], cwd=project, env=environment(home) | environ, check=True)
    one = Agent("claude-code", home, project)
    two = Agent("claude-code", home, tmp_path / "two")
    for agent, text in ((one, "Work on the main tree"), (two, "Work on the second tree")):
        agent.start()
        agent.work(text)
        agent.end()
    assert "Work on the second tree" in Agent("codex", home, tmp_path / "two").start()
    assert "Work on the main tree" in Agent("codex", home, project).start()


def test_an_agent_that_only_starts_and_ends_leaves_the_baton_where_it_was(
    home: Path, project: Path, tmp_path: Path
) -> None:
    one = Agent("claude-code", home, project)
    one.start()
    one.work("Real work")
    one.end()
    two = Agent("codex", home, project)
    assert "Real work" in two.start()
    two.end()
    assert len(records(tmp_path, "_handoffs")) == 1
    assert "Real work" in Agent("claude-code", home, project).start()


def test_a_hook_answers_whatever_it_is_given(home: Path, project: Path) -> None:
    agent = Agent("claude-code", home, project)
    [command] = agent.commands("PostToolUse")
    for payload in ("", "not json", "[]", '"text"', '{"session_id": 3, "cwd": []}', "\ufeff{}"):
        done = subprocess.run(
            command,
            shell=True,
            cwd=project,
            env=environment(home),
            input=payload,
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode, done.stdout) == (0, "{}\n")
