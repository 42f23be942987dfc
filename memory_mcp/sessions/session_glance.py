"""Where a session was and whether it may still go on, told by the two ends of its file.

A start asks this of every session that left a handoff, and the lines of a long session take longer to parse
than a start may last.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from memory_mcp.errors import UserError
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import RESUMING, SUBSTANTIVE, Session, SessionHead
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_lines import is_end, parse_event, parse_head
from memory_mcp.store.file_tail import read_head, read_tail

HEAD_BYTES = 16_384
TAIL_BYTES = 65_536
"""The longest line is a quarter of that."""


class SessionGlance(NamedTuple):
    """Whose session it is, when something last happened in it, and whether it ended."""

    head: SessionHead
    last_at: datetime
    has_ended: bool


def glance_session(files: SessionFiles, scope: Scope, session_id: str) -> SessionGlance | None:
    """What the session's file in this scope says of it; None where there is none that can be read."""
    data = read_head(files.raw, files.relative_path(scope, session_id), HEAD_BYTES)
    heads = (parse_head(line, scope, session_id) for line in data.split(b"\n"))
    head = next((found for found in heads if found), None)
    sign = _last_sign(files, scope, session_id) if head else None
    if head and sign:
        return SessionGlance(head, *sign)
    session = _read(files, scope, session_id)
    return SessionGlance(session.head, session.last_at, session.has_ended) if session else None


def is_open_session(files: SessionFiles, session_id: str) -> bool:
    """Whether the session of this id was recorded here, in any scope, and has not ended."""
    return any(_is_open_in(files, scope, session_id) for scope in files.scopes_of(session_id))


def is_in_turn(files: SessionFiles, scope: Scope, session_id: str) -> bool:
    """Whether the session was at work in this scope when something last happened: no turn ended since."""
    data = read_tail(files.raw, files.relative_path(scope, session_id), TAIL_BYTES)
    for line in reversed(data.split(b"\n")):
        event = parse_event(line)
        if is_end(line) or (event and event.kind == "stop"):
            return False
        if event and event.kind in SUBSTANTIVE:
            return True
    return False


def _is_open_in(files: SessionFiles, scope: Scope, session_id: str) -> bool:
    if sign := _last_sign(files, scope, session_id):
        return not sign[1]
    session = _read(files, scope, session_id)
    return session is not None and not session.has_ended


def _last_sign(files: SessionFiles, scope: Scope, session_id: str) -> tuple[datetime, bool] | None:
    """When something last happened, and whether the session ended; None if the file's end does not tell."""
    data = read_tail(files.raw, files.relative_path(scope, session_id), TAIL_BYTES)
    last_at: datetime | None = None
    has_ended = False
    for line in reversed(data.split(b"\n")):
        has_ended = has_ended or is_end(line)
        event = None if has_ended and last_at else parse_event(line)
        if event:
            last_at = last_at or event.at
        if last_at and (has_ended or (event and event.kind in RESUMING)):
            return (last_at, has_ended)
    return None


def _read(files: SessionFiles, scope: Scope, session_id: str) -> Session | None:
    try:
        return files.read(scope, session_id)
    except UserError:
        return None  # of a newer version, or the disk refuses: nothing is known of it
