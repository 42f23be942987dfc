"""Taking in one event of a client: read, judged by the capture policy, cleaned, cut, spooled.

    stdin -> payload -> policy -> clean -> cut -> one file in the spool

Nothing is written before the policy has spoken, and nothing that was not cleaned.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys

from memory_mcp.capture.agent_names import CLOSED, agent_name
from memory_mcp.capture.event_names import OTHER, SUBAGENT_START, SUBAGENT_STOP, event_name, extension_event
from memory_mcp.capture.folder_marker import FolderMarker, checkout_root, find_marker
from memory_mcp.capture.hook_arguments import HookArguments
from memory_mcp.capture.hook_settings import ALLOWLIST, BadSettings, HookSettings, read_settings
from memory_mcp.capture.observation_text import MAX_SHORT_BYTES, clean_text, observation_text
from memory_mcp.capture.payload import (
    NotAPayload,
    first_text,
    first_value,
    folder_of,
    read_payload,
    session_of,
)
from memory_mcp.capture.spool import FORMAT, Spool, now_milliseconds, time_text
from memory_mcp.capture.text_cap import cap_end, cap_title
from memory_mcp.capture.tool_family import tool_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

DATA_DIR_VARIABLE = "MEMORY_MCP_DATA_DIR"

_CALL_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")
_MAX_ID_CHARS = 200
_MAX_NAME_CHARS = 100
_OFF_FILE = "state/capture-off"
_STARTS = ("startup", "resume", "clear", "compact", "fork")
_TOOL_EVENTS = ("pre-tool-use", "post-tool-use")


class Taken:
    """An event as it was understood, recorded or not; what is not known is ""."""

    __slots__ = (
        *("agent", "caller", "cwd", "data_dir", "event", "is_recorded", "native_id", "problem", "prompt"),
        *("start", "wants_recall"),
    )

    def __init__(self, event: str, agent: str, data_dir: str, caller: str) -> None:
        self.event = event
        self.agent = agent
        self.data_dir = data_dir
        self.caller = caller
        self.native_id = ""
        self.cwd = ""
        self.start = ""
        self.prompt = ""
        self.wants_recall = False
        self.is_recorded = False
        self.problem = ""


def take(
    arguments: Sequence[str],
    data: bytes,
    environ: Mapping[str, str],
    clock: Callable[[], int] = now_milliseconds,
) -> Taken:
    """Take in the event that `data`, the client's JSON, describes; it never raises for what it is given.

    The data dir is named by an argument or by `DATA_DIR_VARIABLE` of `environ`.
    `clock` gives milliseconds since 1970.
    """
    given = HookArguments(arguments)
    taken = Taken(
        event_name(given.event),
        agent_name(given.agent),
        _data_dir(given, environ),
        given.caller or environ.get("MEMORY_MCP_CALLER", ""),
    )
    try:
        payload = read_payload(data)
        if first_text(payload, ("cursor_version",)):
            taken.agent = "cursor"  # it runs the hooks of Claude Code too
        _understand(taken, payload, environ)
        settings = read_settings(taken.data_dir, environ)
        _record(taken, given, payload, settings, environ, clock)
    except (NotAPayload, BadSettings) as error:
        taken.problem = f"nothing was recorded: {error}"
    except OSError as error:
        taken.problem = f"the event was not recorded: {error.strerror or error}"
    return taken


def _data_dir(given: HookArguments, environ: Mapping[str, str]) -> str:
    return os.path.abspath(os.path.expanduser(given.data_dir or environ[DATA_DIR_VARIABLE]))


def _understand(taken: Taken, payload: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    taken.native_id = session_of(payload).strip()[:_MAX_ID_CHARS]
    folder = folder_of(payload) or environ.get("CLAUDE_PROJECT_DIR", "") or os.getcwd()
    taken.cwd = os.path.abspath(folder) if "\0" not in folder else ""
    if taken.event == "session-start":
        source = first_text(payload, ("source",)).strip().lower()
        taken.start = source if source in _STARTS else "startup"


def _record(
    taken: Taken,
    given: HookArguments,
    payload: Mapping[str, Any],
    settings: HookSettings,
    environ: Mapping[str, str],
    clock: Callable[[], int],
) -> None:
    from memory_mcp.capture.sanitizer import Sanitizer  # noqa: PLC0415 - what is dropped needs none

    clean = Sanitizer(settings.extra_patterns, settings.allowlist).clean
    if taken.event == "user-prompt":
        taken.prompt = clean_text(first_text(payload, ("prompt", "message", "text")), clean)
        taken.wants_recall = given.recall or settings.recall
    if environ.get("MEMORY_MCP_CAPTURE_OWNER", "").strip() or not taken.native_id:
        return
    if taken.event == "user-prompt" and not given.capture_prompts:
        return
    marker = find_marker(taken.cwd, os.path.realpath(environ.get("HOME") or os.path.expanduser("~")))
    if (settings.mode == ALLOWLIST and not marker.folder) or _is_off(taken):
        return
    entry = _entry(taken, given, payload, settings, marker, clean, environ)
    if entry is None:
        return
    created = clock()
    entry["created"] = time_text(created)
    Spool(f"{taken.data_dir}/spool").put(entry, created)
    taken.is_recorded = True


def _is_off(taken: Taken) -> bool:
    """Whether a person turned recording off for this folder or one above it."""
    try:
        with open(f"{taken.data_dir}/{_OFF_FILE}", encoding="utf-8", errors="surrogateescape") as file:
            folders = file.read().splitlines()
    except OSError:
        return False
    return any(taken.cwd == each or taken.cwd.startswith(each.rstrip("/") + "/") for each in folders if each)


def _entry(
    taken: Taken,
    given: HookArguments,
    payload: Mapping[str, Any],
    settings: HookSettings,
    marker: FolderMarker,
    clean: Callable[[str], str],
    environ: Mapping[str, str],
) -> dict[str, Any] | None:
    subagent = bool(first_text(payload, ("agent_id", "subagentType"))) or taken.event in (
        SUBAGENT_START,
        SUBAGENT_STOP,
    )
    if subagent and marker.drop_subagents:
        return None
    kind = taken.event
    extension, source_event = extension_event(given.extension, given.source_event, given.event)
    if extension or kind in (SUBAGENT_START, SUBAGENT_STOP):
        source_event = source_event or kind
        kind = OTHER
    tool = _tool(taken, payload, settings, clean) if kind in _TOOL_EVENTS else {}
    text = observation_text(kind, taken.agent, payload, tool, clean, source_event if extension else "")
    body = text.body
    if kind == "stop" and given.capture_assistant and settings.assistant:
        body = cap_end(clean_text(first_text(payload, ("last_assistant_message",)), clean), MAX_SHORT_BYTES)
    reason = cap_title(clean(first_text(payload, ("reason",))), 40) if kind == "session-end" else ""
    entry: dict[str, Any] = {
        "v": FORMAT,
        "key": _key(taken, payload),
        "created": "",
        "event": taken.event,
        "agent": taken.agent,
        "native_id": taken.native_id,
        "cwd": clean(taken.cwd),
        "scope": marker.scope,
        "scope_source": "marker" if marker.scope else "",
        "caller": taken.caller,
        "kind": kind,
        "title": text.title,
        "body": body,
        "extension": extension,
        "source_event": source_event,
        "tool": tool,
        "start": taken.start,
        "reason": reason,
        "subagent": subagent,
        "managed_run": _managed_run(environ),
    }
    found = {
        name: value for name, value in entry.items() if name == "created" or value not in ("", {}, False)
    }
    return {**found, "attempts": 0}


def _tool(
    taken: Taken, payload: Mapping[str, Any], settings: HookSettings, clean: Callable[[str], str]
) -> dict[str, str]:
    name = first_text(payload, ("tool_name", "toolName", "tool"))
    if taken.agent not in CLOSED or not name:
        return {}
    tool = {"family": tool_family(name)}
    call = first_text(payload, ("tool_use_id", "tool_call_id", "call_id", "callId"))
    if _CALL_ID.match(call):
        tool["call"] = call
    if taken.event == "post-tool-use":
        tool["outcome"] = "unknown"
    if settings.tool_details:
        tool["name"] = cap_title(clean(name), _MAX_NAME_CHARS)
        if path := _relative_path(taken.cwd, payload):
            tool["path"] = clean(path)
    return tool


def _relative_path(cwd: str, payload: Mapping[str, Any]) -> str:
    """The file that the tool was given, from the root of the repository; "" for one outside of it."""
    given = first_value(payload, ("tool_input", "toolInput", "args"))
    if not isinstance(given, dict):
        return ""
    path = first_text(given, ("file_path", "filePath", "path", "absolute_path", "notebook_path"))
    root = checkout_root(cwd) or cwd
    if not path or "\0" in path:
        return ""
    inside = os.path.relpath(os.path.join(cwd, path), root)
    return "" if inside.startswith("..") or os.path.isabs(inside) else inside.replace(os.sep, "/")


def _key(taken: Taken, payload: Mapping[str, Any]) -> str:
    """The same for the same tool call, so that hooks installed twice count once; else random."""
    call = first_text(payload, ("tool_use_id", "tool_call_id", "call_id", "callId"))
    if taken.event in _TOOL_EVENTS and _CALL_ID.match(call):
        text = f"{taken.agent}\n{taken.native_id}\n{taken.event}\n{call}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
    random = bytearray(os.urandom(16))
    random[6] = random[6] & 0x0F | 0x40
    random[8] = random[8] & 0x3F | 0x80
    return random.hex()


def _managed_run(environ: Mapping[str, str]) -> str:
    found = environ.get("MEMORY_MCP_RUN_ID", "").strip().lower()
    return found if re.match(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", found) else ""


def warn(text: str) -> None:
    """Say on stderr what went wrong; clients show it to nobody but who looks for it."""
    print(f"memory-mcp: {text}", file=sys.stderr)
