"""The entry for a program that passes a person's words to an agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.config import load_settings
from memory_mcp.errors import InvalidInput
from memory_mcp.host import Host
from memory_mcp.model.actor import Actor


def test_a_host_begins_and_ends_turns_that_the_server_of_the_session_sees(tmp_path: Path) -> None:
    host = Host(tmp_path / "data", session="conversation-7")
    server = App(load_settings(str(tmp_path / "data"), {"MEMORY_MCP_SESSION": "s7"}, tmp_path))
    task = server.caller.task_writer.add("Ship it", "today", Actor("test")).task
    host.turn_begin(f"yes, dismiss task {task.code}", "s7")
    assert server.caller.turns.confirmation(task, server.settings.session) is not None
    host.turn_end("s7")
    assert server.caller.turns.confirmation(task, server.settings.session) is None
    start = host.turn_begin("ship it is done")
    assert (start.kind, start.tasks[0].id) == ("completed", task.id)
    assert start.tasks[0].history[-1].session
    host.close()
    server.close()


def test_a_host_takes_the_session_and_the_caller_of_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_MCP_SESSION", "s1")
    monkeypatch.setenv("MEMORY_MCP_DATA_DIR", str(tmp_path / "data"))
    host = Host(caller="ana")
    assert host.turn_begin("hello").kind == "none"
    assert (tmp_path / "data" / "state" / "turns" / "s1.json").is_file()
    assert not (tmp_path / "data" / "wiki" / "_callers").exists()
    host.close()


def test_a_host_without_a_session_is_refused(tmp_path: Path) -> None:
    host = Host(tmp_path / "data")
    with pytest.raises(InvalidInput, match="session is blank"):
        host.turn_begin("hello")
    host.close()
