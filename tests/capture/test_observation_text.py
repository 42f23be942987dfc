"""What is recorded of each event."""

import pytest

from memory_mcp.capture.observation_text import (
    MAX_BODY_BYTES,
    MAX_SHORT_BYTES,
    assistant_text,
    long_text,
    observation_text,
    outcome_of,
    prompt_text,
)
from memory_mcp.capture.sanitizer import REPLACEMENT, Sanitizer

CLEAN = Sanitizer().clean
KEY = "sk-" + "Ab3dE5gH" * 4


def recorded(kind, payload, agent="claude-code", tool=None, **how):
    text = observation_text(kind, agent, payload, tool or {}, CLEAN, **how)
    return text.title, text.body


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        ("session-start", {"model": "a-model", "title": "x"}, ("a-model", "")),
        ("session-start", {"title": "a title\nmore"}, ("a title", "")),
        ("notification", {"message": "needs you\nnow"}, ("needs you", "needs you\nnow")),
        ("post-compaction", {"summary": "what was done"}, ("what was done", "what was done")),
        ("post-compaction", {"compact_summary": "done"}, ("done", "done")),
        ("stop", {"last_assistant_message": "Done."}, ("", "")),
        ("pre-compact", {"trigger": "auto", "custom_instructions": "keep"}, ("", "")),
        ("session-end", {"reason": "exit"}, ("", "")),
        ("other", {"title": "t", "body": "b"}, ("", "")),
    ],
)
def test_each_kind_of_event_has_its_title_and_body(kind, payload, expected):
    assert recorded(kind, payload) == expected


def test_an_event_of_an_extension_is_told_in_its_own_words():
    payload = {"subject": "Review done", "details": "two remarks"}
    assert recorded("other", payload, source_event="review.done") == ("Review done", "two remarks")
    assert recorded("other", {}, source_event="review.done") == ("review.done", "")


def test_a_prompt_may_come_as_blocks():
    assert prompt_text({"prompt": [{"type": "text", "text": "a"}, {"text": "b"}]}, CLEAN) == "a\nb"
    assert prompt_text({"message": "hello"}, CLEAN) == "hello"
    assert prompt_text({"prompt": 7.5}, CLEAN) == "7.5"
    assert prompt_text({}, CLEAN) == ""


def test_a_long_prompt_keeps_both_ends():
    text = long_text("Begin\n" + "x" * 40_000 + "\nend")
    assert text.title == "Begin"
    assert len(text.body.encode()) <= MAX_BODY_BYTES
    assert text.body.startswith("Begin\n")
    assert text.body.endswith("\nend")


def test_a_tool_call_is_told_without_what_it_was_given():
    payload = {"tool_name": "Bash", "tool_input": {"command": "cat /etc/passwd"}, "tool_response": "root"}
    tool = {"family": "non-file", "call": "t1", "outcome": "unknown"}
    assert recorded("pre-tool-use", payload, tool=tool) == (
        "tool non-file",
        "tool_family: non-file\ntool_call_id: t1",
    )
    assert recorded("post-tool-use", payload, tool=tool) == (
        "tool non-file",
        "tool_family: non-file\ntool_call_id: t1\noutcome: unknown\n---\nroot",
    )
    assert recorded("post-tool-use", payload, tool=tool, metadata_only=True) == (
        "tool non-file",
        "tool_family: non-file\ntool_call_id: t1\noutcome: unknown",
    )


@pytest.mark.parametrize(
    ("agent", "payload", "output"),
    [
        ("claude-code", {"tool_response": {"stdout": "a", "code": 0}}, '{"stdout":"a","code":0}'),
        ("claude-code", {"tool_response": "", "error": "failed"}, "failed"),
        ("claude-code", {}, "(no output)"),
        ("cursor", {"tool_output": "a"}, "a"),
        ("pi", {"result": [{"type": "text", "text": "a"}]}, "a"),
        ("codex", {"tool_response": {"content": "a"}}, "a"),
        ("codex", {"payload": {"tool_response": "a"}, "output": "b"}, "(no output)"),
        ("hermes", {"extra": {"result": "", "error_message": "a"}}, "a"),
        ("copilot-cli", {"tool_result": {"text_result_for_llm": "a", "more": "b"}}, "a"),
    ],
)
def test_what_a_tool_answered_is_read_as_the_client_tells_it(agent, payload, output):
    _, body = recorded("post-tool-use", payload, agent, {"family": "file", "outcome": "unknown"})
    assert body.partition("\n---\n")[2] == output


def test_of_an_unknown_tool_no_output_and_of_an_unknown_client_nothing_is_recorded():
    payload = {"tool_response": "a page of this memory"}
    title, body = recorded("post-tool-use", payload, tool={"family": "unknown", "outcome": "unknown"})
    assert (title, body) == ("tool unknown", "tool_family: unknown\noutcome: unknown")
    assert recorded("post-tool-use", payload, "gemini-cli", {}) == ("", "")


@pytest.mark.parametrize("shift", range(0, 40, 3))
@pytest.mark.parametrize(
    ("kind", "limit"),
    [("user-prompt", MAX_BODY_BYTES), ("notification", 80), ("notification", MAX_SHORT_BYTES)],
)
def test_a_secret_across_a_cap_is_gone_before_the_cut(kind, limit, shift):
    text = "x" * (limit - 20 - shift) + f" {KEY} " + "y" * limit
    for each in (text, text[::-1].replace(KEY[::-1], KEY)):
        payload = {"prompt": each, "message": each}
        if kind == "user-prompt":
            found = long_text(prompt_text(payload, CLEAN))
            title, body = found.title, found.body
        else:
            title, body = recorded(kind, payload)
        assert "sk-" not in title + body
        assert KEY[4:10] not in title + body


def test_a_secret_of_several_lines_does_not_reach_the_title():
    pem = "-----BEGIN PRIVATE KEY-----\n" + "QUJD" * 16 + "\n-----END PRIVATE KEY-----"
    assert long_text(CLEAN(pem)).title == REPLACEMENT
    assert recorded("notification", {"message": pem}) == (REPLACEMENT, REPLACEMENT)


def test_an_answer_of_the_agent_is_cleaned_and_cut():
    text = assistant_text({"last_assistant_message": f"Set {KEY}\n" + "x" * 5_000}, CLEAN)
    assert text.startswith(f"Set {REPLACEMENT}\nxx")
    assert len(text.encode()) == MAX_SHORT_BYTES


@pytest.mark.parametrize(
    ("agent", "payload", "failed", "outcome"),
    [
        ("claude-code", {"tool_response": "ok", "error": "x"}, False, "unknown"),
        ("claude-code", {}, True, "error"),
        ("pi", {"isError": True}, False, "error"),
        ("pi", {"isError": False}, False, "success"),
        ("pi", {"isError": "no"}, False, "unknown"),
        ("kiro-cli", {"tool_response": {"success": True}}, False, "success"),
        ("kiro-cli", {"tool_response": {"success": False}}, False, "error"),
        ("kiro-cli", {"tool_response": "true"}, False, "unknown"),
        ("antigravity-cli", {"error": "x"}, False, "error"),
        ("antigravity-cli", {"error": ""}, False, "unknown"),
    ],
)
def test_an_outcome_is_told_only_where_the_client_proves_it(agent, payload, failed, outcome):
    assert outcome_of(agent, payload, failed) == outcome
