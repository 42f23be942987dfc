"""Gemini CLI counts in milliseconds, and names turns in its own way."""

from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.json_text import load_jsonc

GEMINI = CLIENTS["gemini-cli"]


def test_a_hook_has_seconds_and_not_milliseconds(tmp_path):
    hooks = load_jsonc(GEMINI.hooks.add("", HookOptions(tmp_path)))["hooks"]
    timeouts = {event: group["hooks"][0]["timeout"] for event, [group] in hooks.items()}
    assert timeouts["SessionStart"] == 20_000
    assert timeouts["SessionEnd"] == 3_000
    assert set(timeouts.values()) == {3_000, 10_000, 20_000}


def test_prompts_and_ends_of_turns_are_recorded(tmp_path):
    found = dict(GEMINI.hooks.find(GEMINI.hooks.add("", HookOptions(tmp_path))))
    assert "--event user-prompt " in found["BeforeAgent"]
    assert "--event stop " in found["AfterAgent"]
