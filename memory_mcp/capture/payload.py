"""What a client says of an event, in JSON of its own shape, where any field may be missing or of any type."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
"""No client sends more; a payload of 20 MB, say a file that a tool read, is taken."""

_SESSION_KEYS = ("session_id", "sessionId", "sessionID", "session", "conversationId", "conversation_id")
_FOLDER_KEYS = ("cwd", "current_dir", "working_dir", "directory")
_WORKSPACES = ("workspacePaths", "workspace_roots")
_ENVELOPES = ("payload", "event")
_BOM = b"\xef\xbb\xbf"


class NotAPayload(Exception):
    """The bytes are not a JSON object; the text says why."""


def read_payload(data: bytes) -> dict[str, Any]:
    """Parse what a hook was given on stdin.

    Raises:
        NotAPayload: it is no JSON object, or too large.
    """
    if len(data) > MAX_PAYLOAD_BYTES:
        raise NotAPayload(f"what the client sent is larger than {MAX_PAYLOAD_BYTES} bytes")
    text = data.removeprefix(_BOM).decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAPayload(f"what the client sent is not JSON ({type(error).__name__})") from None
    if not isinstance(found, dict):
        raise NotAPayload(f"what the client sent is a JSON {type(found).__name__}, not an object")
    return found


def session_of(payload: Mapping[str, Any]) -> str:
    """The client's id of the session, "" where it gives none."""
    found = first_text(payload, _SESSION_KEYS)
    if found:
        return found
    for root in _roots(payload):
        for path in (("info", "id"), ("properties", "sessionID"), ("properties", "info", "id")):
            if text := _text_at(root, path):
                return text
    return ""


def folder_of(payload: Mapping[str, Any]) -> str:
    """The folder that the agent works in, "" where the client gives none."""
    found = first_text(payload, _FOLDER_KEYS)
    if found:
        return found
    for root in _roots(payload):
        for key in _WORKSPACES:
            folders = root.get(key)
            if isinstance(folders, list) and folders and isinstance(folders[0], str) and folders[0].strip():
                return folders[0]
        for path in (("path", "cwd"), ("info", "directory"), ("properties", "info", "directory")):
            if text := _text_at(root, path):
                return text
    return ""


def first_text(payload: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The first value of these keys that is a text and not blank, wherever clients put such fields."""
    for key in keys:
        for container in _containers(payload):
            value = container.get(key)
            if isinstance(value, str) and value.strip():
                return value
    return ""


def first_value(payload: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The first value of these keys that says something, None if there is none."""
    for key in keys:
        for container in _containers(payload):
            value = container.get(key)
            if value not in (None, "", [], {}):
                return value
    return None


def _roots(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield payload
    for key in _ENVELOPES:
        if isinstance(payload.get(key), dict):
            yield payload[key]


def _containers(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for root in _roots(payload):
        properties = root.get("properties")
        nested = properties.get("info") if isinstance(properties, dict) else None
        for each in (root, properties, nested, root.get("info"), root.get("path")):
            if isinstance(each, dict):
                yield each


def _text_at(root: Mapping[str, Any], path: Sequence[str]) -> str:
    value: Any = root
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and value.strip() else ""
