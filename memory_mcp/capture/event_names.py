"""The events of a session under one name each, whatever the client calls them."""

from __future__ import annotations

OTHER = "other"

IMPORTANCE = {
    "session-start": 7,
    "user-prompt": 8,
    "pre-tool-use": 5,
    "post-tool-use": 5,
    "pre-compact": 6,
    "post-compaction": 6,
    "notification": 3,
    "stop": 6,
    "session-end": 7,
    OTHER: 3,
}
"""The kinds of what is recorded, and how much each matters, from 1 to 10."""

TOOL_EVENTS = ("pre-tool-use", "post-tool-use")
SUBAGENT_PROMPT = "subagent-prompt"
"""Codex tells of it as if it were a prompt of the person; an agent wrote it."""
SUBAGENT_EVENTS = ("subagent-start", SUBAGENT_PROMPT, "subagent-stop")
"""Kept as `other`: what an agent of an agent does is none of the session's own steps."""

_SPELLINGS = {
    "session-start": "SessionStart on_session_start agentSpawn PreInvocation",
    "user-prompt": "UserPrompt UserPromptSubmit beforeSubmitPrompt BeforeAgent before_prompt_build",
    "pre-tool-use": "PreToolUse BeforeTool before_tool_call",
    "post-tool-use": "PostToolUse PostToolUseFailure AfterTool after_tool_call post_tool_call",
    "pre-compact": "PreCompact PreCompress before_compact before_compaction",
    "post-compaction": "PostCompaction PostCompact",
    "notification": "Notification",
    "stop": "Stop AfterAgent agent_end",
    "session-end": "SessionEnd on_session_end",
    "subagent-start": "SubagentStart specialistStart",
    SUBAGENT_PROMPT: "",
    "subagent-stop": "SubagentStop SubagentEnd specialistStop",
}
_MAX_TOKEN = 128
_MAX_NAMESPACE = 64


def _bare(spelling: str) -> str:
    return spelling.replace("_", "").replace("-", "").lower()


_NAMES = {_bare(each): name for name, spellings in _SPELLINGS.items() for each in (name, *spellings.split())}


def event_name(text: str) -> str:
    """The canonical name of an event, also of a subagent's; `other` if it is not known."""
    return _NAMES.get(_bare(text.strip()), OTHER)


def is_failure(text: str) -> bool:
    """Whether the client's name of the event says that a tool failed."""
    return _bare(text.strip()) == "posttoolusefailure"


def extension_event(namespace: str, source_event: str, event: str) -> tuple[str, str]:
    """The namespace of an extension and its own name for the event; two blanks if either is no token.

    Without `source_event` an `event` that is not known is the name.
    """
    name = source_event or (event if event_name(event) == OTHER else "")
    if _is_token(namespace, _MAX_NAMESPACE) and _is_token(name, _MAX_TOKEN):
        return namespace, name
    return "", ""


def _is_token(text: str, limit: int) -> bool:
    bare = text
    for mark in "._-:":
        bare = bare.replace(mark, "")
    return 0 < len(text) <= limit and text.isascii() and (not bare or bare.isalnum())
