"""The entry of the spool for one event: everything in it clean and cut, and only what is known."""

from __future__ import annotations

import os
import re

from memory_mcp.capture.agent_names import CLOSED
from memory_mcp.capture.event_names import OTHER, SUBAGENT_EVENTS
from memory_mcp.capture.folder_marker import checkout_root
from memory_mcp.capture.observation_text import (
    ObservationText,
    assistant_text,
    long_text,
    observation_text,
    outcome_of,
)
from memory_mcp.capture.payload import first_text
from memory_mcp.capture.spool import FORMAT
from memory_mcp.capture.text_cap import cap_title
from memory_mcp.capture.tool_paths import file_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memory_mcp.capture.hook_event import Taken
    from memory_mcp.capture.tool_call import ToolCall

_MAX_NAME_CHARS = 100
_MAX_REASON_CHARS = 40
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"


class EntryOptions:
    """What is recorded here beyond the rule: `details` names tools and files, `assistant` answers.

    With `metadata_only` not even what a tool answered is recorded.
    """

    __slots__ = ("assistant", "details", "metadata_only")

    def __init__(
        self, *, details: bool = False, assistant: bool = False, metadata_only: bool = False
    ) -> None:
        self.details = details and not metadata_only
        self.assistant = assistant
        self.metadata_only = metadata_only


def spool_entry(
    taken: Taken,
    payload: Mapping[str, Any],
    call: ToolCall | None,
    options: EntryOptions,
    scope: str,
    clean: Callable[[str], str],
) -> dict[str, Any]:
    """The entry without the time at which it is made.

    `call` is that of a tool event; `scope` what a marker says, "" for nothing.
    """
    is_extension = bool(taken.extension)
    kind = OTHER if is_extension or taken.event in SUBAGENT_EVENTS else taken.event
    tool = _tool(taken, payload, call, options, clean) if call else {}
    text = _text(taken, kind, payload, tool, options, clean)
    subagent_event = taken.event if taken.event in SUBAGENT_EVENTS else ""
    entry: dict[str, Any] = {
        "v": FORMAT,
        "key": _call_key(taken, call.id) if call and call.id else new_key(),
        "created": "",
        "event": taken.event,
        "agent": taken.agent,
        "native_id": taken.native_id,
        "cwd": clean(taken.cwd),
        "scope": scope,
        "scope_source": "marker" if scope else "",
        "caller": clean(taken.caller),
        "kind": kind,
        "title": text.title,
        "body": text.body,
        "extension": taken.extension,
        "source_event": taken.source_event or subagent_event,
        "tool": tool,
        "start": taken.start,
        "reason": _reason(taken, payload, clean),
        "subagent": is_of_subagent(taken.event, payload),
        "managed_run": taken.run if re.match(_UUID, taken.run) else "",
    }
    known = {
        name: value for name, value in entry.items() if name == "created" or value not in ("", {}, False)
    }
    return {**known, "attempts": 0}


def is_of_subagent(event: str, payload: Mapping[str, Any]) -> bool:
    """Whether the event belongs to an agent that another agent started."""
    named = any(isinstance(payload.get(key), str) and payload[key] for key in ("agent_id", "subagentType"))
    return named or event in SUBAGENT_EVENTS


def new_key() -> str:
    """The hex digits of a random UUID, version 4 of RFC 9562."""
    random = bytearray(os.urandom(16))
    random[6] = random[6] & 0x0F | 0x40
    random[8] = random[8] & 0x3F | 0x80
    return random.hex()


def _call_key(taken: Taken, call: str) -> str:
    """The same for the same tool call, so that hooks that are installed twice count once."""
    import hashlib  # noqa: PLC0415 - 2 ms, which few events need

    text = f"{taken.agent}\n{taken.native_id}\n{taken.event}\n{call}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _text(
    taken: Taken,
    kind: str,
    payload: Mapping[str, Any],
    tool: Mapping[str, str],
    options: EntryOptions,
    clean: Callable[[str], str],
) -> ObservationText:
    if kind == "user-prompt":
        return long_text(taken.prompt)
    if kind == "stop" and options.assistant:
        return ObservationText("", assistant_text(payload, clean))
    source_event = taken.source_event if taken.extension else ""
    return observation_text(
        kind, taken.agent, payload, tool, clean, source_event, metadata_only=options.metadata_only
    )


def _tool(
    taken: Taken,
    payload: Mapping[str, Any],
    call: ToolCall,
    options: EntryOptions,
    clean: Callable[[str], str],
) -> dict[str, str]:
    if taken.agent not in CLOSED or not call.name:
        return {}
    tool = {"family": call.family}
    if call.id and clean(call.id) == call.id:
        tool["call"] = call.id
    if taken.event == "post-tool-use":
        tool["outcome"] = outcome_of(taken.agent, payload, taken.has_failed)
    if options.details:
        tool["name"] = cap_title(clean(call.name), _MAX_NAME_CHARS)
        if path := file_of(call, taken.cwd, checkout_root(taken.cwd) or taken.cwd):
            tool["path"] = clean(path)
    return tool


def _reason(taken: Taken, payload: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    if taken.event != "session-end":
        return ""
    return cap_title(clean(first_text(payload, ("reason",))), _MAX_REASON_CHARS)
