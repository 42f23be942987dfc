"""Title and body of what is recorded of an event: cleaned first, then cut.

Of a tool call only its family is recorded, and of its result what came out; never its arguments.
"""

from __future__ import annotations

from memory_mcp.capture.agent_names import CLOSED
from memory_mcp.capture.clean_flat import START_CHARS, WHOLE_CHARS, clean_flat
from memory_mcp.capture.payload import first_text, first_value
from memory_mcp.capture.text_cap import cap_end, cap_middle, cap_title
from memory_mcp.capture.tool_family import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_BODY_BYTES = 16_384
MAX_SHORT_BYTES = 2_000

NO_OUTPUT = "(no output)"

_PROMPT = ("prompt", "message", "text")
_NOTE = ("message", "text")
_SUMMARY = ("summary", "compact_summary")
_EXTENSION_TITLE = ("title", "summary", "subject", "name")
_EXTENSION_BODY = ("body", "message", "text", "description", "summary", "details")
_OUTPUT = ("tool_response", "tool_output", "output", "result", "error")


class ObservationText:
    """Title and body, both clean, "" where nothing is recorded."""

    __slots__ = ("body", "title")

    def __init__(self, title: str = "", body: str = "") -> None:
        self.title = title
        self.body = body


def prompt_text(payload: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    """What the person said, clean and, up to a size that no model reads, whole."""
    return clean_flat(first_value(payload, _PROMPT), clean, WHOLE_CHARS)


def long_text(text: str) -> ObservationText:
    """What is recorded of a clean text of which beginning and end matter."""
    return ObservationText(cap_title(text), cap_middle(text, MAX_BODY_BYTES))


def observation_text(
    kind: str,
    agent: str,
    payload: Mapping[str, Any],
    tool: Mapping[str, str],
    clean: Callable[[str], str],
    source_event: str = "",
    *,
    metadata_only: bool = False,
) -> ObservationText:
    """What is recorded of an event of this kind; `source_event` where it is one of an extension.

    With `metadata_only` not what a tool answered.
    """
    if kind == "session-start":
        return ObservationText(cap_title(_short(payload, ("model", "title"), clean)))
    if kind == "post-compaction":
        return long_text(clean_flat(first_value(payload, _SUMMARY), clean, WHOLE_CHARS))
    if kind == "notification":
        text = _short(payload, _NOTE, clean)
        return ObservationText(cap_title(text), cap_end(text, MAX_SHORT_BYTES))
    if kind in ("pre-tool-use", "post-tool-use"):
        if agent not in CLOSED:
            return ObservationText()  # its payload has no shape that we know, so anything could be in it
        lines = _tool_lines(kind, tool)
        if kind == "post-tool-use" and tool.get("family", UNKNOWN) != UNKNOWN and not metadata_only:
            lines += ["---", clean_flat(_output(agent, payload), clean, START_CHARS) or NO_OUTPUT]
        return ObservationText(
            f"tool {tool.get('family', UNKNOWN)}", cap_end("\n".join(lines), MAX_SHORT_BYTES)
        )
    if source_event:
        title = _short(payload, _EXTENSION_TITLE, clean) or source_event
        return ObservationText(
            cap_title(title), cap_end(_short(payload, _EXTENSION_BODY, clean), MAX_SHORT_BYTES)
        )
    return ObservationText()


def assistant_text(payload: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    """The beginning of what the agent answered in this turn."""
    return cap_end(_short(payload, ("last_assistant_message",), clean), MAX_SHORT_BYTES)


def _short(payload: Mapping[str, Any], keys: tuple[str, ...], clean: Callable[[str], str]) -> str:
    return clean_flat(first_value(payload, keys), clean, START_CHARS)


def _tool_lines(kind: str, tool: Mapping[str, str]) -> list[str]:
    lines = [f"tool_family: {tool.get('family', UNKNOWN)}"]
    if tool.get("call"):
        lines.append(f"tool_call_id: {tool['call']}")
    if kind == "post-tool-use":
        lines.append(f"outcome: {tool.get('outcome', 'unknown')}")
    return lines


def _output(agent: str, payload: Mapping[str, Any]) -> Any:
    if agent == "codex":
        return payload.get("tool_response")
    if agent == "hermes" and isinstance(payload.get("extra"), dict):
        extra = payload["extra"]
        return extra.get("result") or extra.get("error_message")
    if agent == "copilot-cli" and isinstance(payload.get("tool_result"), dict):
        return payload["tool_result"].get("text_result_for_llm")
    return first_value(payload, _OUTPUT)


def outcome_of(agent: str, payload: Mapping[str, Any], failed: bool) -> str:
    """How a tool call ended, as far as the client's protocol proves it; `failed` if the event says so."""
    if failed:
        return "error"
    if agent in ("pi", "omp") and isinstance(payload.get("isError"), bool):
        return "error" if payload["isError"] else "success"
    response = payload.get("tool_response")
    if agent == "kiro-cli" and isinstance(response, dict) and isinstance(response.get("success"), bool):
        return "success" if response["success"] else "error"
    if agent == "antigravity-cli":
        return "error" if first_text(payload, ("error",)) else "unknown"
    return "unknown"
