"""Reading what was captured in agent sessions: `raw/<workspace>/<project>/sessions/<session id>.jsonl`.

A line of type `observation` is one. All other lines are skipped, and those that are torn or of another
shape. Nothing is written here.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.model.clock import parse_time
from memory_mcp.model.scope import CALLERS, Scope
from memory_mcp.store.file_tail import read_tail

FORMAT = 1
"""The format of a line; newer ones are skipped."""

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
        self._raw = raw

    def newest(self, scopes: Sequence[Scope]) -> Iterator[Observation]:
        """The observations of the sessions of these scopes that changed last, each id once.

        At most 200 sessions, 4 MB and half a second of them are read; symbolic links are not followed, and
        nothing of a caller is read.
        """
        deadline = time.monotonic() + MAX_SECONDS
        room = MAX_BYTES
        seen: set[str] = set()
        for scope, name in self._sessions(scopes)[:MAX_SESSIONS]:
            if room <= 0 or time.monotonic() > deadline:
                return
            data = read_tail(self._raw, f"{scope}/sessions/{name}", min(room, MAX_FILE_BYTES))
            room -= len(data)
            for line in data.split(b"\n"):
                found = _parse(line, scope, name.removesuffix(".jsonl")) if line else None
                if found is not None and found.id not in seen:
                    seen.add(found.id)
                    yield found

    def _sessions(self, scopes: Sequence[Scope]) -> list[tuple[Scope, str]]:
        """The scopes and file names of the sessions, the one that changed last first."""
        found: list[tuple[int, Scope, str]] = []
        for scope in scopes:
            if scope.workspace == CALLERS:
                continue
            try:
                with os.scandir(self._raw / scope.workspace / scope.project / "sessions") as entries:
                    found += [
                        (entry.stat(follow_symlinks=False).st_mtime_ns, scope, entry.name)
                        for entry in entries
                        if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
                    ]
            except OSError:
                continue
        return [(scope, name) for _, scope, name in sorted(found, reverse=True)]


def _parse(line: bytes, scope: Scope, session_id: str) -> Observation | None:
    try:
        found = json.loads(line)
        if found["type"] != "observation" or found["v"] > FORMAT:
            return None
        at = parse_time(found["at"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    texts = [found.get(name, "") for name in ("id", "kind", "title", "body")]
    if not texts[0] or not all(isinstance(text, str) for text in texts):
        return None
    return Observation(scope, session_id, at, *(text.encode("utf-8", "replace").decode() for text in texts))
