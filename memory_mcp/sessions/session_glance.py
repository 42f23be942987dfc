"""Where a session was and whether it may still go on, without reading all that happened in it.

A hook asks this of every session that left a handoff, and the lines of a long session take longer to parse
than a start may last.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from memory_mcp.errors import UserError
from memory_mcp.model.clock import parse_time
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import Session, SessionFiles, SessionHead, parse_session

_EVENT = re.compile(
    rb'\{"v": 1, "type": "observation", "id": "([0-9a-f-]{36})", "seq": \d+, "at": "([0-9TZ:.-]{20,30})", '
)
"""A line of the form that we write, as far as it is needed; the end of its object is not looked at."""


class SessionGlance(NamedTuple):
    """Whose session it is, when something last happened in it, and whether it ended."""

    head: SessionHead
    last_at: datetime
    has_ended: bool


def glance_session(files: SessionFiles, scope: Scope, session_id: str) -> SessionGlance | None:
    """What the session's file in this scope says of it; None where there is none that can be read."""
    try:
        data = files.read_bytes(scope, session_id)
        return None if data is None else glance(data, scope, session_id)
    except UserError:
        return None  # of a newer version, or the disk refuses: nothing is known of it


def glance(data: bytes, scope: Scope, session_id: str) -> SessionGlance:
    """The same of these bytes.

    Raises:
        InvalidInput: a line was written by a newer version.
    """
    ids: set[bytes] = set()
    times: list[bytes] = []
    others: list[bytes] = []
    for line in data.split(b"\n"):
        found = _EVENT.match(line)
        if found and line.endswith(b"}"):
            ids.add(found[1])
            times.append(found[2])
        else:
            others.append(line)
    rest = parse_session(b"\n".join(others), scope, session_id)
    last = _last(rest, times)
    count = len(ids) + sum(event.id.encode() not in ids for event in rest.events)
    has_ended = any(mark.is_end for mark in rest.marks) and count <= rest.watermark
    return SessionGlance(rest.head, last, has_ended)


def _last(rest: Session, times: list[bytes]) -> datetime:
    found = [event.at for event in rest.events]
    for text in sorted(times, reverse=True):
        try:
            found.append(parse_time(text.decode()))
            break
        except (ValueError, OverflowError):
            continue
    return max(found, default=rest.head.started)
