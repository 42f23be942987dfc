"""The file of a session: `raw/<workspace>/<project>/sessions/<session id>.jsonl`.

The first line says whose session it is; then follow what happened, handoffs that it claimed, checkpoints and
ends. It is only ever appended to, under the writer lock. Lines that cannot be read are counted, not obeyed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_milliseconds, parse_time
from memory_mcp.model.scope import Scope
from memory_mcp.store.file_tail import read_tail
from memory_mcp.store.files import disk_errors, make_folders, sync_folder

FORMAT = 1
_UTC = timezone.utc
TAIL_BYTES = 65_536
"""What is read of a file to see how it ends: the longest line is a quarter of that."""
_OBSERVATION = b'{"v": 1, "type": "observation"'
_END = b'{"v": 1, "type": "end"'
SUBSTANTIVE = frozenset({"user-prompt", "pre-tool-use", "post-tool-use"})
"""A session that has none of these did nothing, and leaves nothing behind."""


class SessionHead(NamedTuple):
    """Whose session it is; what is not known is "". `native_id` is the client's own id of it."""

    id: str
    native_id: str
    agent: str
    scope: Scope
    started: datetime
    cwd: str = ""
    branch: str = ""
    caller: str = ""


class SessionEvent(NamedTuple):
    """One sanitised thing that happened; `key` is that of the spool entry, `kind` canonical."""

    id: str
    seq: int
    at: datetime
    key: str
    kind: str
    title: str = ""
    body: str = ""
    importance: int = 5
    extension: str = ""
    source_event: str = ""
    tool: Mapping[str, str] = MappingProxyType({})


class SessionClaim(NamedTuple):
    """A pointer to a record that this session claimed; the record holds the truth."""

    at: datetime
    record: str
    kind: str


class SessionMark(NamedTuple):
    """A checkpoint or an end (`is_end`), when there were `observations` of them.

    `version` is that of the page that was made then; `reason` of a checkpoint is the event that asked for it.
    """

    at: datetime
    observations: int
    is_end: bool
    page: str = ""
    version: str = ""
    handoff: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Session:
    """What a session's file says. `unreadable` counts the lines that say nothing."""

    head: SessionHead
    events: tuple[SessionEvent, ...] = ()
    claims: tuple[SessionClaim, ...] = ()
    marks: tuple[SessionMark, ...] = ()
    unreadable: int = 0

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the spool entries that are in the file."""
        return frozenset(event.key for event in self.events)

    @property
    def watermark(self) -> int:
        """How many events there were at the last end, 0 before the first."""
        ends = [mark.observations for mark in self.marks if mark.is_end]
        return ends[-1] if ends else 0

    @property
    def has_ended(self) -> bool:
        """Whether it was ended and nothing happened since."""
        return any(mark.is_end for mark in self.marks) and len(self.events) <= self.watermark

    @property
    def is_substantive(self) -> bool:
        """Whether somebody wrote a prompt or a tool was called."""
        return any(event.kind in SUBSTANTIVE for event in self.events)

    @property
    def last_at(self) -> datetime:
        """When something last happened in it."""
        return max((event.at for event in self.events), default=self.head.started)


class SessionFiles:
    """The session files below the folder `raw`."""

    def __init__(self, raw: Path) -> None:
        self.raw = raw

    def path(self, scope: Scope, session_id: str) -> Path:
        """Where the file of a session is, or would be."""
        return self.raw / scope.workspace / scope.project / "sessions" / f"{session_id}.jsonl"

    def read(self, scope: Scope, session_id: str) -> Session | None:
        """What the session's file in this scope says; None where there is none."""
        data = self.read_bytes(scope, session_id)
        return None if data is None else parse_session(data, scope, session_id)

    def read_bytes(self, scope: Scope, session_id: str) -> bytes | None:
        """The bytes of the session's file in this scope, None where there is none."""
        path = self.path(scope, session_id)
        with disk_errors(path, "read"):
            try:
                return path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def scopes_of(self, session_id: str) -> list[Scope]:
        """The scopes in which the session has a file."""
        found = sorted(self.raw.glob(f"*/*/sessions/{session_id}.jsonl"))
        return [Scope(file.parts[-4], file.parts[-3]) for file in found]

    def is_open(self, session_id: str) -> bool:
        """Whether the session of this id was recorded here and has not ended."""
        return any(self._is_open_in(scope, session_id) for scope in self.scopes_of(session_id))

    def _is_open_in(self, scope: Scope, session_id: str) -> bool:
        """Whether something was recorded after the last end, told by the end of the file if it tells."""
        path = self.path(scope, session_id)
        tail = read_tail(self.raw, path.relative_to(self.raw).as_posix(), TAIL_BYTES)
        for line in reversed(tail.split(b"\n")):
            if line.startswith(_OBSERVATION):
                return True
            if line.startswith(_END):
                return False
        session = self.read(scope, session_id)
        return session is not None and not session.has_ended

    def append(self, scope: Scope, session_id: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """Append lines, durably; the writer lock must be held.

        Raises:
            Unavailable: the disk refuses.
        """
        path = self.path(scope, session_id)
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        with disk_errors(path):
            make_folders(path.parent, 0o700)
            is_new = not path.exists()
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            with open(descriptor, "r+b", buffering=0) as file:
                size = file.seek(0, os.SEEK_END)
                if size and os.pread(descriptor, 1, size - 1) != b"\n":
                    data = b"\n" + data
                file.write(data)
                os.fsync(descriptor)
            if is_new:
                sync_folder(path.parent)


def parse_session(data: bytes, scope: Scope, session_id: str) -> Session:
    """Read the bytes of a session's file.

    Raises:
        InvalidInput: a line was written by a newer version.
    """
    head: SessionHead | None = None
    events: dict[str, SessionEvent] = {}
    claims = []
    marks = []
    unreadable = 0
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
                claims.append(SessionClaim(parse_time(found["at"]), found["record"], found["kind"]))
            elif kind in ("checkpoint", "end"):
                marks.append(_mark(found))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            unreadable += 1
    ordered = tuple(events.values())
    if head is None:
        started = min((event.at for event in ordered), default=datetime.min.replace(tzinfo=_UTC))
        head = SessionHead(session_id, session_id, "", scope, started)
    return Session(head, ordered, tuple(claims), tuple(marks), unreadable)


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
    texts = {name: str(found.get(name) or "") for name in ("native_id", "agent", "cwd", "branch", "caller")}
    return SessionHead(id=session_id, scope=scope, started=parse_time(found["started"]), **texts)


def _event(found: Mapping[str, Any]) -> SessionEvent:
    tool = found.get("tool") or {}
    return SessionEvent(
        id=str(found["id"]),
        seq=int(found["seq"]),
        at=parse_time(found["at"]),
        key=str(found["key"]),
        kind=str(found["kind"]),
        title=str(found.get("title", "")),
        body=str(found.get("body", "")),
        importance=int(found.get("importance", 5)),
        extension=str(found.get("extension", "")),
        source_event=str(found.get("source_event", "")),
        tool={str(name): str(value) for name, value in tool.items()},
    )


def _mark(found: Mapping[str, Any]) -> SessionMark:
    return SessionMark(
        at=parse_time(found["at"]),
        observations=int(found["observations"]),
        is_end=found["type"] == "end",
        page=str(found.get("page", "")),
        version=str(found.get("version", "")),
        handoff=str(found.get("handoff", "")),
        reason=str(found.get("reason", "") or found.get("event", "")),
    )


def _without_blanks(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value not in ("", {})}
