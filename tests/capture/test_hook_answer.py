"""What each client is answered."""

import json

import pytest

from memory_mcp.capture.agent_names import _ALIASES
from memory_mcp.capture.event_names import IMPORTANCE
from memory_mcp.capture.hook_answer import hook_answer, injects

CONTEXT = 'Work was left here.\n"quoted" — naïve'
AGENTS = [*_ALIASES, "other"]
STARTED = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": CONTEXT}}


@pytest.mark.parametrize(
    ("agent", "event", "answer"),
    [
        ("claude-code", "session-start", STARTED),
        ("codex", "session-start", STARTED),
        ("gemini-cli", "session-start", STARTED),
        ("cursor", "session-start", {**STARTED, "additional_context": CONTEXT}),
        (
            "claude-code",
            "user-prompt",
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": CONTEXT}},
        ),
        ("antigravity-cli", "session-start", {"injectSteps": [{"ephemeralMessage": CONTEXT}]}),
    ],
)
def test_context_goes_where_the_client_looks_for_it(agent, event, answer):
    assert injects(agent, event)
    assert json.loads(hook_answer(agent, event, CONTEXT)) == answer


@pytest.mark.parametrize(("agent", "event"), [("kiro-cli", "session-start"), ("kimi-code", "user-prompt")])
def test_a_client_whose_model_reads_stdout_is_given_plain_text(agent, event):
    assert hook_answer(agent, event, CONTEXT) == CONTEXT
    assert all(hook_answer(agent, each) == "" for each in IMPORTANCE)


def test_antigravity_is_told_that_a_tool_may_run():
    assert json.loads(hook_answer("antigravity-cli", "pre-tool-use")) == {"decision": "allow"}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", [*IMPORTANCE, "subagent-stop"])
def test_a_client_that_shows_nothing_to_its_model_is_told_nothing(agent, event):
    if injects(agent, event):
        return
    assert CONTEXT[:10] not in hook_answer(agent, event, CONTEXT)
    assert hook_answer(agent, event, CONTEXT) == hook_answer(agent, event)


@pytest.mark.parametrize("agent", [name for name in AGENTS if name not in ("kiro-cli", "kimi-code")])
def test_every_answer_is_one_json_object(agent):
    silent = ("pre-compact", "post-compaction") if agent == "claude-code" else ()
    for event in IMPORTANCE:
        if event not in silent:
            assert isinstance(json.loads(hook_answer(agent, event)), dict)


@pytest.mark.parametrize("event", ["pre-compact", "post-compaction"])
def test_a_summary_is_given_no_instruction(event):
    assert hook_answer("claude-code", event, CONTEXT) == hook_answer("claude-code", event) == ""


@pytest.mark.parametrize("agent", ["zero", "pool", "hermes", "crush", "openclaw", "pi", "grok", "other"])
def test_for_a_client_that_would_throw_it_away_nothing_may_be_claimed(agent):
    assert not injects(agent, "session-start")
