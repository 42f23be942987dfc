"""A tool call as a client tells it: which tool, with what, by which id."""

from __future__ import annotations

import re

from memory_mcp.capture.payload import first_text, first_value
from memory_mcp.capture.tool_family import tool_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_CALL_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")


class ToolCall:
    """What the payload of a tool event says of the call; `id` is "" unless it is a plain word."""

    __slots__ = ("arguments", "family", "id", "name")

    def __init__(self, payload: Mapping[str, Any]) -> None:
        nested = payload.get("toolCall")
        nested = nested if isinstance(nested, dict) else {}
        self.name = first_text(payload, ("tool_name", "toolName", "tool")) or first_text(nested, ("name",))
        self.family = tool_family(self.name)
        call = first_text(
            payload, ("tool_use_id", "tool_call_id", "call_id", "callId", "callID", "toolCallId")
        )
        self.id = call if _CALL_ID.match(call) else ""
        given = first_value(payload, ("tool_input", "toolInput", "args", "input")) or nested.get("args")
        self.arguments: Mapping[str, Any] = given if isinstance(given, dict) else {}
