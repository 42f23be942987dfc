"""What a hook prints: each client expects its own form, and one of the wrong form may stop it."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_AT_START = "claude-code codex devin command-code zcode gemini-cli cursor kiro-cli antigravity-cli"
_AT_PROMPT = "claude-code codex kimi-code"
_INJECTING = {"session-start": _AT_START.split(), "user-prompt": _AT_PROMPT.split()}
"""The clients that show their model what a hook of this event prints. For others nothing must be claimed."""

_EVENT_NAMES = {"session-start": "SessionStart", "user-prompt": "UserPromptSubmit"}
_PLAIN_TEXT = ("kiro-cli", "kimi-code")
"""Their model reads stdout as it is: an empty object would become part of the prompt."""

_SILENT = ("pre-compact", "post-compaction")
"""What Claude Code hears at these becomes an instruction for the summary, and a line in the conversation."""


def injects(agent: str, event: str) -> bool:
    """Whether the client passes on what the hook of this event answers."""
    return agent in _INJECTING.get(event, ())


def hook_answer(agent: str, event: str, context: str = "") -> str:
    """What the hook of this event prints, with `context` for the model, "" for none."""
    context = context if injects(agent, event) else ""
    if agent in _PLAIN_TEXT:
        return context
    if agent == "antigravity-cli":
        if event == "pre-tool-use":
            return '{"decision": "allow"}\n'
        return json.dumps({"injectSteps": [{"ephemeralMessage": context}]}) + "\n" if context else "{}\n"
    if agent == "claude-code" and event in _SILENT:
        return ""
    if not context:
        return "{}\n"
    answer: dict[str, Any] = {
        "hookSpecificOutput": {"hookEventName": _EVENT_NAMES[event], "additionalContext": context}
    }
    if agent == "cursor":
        answer["additional_context"] = context  # its own name for it
    return json.dumps(answer) + "\n"
