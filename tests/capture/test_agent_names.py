"""Clients under the one name that records carry."""

import pytest

from memory_mcp.capture.agent_names import CLOSED, agent_name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("claude-code", "claude-code"),
        ("claude_code", "claude-code"),
        ("Claude", "claude-code"),
        (" codex ", "codex"),
        ("codex-mcp-client", "codex"),
        ("opencode", "open-code"),
        ("opencode-v2", "open-code"),
        ("gemini", "gemini-cli"),
        ("agy", "antigravity-cli"),
        ("oh-my-pi", "omp"),
        ("kimi", "kimi-code"),
        ("kiro", "kiro-cli"),
        ("cmdc", "command-code"),
        ("poolside", "pool"),
        ("zai", "zcode"),
        ("", "other"),
        ("a client of tomorrow", "other"),
    ],
)
def test_a_client_has_one_name_whatever_it_calls_itself(given, name):
    assert agent_name(given) == name


def test_the_clients_whose_tool_events_are_read_are_known_by_name():
    assert {agent_name(name) for name in CLOSED} == CLOSED
