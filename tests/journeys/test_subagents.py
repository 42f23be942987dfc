"""Agents that start agents: their work belongs to the session, and never ends it or speaks for its user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.agents import Agent, new_repository, texts_of

INNER = {"agent_id": "a079a64a5a6bb20c7", "agent_type": "general-purpose"}


def work_of_a_subagent(agent: Agent) -> None:
    """What the client tells while an agent of its agent works: Codex tells of its prompt too."""
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_sub"}
    agent.fire("SubagentStart", **INNER)
    if agent.client == "codex":
        agent.fire("UserPromptSubmit", prompt="Look for pangolins in every file", turn_id="t2", **INNER)
    agent.fire("PreToolUse", **call, **INNER)
    agent.fire("PostToolUse", **call, tool_response="a.py", **INNER)
    agent.fire("SubagentStop", stop_hook_active=False, last_assistant_message="Found three.", **INNER)


@pytest.mark.parametrize(("first", "second"), [("claude-code", "codex"), ("codex", "claude-code")])
def test_a_subagent_neither_ends_the_session_nor_speaks_for_its_user(
    home: Path, tmp_path: Path, first: str, second: str
) -> None:
    project = new_repository(tmp_path / "importer")
    wiki = tmp_path / "data" / "wiki" / "default" / "importer"
    one = Agent(first, home, project)
    one.start()
    one.prompt("Count the pangolins")
    work_of_a_subagent(one)
    assert "Count the pangolins" not in Agent(second, home, project).start()
    [left] = texts_of(wiki / "_handoffs")
    assert left.startswith("---\nstate: open\n")
    one.stop("There are three.")
    one.end()
    context = Agent(second, home, project).start()
    assert "Session focused on: Count the pangolins" in context
    assert "Is this done? Count the pangolins" in context
    assert "Look for pangolins in every file" not in context
    [page] = texts_of(wiki / "sessions")
    assert "summary: 1 prompt, " in page
    assert ("- subagent-prompt " if first == "codex" else "- subagent-stop ") in page
