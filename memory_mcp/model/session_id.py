"""The session of a client: the id that the client gives it, and the one by which records name it."""

from __future__ import annotations

import re

from memory_mcp.errors import InvalidInput

_SESSION = re.compile(r"[!-~]{1,128}\Z")
"""It goes into commit trailers and logs: one printable word."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


def is_session(text: str) -> bool:
    """Whether a client may call a session so."""
    return _SESSION.match(text) is not None


def check_session(text: str, place: str) -> str:
    """Return `text` if it is the id of a session; `place` is where it was given, for the message.

    Raises:
        InvalidInput: it is blank, or more than one printable word.
    """
    if not text.strip():
        raise InvalidInput(
            f"{place} is blank: give the id of the conversation, the one that its server gets as "
            "MEMORY_MCP_SESSION."
        )
    if not is_session(text):
        raise InvalidInput(
            f"{place} = {text!r:.150} is no id of a session: give one word, at most 128 printable characters."
        )
    return text


def session_id(agent: str, native: str) -> str:
    """The client's own id if it is a UUID, else one made of it, always the same; "" for no session."""
    if not native:
        return ""
    if _UUID.match(native.lower()):
        return native.lower()
    import uuid  # noqa: PLC0415 - most clients give a UUID, and a hook has no time

    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"memory-mcp:session:{agent}:{native}"))
