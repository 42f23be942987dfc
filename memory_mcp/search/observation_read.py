"""The newest of what was captured in agent sessions, as far as a question has time for it.

Lines that are no observations are skipped, and those that are torn or of another shape.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_lines import parse_event
from memory_mcp.sessions.session_list import newest_sessions
from memory_mcp.store.file_tail import read_tail

MAX_BYTES = 4_000_000
MAX_FILE_BYTES = 1_000_000
"""Of a longer session the end is read."""
MAX_SECONDS = 0.5
MAX_SESSIONS = 200


@dataclass(frozen=True, slots=True)
class Observation:
    """One sanitised thing that happened in an agent session."""

    scope: Scope
    session_id: str
    at: datetime
    id: str
    kind: str
    title: str
    body: str


class ObservationReader:
    """The observations below the folder `raw`."""

    def __init__(self, raw: Path) -> None:
        self._files = SessionFiles(raw)

    def newest(self, scopes: Sequence[Scope]) -> Iterator[Observation]:
        """The observations of the sessions of these scopes that changed last, each id once.

        At most 200 sessions, 4 MB and half a second of them are read; symbolic links are not followed, and
        nothing of a caller is read.
        """
        deadline = time.monotonic() + MAX_SECONDS
        room = MAX_BYTES
        seen: set[str] = set()
        raw = self._files.raw
        for scope, session in newest_sessions(raw, scopes)[:MAX_SESSIONS]:
            if room <= 0 or time.monotonic() > deadline:
                return
            data = read_tail(raw, self._files.relative_path(scope, session), min(room, MAX_FILE_BYTES))
            room -= len(data)
            for line in data.split(b"\n"):
                event = parse_event(line) if line else None
                if event is not None and event.id not in seen:
                    seen.add(event.id)
                    yield Observation(scope, session, event.at, event.id, event.kind, event.title, event.body)
