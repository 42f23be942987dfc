"""The lines of a session's file, read and written; those that cannot be read are counted, not obeyed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_milliseconds, parse_time
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session, SessionClaim, SessionEvent, SessionHead, SessionMark

FORMAT = 1
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading a line may raise that is torn, or of another shape."""
_HEAD = ("native_id", "agent", "cwd", "branch", "caller", "managed_run")


def parse_session(data: bytes, scope: Scope, session_id: str) -> Session:
    """Read the bytes of a session's file.

    Raises:
        InvalidInput: a line was written by a newer version.
    """
    return _parse(data, scope, session_id, None)


def extend_session(session: Session, data: bytes) -> Session:
    """The session with the lines that were appended to its file since; raises as `parse_session`."""
    return _parse(data, session.head.scope, session.head.id, session)


def _parse(data: bytes, scope: Scope, session_id: str, known: Session | None) -> Session:
    head = known.head if known and known.head.agent else None
    events = {event.id: event for event in known.events} if known else {}
    claims = list(known.claims) if known else []
    marks = list(known.marks) if known else []
    unreadable = known.unreadable if known else 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            if found["v"] > FORMAT:
                raise InvalidInput(
                    f"session {session_id} of {scope} is of a newer version of memory-mcp: upgrade it."
                )
            kind = found["type"]
            if kind == "observation":
                event = _event(found)
                events.setdefault(event.id, event)
            elif kind == "session":
                head = head or _head(found, scope, session_id)
            elif kind == "claim":
                claims.append(
                    SessionClaim(parse_time(found["at"]), _text(found, "record"), _text(found, "kind"))
                )
            elif kind in ("checkpoint", "end"):
                marks.append(_mark(found))
        except UNREADABLE:
            unreadable += 1
    ordered = tuple(events.values())
    if head is None:
        times = [event.at for event in ordered] or [claim.at for claim in claims]
        started = min(times, default=datetime.min.replace(tzinfo=timezone.utc))
        head = SessionHead(session_id, session_id, "", scope, started)
    return Session(head, ordered, tuple(claims), tuple(marks), unreadable)


def parse_event(line: bytes) -> SessionEvent | None:
    """The event that a line holds; None for a line of another type, of a newer version, or torn."""
    try:
        found = json.loads(line)
        if found["type"] != "observation" or found["v"] > FORMAT:
            return None
        return _event(found)
    except UNREADABLE:
        return None


def is_end(line: bytes) -> bool:
    """Whether the line is one of type `end`, as we write them."""
    return line.startswith(b'{"v": 1, "type": "end", ') and line.endswith(b"}")


def parse_head(line: bytes, scope: Scope, session_id: str) -> SessionHead | None:
    """The head that a line holds; None as for `parse_event`."""
    try:
        found = json.loads(line)
        if found["type"] != "session" or found["v"] > FORMAT:
            return None
        return _head(found, scope, session_id)
    except UNREADABLE:
        return None


def head_line(head: SessionHead) -> dict[str, Any]:
    """The line of type `session`."""
    return _without_blanks(
        {
            "v": FORMAT,
            "type": "session",
            "id": head.id,
            "native_id": head.native_id,
            "agent": head.agent,
            "workspace": head.scope.workspace,
            "project": head.scope.project,
            "cwd": head.cwd,
            "branch": head.branch,
            "caller": head.caller,
            "managed_run": head.managed_run,
            "started": format_milliseconds(head.started),
        }
    )


def event_line(event: SessionEvent) -> dict[str, Any]:
    """The line of type `observation`."""
    return _without_blanks(
        {
            "v": FORMAT,
            "type": "observation",
            "id": event.id,
            "seq": event.seq,
            "at": format_milliseconds(event.at),
            "key": event.key,
            "kind": event.kind,
            "title": event.title,
            "body": event.body,
            "importance": event.importance,
            "extension": event.extension,
            "source_event": event.source_event,
            "tool": dict(event.tool),
        }
    )


def claim_line(claim: SessionClaim) -> dict[str, Any]:
    """The line of type `claim`."""
    at = format_milliseconds(claim.at)
    return {"v": FORMAT, "type": "claim", "at": at, "record": claim.record, "kind": claim.kind}


def mark_line(mark: SessionMark) -> dict[str, Any]:
    """The line of type `checkpoint` or `end`."""
    return _without_blanks(
        {
            "v": FORMAT,
            "type": "end" if mark.is_end else "checkpoint",
            "at": format_milliseconds(mark.at),
            "observations": mark.observations,
            "page": mark.page,
            "version": mark.version,
            "handoff": mark.handoff,
            "reason" if mark.is_end else "event": mark.reason,
        }
    )


def _head(found: Mapping[str, Any], scope: Scope, session_id: str) -> SessionHead:
    texts = {name: _text(found, name) for name in _HEAD}
    return SessionHead(id=session_id, scope=scope, started=parse_time(found["started"]), **texts)


def _event(found: Mapping[str, Any]) -> SessionEvent:
    tool = found.get("tool", {})
    return SessionEvent(
        id=_id(found),
        seq=int(found.get("seq", 0)),
        at=parse_time(found["at"]),
        key=_text(found, "key"),
        kind=_text(found, "kind"),
        title=_text(found, "title"),
        body=_text(found, "body"),
        importance=int(found.get("importance", 5)),
        extension=_text(found, "extension"),
        source_event=_text(found, "source_event"),
        tool={str(name): _plain(value) for name, value in tool.items()},
    )


def _mark(found: Mapping[str, Any]) -> SessionMark:
    is_end = found["type"] == "end"
    return SessionMark(
        at=parse_time(found["at"]),
        observations=int(found["observations"]),
        is_end=is_end,
        page=_text(found, "page"),
        version=_text(found, "version"),
        handoff=_text(found, "handoff"),
        reason=_text(found, "reason" if is_end else "event"),
    )


def _id(found: Mapping[str, Any]) -> str:
    text = _text(found, "id")
    if not text:
        raise ValueError("id")
    return text


def _text(found: Mapping[str, Any], key: str) -> str:
    """The text of that key, "" where there is none."""
    return _plain(found.get(key, ""))


def _plain(value: object) -> str:
    """The text, in which halves of surrogate pairs, which no file can hold, become question marks."""
    if not isinstance(value, str):
        raise TypeError(type(value))
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def _without_blanks(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value not in ("", {})}
