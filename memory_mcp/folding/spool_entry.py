"""What an entry of the spool says, checked: whose event it is, and when it happened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from memory_mcp.capture.event_names import IMPORTANCE
from memory_mcp.model.clock import parse_time
from memory_mcp.model.record_id import new_id
from memory_mcp.model.session_id import is_session, session_id
from memory_mcp.sessions.session import SessionEvent

AHEAD = timedelta(minutes=5)
"""What is dated later than that happened by a clock that was wrong: it counts as of now."""
_FIRST_YEAR = 1970
_TOOL_KEYS = ("family", "call", "outcome", "name", "path")


class BadEvent(Exception):
    """An entry that can never become an event; the text says why."""


class SpooledEvent(NamedTuple):
    """An entry of the spool: the name of its file, the id of its session, and the event, not numbered yet."""

    name: str
    session: str
    event: SessionEvent
    entry: Mapping[str, Any]

    def text(self, key: str) -> str:
        """What the entry says under this key, "" for nothing."""
        return str(self.entry.get(key) or "")


def read_entry(name: str, entry: Mapping[str, Any], now: datetime) -> SpooledEvent:
    """The event of an entry.

    Raises:
        BadEvent: it can never become one.
    """
    return SpooledEvent(name, _session_of(entry), _event_of(entry, now), entry)


def _session_of(entry: Mapping[str, Any]) -> str:
    agent, native_id = entry.get("agent"), entry.get("native_id")
    if not isinstance(agent, str) or not agent or not isinstance(native_id, str) or not is_session(native_id):
        raise BadEvent("it names no session")
    return session_id(agent, native_id)


def _event_of(entry: Mapping[str, Any], now: datetime) -> SessionEvent:
    key, kind = entry.get("key"), entry.get("kind")
    if "\0" in str(entry.get("cwd")):
        raise BadEvent("it names a folder that no system can have")
    try:
        at = parse_time(str(entry.get("created")))
    except (ValueError, OverflowError):
        raise BadEvent("it says no time") from None
    if at.year < _FIRST_YEAR:
        raise BadEvent("it says no time that a machine can have had")
    if at > now + AHEAD:
        at = now
    if not isinstance(key, str) or not key or not isinstance(kind, str) or kind not in IMPORTANCE:
        raise BadEvent("it has no key or no kind that is known")
    tool = entry.get("tool")
    known = {name: str(tool[name]) for name in _TOOL_KEYS if name in tool} if isinstance(tool, dict) else {}
    return SessionEvent(
        id=new_id(at),
        seq=0,
        at=at,
        key=key,
        kind=kind,
        title=str(entry.get("title") or ""),
        body=str(entry.get("body") or ""),
        importance=IMPORTANCE[kind],
        extension=str(entry.get("extension") or ""),
        source_event=str(entry.get("source_event") or ""),
        tool=known,
    )
