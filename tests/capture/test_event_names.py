"""Events under one name each."""

import pytest

from memory_mcp.capture.event_names import IMPORTANCE, SUBAGENT_EVENTS, event_name, extension_event

SPELLINGS = {
    "session-start": ("session_start", "SessionStart", "sessionStart", "on_session_start", "agentSpawn"),
    "user-prompt": (
        *("user_prompt", "user-prompt-submit", "user_prompt_submit", "UserPromptSubmit"),
        *("userPromptSubmit", "beforeSubmitPrompt"),
    ),
    "pre-tool-use": ("pre_tool_use", "PreToolUse", "preToolUse", "BeforeTool", "beforeTool"),
    "post-tool-use": (
        *("post_tool_use", "PostToolUse", "postToolUse", "PostToolUseFailure"),
        *("postToolUseFailure", "AfterTool", "afterTool", "post_tool_call"),
    ),
    "pre-compact": ("pre_compact", "PreCompact", "preCompact", "PreCompress", "before_compaction"),
    "post-compaction": ("post_compaction", "PostCompaction", "PostCompact"),
    "notification": ("Notification",),
    "stop": ("Stop", "agent_end"),
    "session-end": ("session_end", "SessionEnd", "sessionEnd", "on_session_end"),
    "subagent-start": ("subagent_start", "SubagentStart", "subagentStart", "specialistStart"),
    "subagent-prompt": ("SubagentPrompt",),
    "subagent-stop": ("subagent_stop", "SubagentStop", "subagentStop", "subagent-end", "SubagentEnd"),
    "other": ("", "FileChanged", "an event of tomorrow"),
}


@pytest.mark.parametrize(
    ("spelling", "name"), [(each, name) for name, all_ in SPELLINGS.items() for each in (name, *all_)]
)
def test_an_event_has_one_name_whatever_the_client_calls_it(spelling, name):
    assert event_name(spelling) == name


def test_each_kind_has_an_importance():
    assert set(IMPORTANCE) | set(SUBAGENT_EVENTS) == set(SPELLINGS)
    assert all(1 <= importance <= 10 for importance in IMPORTANCE.values())


def test_an_extension_keeps_its_own_name_for_the_event():
    assert extension_event("my-tool", "review.done", "stop") == ("my-tool", "review.done")
    assert extension_event("my-tool", "", "review.done") == ("my-tool", "review.done")


@pytest.mark.parametrize(
    ("namespace", "source_event", "event"),
    [
        ("", "done", "x"),
        ("my tool", "done", "x"),
        ("my-tool", "dö", "x"),
        ("my-tool", "", "stop"),
        ("my-tool", "", ""),
        ("n" * 65, "done", "x"),
        ("my-tool", "e" * 129, "x"),
        ("my-tool", "a\nb", "x"),
    ],
)
def test_what_is_no_token_is_no_extension(namespace, source_event, event):
    assert extension_event(namespace, source_event, event) == ("", "")
