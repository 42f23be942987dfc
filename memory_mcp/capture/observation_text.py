"""Title and body of what is recorded of an event: cleaned first, then cut.

Of a tool call only its family is recorded, and of its result what came out; never its arguments.
"""

from __future__ import annotations

from memory_mcp.capture.agent_names import CLOSED
from memory_mcp.capture.payload import first_text, first_value, flatten
from memory_mcp.capture.text_cap import cap_end, cap_middle, cap_title
from memory_mcp.capture.tool_family import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_BODY_BYTES = 16_384
MAX_SHORT_BYTES = 2_000
MAX_CLEANED_CHARS = 262_144
"""Of a longer text only the beginning is looked at: cleaning 20 MB would hold up the agent."""
_EDGE_CHARS = 8_192
"""What is dropped before such a cut, where a secret may have lost its second half."""

NO_OUTPUT = "(no output)"

_PROMPT = ("prompt", "message", "text")
_NOTE = ("message", "text")
_EXTENSION_TITLE = ("title", "summary", "subject", "name")
_EXTENSION_BODY = ("body", "message", "text", "description", "summary", "details")
_OUTPUT = ("tool_response", "tool_output", "output", "result", "error")


class ObservationText:
    """Title and body, both clean, "" where nothing is recorded."""

    __slots__ = ("body", "title")

    def __init__(self, title: str = "", body: str = "") -> None:
        self.title = title
        self.body = body


def observation_text(
    kind: str,
    agent: str,
    payload: Mapping[str, Any],
    tool: Mapping[str, str],
    clean: Callable[[str], str],
    source_event: str = "",
) -> ObservationText:
    """What is recorded of an event of this kind; `source_event` where it is one of an extension."""
    if kind == "session-start":
        return _of(clean, first_text(payload, ("model", "title")), "", 0)
    if kind == "user-prompt":
        text = first_text(payload, _PROMPT)
        return _of(clean, text, text, MAX_BODY_BYTES)
    if kind == "notification":
        text = first_text(payload, _NOTE)
        return _of(clean, text, text, MAX_SHORT_BYTES)
    if kind == "post-compaction":
        text = first_text(payload, ("summary", "compact_summary"))
        return _of(clean, text, text, MAX_BODY_BYTES)
    if kind in ("pre-tool-use", "post-tool-use"):
        return _of_tool(kind, agent, payload, tool, clean)
    if source_event:
        title = first_text(payload, _EXTENSION_TITLE) or source_event
        return _of(clean, title, first_text(payload, _EXTENSION_BODY), MAX_SHORT_BYTES)
    return ObservationText()


def clean_text(text: str, clean: Callable[[str], str]) -> str:
    """The text without secrets; of one that is very long, its beginning."""
    if len(text) <= MAX_CLEANED_CHARS:
        return clean(text)
    return clean(text[:MAX_CLEANED_CHARS])[:-_EDGE_CHARS]


def _of(clean: Callable[[str], str], title: str, body: str, limit: int) -> ObservationText:
    # The title's line is cleaned as part of the whole text: alone it may lack what marks a secret.
    whole = clean_text(title, clean)
    text = whole if body is title else clean_text(body, clean)
    cap = cap_middle if limit == MAX_BODY_BYTES else cap_end
    return ObservationText(cap_title(whole), cap(text, limit) if text else "")


def _of_tool(
    kind: str, agent: str, payload: Mapping[str, Any], tool: Mapping[str, str], clean: Callable[[str], str]
) -> ObservationText:
    if agent not in CLOSED:
        return ObservationText()  # its payload has no shape that we know, so anything could be in it
    family = tool.get("family", UNKNOWN)
    lines = [f"tool_family: {family}"]
    if tool.get("call"):
        lines.append(f"tool_call_id: {tool['call']}")
    if kind == "post-tool-use":
        lines.append(f"outcome: {tool.get('outcome', 'unknown')}")
        if family != UNKNOWN:
            output = clean_text(_output(agent, payload), clean)
            lines += ["---", output or NO_OUTPUT]
    return ObservationText(f"tool {family}", cap_end("\n".join(lines), MAX_SHORT_BYTES))


def _output(agent: str, payload: Mapping[str, Any]) -> str:
    if agent == "codex":
        return flatten(payload.get("tool_response"))
    if agent == "hermes" and isinstance(payload.get("extra"), dict):
        extra = payload["extra"]
        return flatten(extra.get("result")) or flatten(extra.get("error_message"))
    if agent == "copilot-cli" and isinstance(payload.get("tool_result"), dict):
        return flatten(payload["tool_result"].get("text_result_for_llm"))
    return flatten(first_value(payload, _OUTPUT))
