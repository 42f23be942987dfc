"""Taking in one event of a client: read, judged by the capture policy, cleaned, cut, spooled.

    stdin -> payload -> policy -> clean -> cut -> one file in the spool

Nothing is written before the policy has spoken, and nothing that was not cleaned.
"""

from __future__ import annotations

import os
import re

from memory_mcp.capture.agent_names import agent_name
from memory_mcp.capture.capture_policy import DROP, METADATA_ONLY, capture_policy
from memory_mcp.capture.event_names import (
    OTHER,
    SUBAGENT_PROMPT,
    TOOL_EVENTS,
    event_name,
    extension_event,
    is_failure,
)
from memory_mcp.capture.folder_marker import FolderMarker, find_marker
from memory_mcp.capture.hook_arguments import HookArguments
from memory_mcp.capture.hook_entry import EntryOptions, is_of_subagent, new_key, spool_entry
from memory_mcp.capture.hook_settings import ALLOWLIST, BadSettings, HookSettings, read_settings
from memory_mcp.capture.observation_text import prompt_text
from memory_mcp.capture.payload import NotAPayload, first_text, folder_of, read_payload, session_of
from memory_mcp.capture.spool import Spool, now_milliseconds, time_text
from memory_mcp.capture.tool_call import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

OFF_FILE = "state/capture-off"
"""Below the data dir: the folders, one a line, in which nothing is recorded, nor below them."""

_SESSION = r"[!-~]{1,128}\Z"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z"
_MAX_PATH_CHARS = 4_096
_STARTS = ("startup", "resume", "clear", "compact", "fork")


class Taken:
    """An event as it was understood, recorded or not; what is not known is "".

    `prompt` is what the person said, clean; `start` how the session began; `problem` what went wrong;
    `decision` what the capture policy says of the event, for a person who asks.
    """

    __slots__ = (
        *("agent", "caller", "cwd", "data_dir", "decision", "event", "extension", "has_failed"),
        "is_recorded",
        *("native_id", "problem", "prompt", "run", "source_event", "start", "wants_recall"),
    )

    def __init__(self, given: HookArguments) -> None:
        self.decision: dict[str, Any] = {}
        self.agent = agent_name(given.agent)
        self.event = event_name(given.event)
        self.data_dir = given.data_dir
        self.caller = given.caller
        self.run = given.run
        self.extension = self.source_event = ""
        self.native_id = self.cwd = self.start = self.prompt = ""
        self.has_failed = self.wants_recall = self.is_recorded = False
        self.problem = f"an argument means nothing: {given.problems[0]:.80}" if given.problems else ""


def take(
    arguments: Sequence[str],
    data: bytes,
    environ: Mapping[str, str],
    clock: Callable[[], int] = now_milliseconds,
) -> Taken:
    """Take in the event that `data`, the client's JSON, describes; it never raises for what it is given.

    With `--check-capture` among the arguments nothing is recorded.
    The data dir is named by an argument or by `DATA_DIR_VARIABLE` of `environ`.
    `clock` gives milliseconds since 1970.
    """
    given = HookArguments(arguments, environ)
    taken = Taken(given)
    try:
        taken.data_dir = _data_dir(given)
        settings = read_settings(taken.data_dir, environ)
        payload = read_payload(data)
        clean = _cleaner(settings)
        _understand(taken, given, payload, clean)
        if taken.event == "user-prompt":
            taken.prompt = prompt_text(payload, clean)
            taken.wants_recall = given.recall or settings.recall
        if not taken.native_id:
            taken.problem = "nothing was recorded: the client names no session"
        else:
            _record(taken, given, payload, settings, clean, clock)
    except (NotAPayload, BadSettings) as error:
        taken.problem = f"nothing was recorded: {error}"
    except OSError as error:
        taken.problem = f"the event was not recorded: {error.strerror or error}"
    return taken


def _data_dir(given: HookArguments) -> str:
    named = given.data_dir
    if not named.strip() or "\0" in named or "${" in named:
        raise BadSettings(f"the data dir {named!r:.120} is no plain path")
    return os.path.abspath(os.path.expanduser(named))


def _cleaner(settings: HookSettings) -> Callable[[str], str]:
    from memory_mcp.capture.sanitizer import Sanitizer  # noqa: PLC0415 - what cannot be read needs none

    return Sanitizer(settings.extra_patterns, settings.allowlist).clean


def _understand(
    taken: Taken, given: HookArguments, payload: Mapping[str, Any], clean: Callable[[str], str]
) -> None:
    own_name = first_text(payload, ("hook_event_name",))
    taken.event = event_name(given.event or own_name)
    taken.has_failed = is_failure(given.event) or is_failure(own_name)
    taken.extension, taken.source_event = extension_event(given.extension, given.source_event, given.event)
    if taken.extension or _goes_on(taken.event, payload):
        taken.event = OTHER
    if taken.event == "user-prompt" and is_of_subagent(taken.event, payload):
        taken.event = SUBAGENT_PROMPT
    if first_text(payload, ("cursor_version",)):
        taken.agent = "cursor"  # it runs the hooks of Claude Code too
    taken.cwd = _folder(payload, given)
    taken.native_id = _native_id(session_of(payload).strip(), clean)
    if taken.event == "session-start":
        source = first_text(payload, ("source",)).strip().lower()
        taken.start = source if source in _STARTS else "startup"
        taken.native_id = taken.native_id or _new_id()


def _goes_on(event: str, payload: Mapping[str, Any]) -> bool:
    """Whether this is no start after all: Antigravity tells of each model call, of which the first is one."""
    return event == "session-start" and payload.get("invocationNum", 0) != 0


def _folder(payload: Mapping[str, Any], given: HookArguments) -> str:
    """The folder that the agent works in, without symbolic links; "" if nobody can tell."""
    for folder in (folder_of(payload), given.project_folder, "."):
        if folder and "\0" not in folder and len(folder) <= _MAX_PATH_CHARS:
            try:
                return os.path.realpath(folder)
            except (OSError, ValueError):
                pass  # the folder of this process is gone, or this is no name that the system has
    return ""


def _native_id(given: str, clean: Callable[[str], str]) -> str:
    """The client's id as it is if it is one plain word without a secret, else a word made of it."""
    if not given or re.match(_UUID, given) or (re.match(_SESSION, given) and clean(given) == given):
        return given
    import hashlib  # noqa: PLC0415 - no client that we know calls a session so

    return f"id-{hashlib.sha256(given.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _new_id() -> str:
    key = new_key()
    return f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:]}"


def _record(
    taken: Taken,
    given: HookArguments,
    payload: Mapping[str, Any],
    settings: HookSettings,
    clean: Callable[[str], str],
    clock: Callable[[], int],
) -> None:
    home = os.path.realpath(given.home or os.path.expanduser("~"))
    marker = find_marker(taken.cwd, home) if taken.cwd else FolderMarker()
    is_wanted = _is_wanted(taken, given, payload, settings, marker)
    call = ToolCall(payload) if taken.event in TOOL_EVENTS else None
    policy = capture_policy(marker, home, os.path.realpath(taken.data_dir))
    decision = policy.decide(call, taken.cwd)
    taken.decision = {
        "version": 1,
        "policy_state": policy.state,
        "tool_family": call.family if call else None,
        "path_count": decision.path_count,
        "extraction_state": decision.extraction,
        "disposition": decision.disposition,
        "marker_present": bool(marker.folder),
        "admits_capture": is_wanted,
    }
    if given.check_capture or not is_wanted or decision.disposition == DROP:
        return
    options = EntryOptions(
        details=settings.tool_details,
        assistant=given.capture_assistant and settings.assistant,
        metadata_only=decision.disposition == METADATA_ONLY,
    )
    entry = spool_entry(taken, payload, call, options, marker.scope, clean)
    created = clock()
    entry["created"] = time_text(created)
    Spool(f"{taken.data_dir}/spool").put(entry, created)
    taken.is_recorded = True


def _is_wanted(
    taken: Taken,
    given: HookArguments,
    payload: Mapping[str, Any],
    settings: HookSettings,
    marker: FolderMarker,
) -> bool:
    """Whether nobody has said that such an event is not to be recorded here."""
    return not (
        given.has_owner
        or (taken.event == "user-prompt" and not given.capture_prompts)
        or (settings.mode == ALLOWLIST and not marker.folder)
        or (marker.drop_subagents and is_of_subagent(taken.event, payload))
        or _is_inside(taken.cwd, os.path.realpath(taken.data_dir))
        or _is_off(taken)
    )


def _is_off(taken: Taken) -> bool:
    """Whether a person turned recording off for this folder or one above it."""
    try:
        with open(f"{taken.data_dir}/{OFF_FILE}", encoding="utf-8", errors="surrogateescape") as file:
            folders = [os.path.realpath(line) for line in file.read().split("\n") if line.strip()]
    except FileNotFoundError:
        return False
    return any(_is_inside(taken.cwd, each) for each in folders)


def _is_inside(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(os.path.join(other, ""))
