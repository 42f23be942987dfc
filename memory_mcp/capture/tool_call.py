"""A tool call as a client tells it: which tool, with what, by which id."""

from __future__ import annotations

import os
import re

from memory_mcp.capture.payload import first_text, first_value
from memory_mcp.capture.tool_family import tool_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_CALL_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")
_PATH_KEYS = ("file_path", "filePath", "path", "absolute_path", "AbsolutePath", "notebook_path", "TargetFile")
_PATCH_KEYS = ("command", "input", "patch", "patchText")
_PATCHED = r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+?)[ \t\r]*$"
_MAX_PATCH_CHARS = 10_000
_MAX_PATH_CHARS = 4_096


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

    def file(self, cwd: str, root: str) -> str:
        """The file that the tool works on, from the folder `root`; "" for none, and for one outside of it."""
        path = first_text(self.arguments, _PATH_KEYS)
        if not path and self.name.strip().lower() == "apply_patch":
            patched = re.search(_PATCHED, first_text(self.arguments, _PATCH_KEYS)[:_MAX_PATCH_CHARS])
            path = patched[1] if patched else ""
        if not path or "\0" in path or len(path) > _MAX_PATH_CHARS:
            return ""
        try:
            inside = os.path.relpath(os.path.realpath(os.path.join(cwd, path)), os.path.realpath(root))
        except (OSError, ValueError):
            return ""
        if inside in (".", "..") or inside.startswith(f"..{os.sep}") or os.path.isabs(inside):
            return ""
        return inside.replace(os.sep, "/")
