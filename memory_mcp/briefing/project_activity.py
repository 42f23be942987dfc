"""How much happened in a project lately, told from the sessions that were recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import UserError
from memory_mcp.model.clock import format_milliseconds, parse_time
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_list import newest_sessions

_OBSERVATION = re.compile(
    rb'^\{"v": 1, "type": "observation", "id": "([0-9a-f-]{36})", "seq": [0-9]+, "at": "([^"]{24})"',
    re.MULTILINE,
)
"""An event as it is written; a body cannot look so, for its quotes are escaped."""
_OTHER = re.compile(rb'^\{"v": 1, "type": "(?:session|claim|checkpoint|end)"', re.MULTILINE)

_GAPS = (
    (timedelta(hours=1), "fresh", "less than an hour ago"),
    (timedelta(days=1), "today", "within a day"),
    (timedelta(days=7), "recent", "within a week"),
    (timedelta(days=30), "dormant", "within a month"),
)


class Activity(NamedTuple):
    """What happened in the last `days`; `pages` is how many pages changed."""

    days: int
    sessions: int
    observations: int
    pages: int = 0


class ProjectActivity(NamedTuple):
    """All sessions and observations of a project, those of late, and when something happened last."""

    sessions: int
    observations: int
    recent: tuple[Activity, ...]
    last_at: datetime | None


class Gap(NamedTuple):
    """How long ago work stopped: `bucket` none, fresh, today, recent, dormant or stale."""

    bucket: str
    hours: float | None
    description: str


def project_activity(
    raw: Path, scope: Scope, now: datetime, changes: Sequence[float] = (), spans: Iterable[int] = (7, 30)
) -> ProjectActivity:
    """Count what was recorded of a project; `changes` says when each page changed, in seconds since 1970."""
    files = SessionFiles(raw)
    sessions = [
        times
        for _, name in newest_sessions(raw, (scope,))
        if (times := _times(files, scope, name)) is not None
    ]
    recent = []
    for days in spans:
        since = now - timedelta(days=days)
        text = format_milliseconds(since)
        counts = [sum(at >= text for at in times) for times in sessions]
        pages = sum(at >= since.timestamp() for at in changes)
        recent.append(Activity(days, sum(count > 0 for count in counts), sum(counts), pages))
    last = max((at for times in sessions for at in times), default="")
    return ProjectActivity(
        len(sessions), sum(map(len, sessions)), tuple(recent), parse_time(last) if last else None
    )


def _times(files: SessionFiles, scope: Scope, name: str) -> list[str] | None:
    """When things happened in a session, as RFC 3339 texts, which sort; None if nobody can read it."""
    try:
        data = files.path(scope, name).read_bytes()
    except OSError:
        return None
    found = dict(_OBSERVATION.findall(data))  # equal ids count once
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    if len(found) + len(_OTHER.findall(data)) == lines:
        return [at.decode("ascii", "replace") for at in found.values()]
    try:
        session = files.read(scope, name)  # written by another hand, or torn
    except UserError:
        return None
    return [format_milliseconds(event.at) for event in session.events] if session else None


def gap_since(last: datetime | None, now: datetime) -> Gap:
    """How long ago the last work was."""
    if last is None:
        return Gap("none", None, "Nothing was recorded here yet.")
    passed = now - last
    hours = round(max(0.0, passed.total_seconds() / 3600), 1)
    for limit, bucket, words in _GAPS:
        if passed < limit:
            return Gap(bucket, hours, f"The last work here was {words}.")
    return Gap("stale", hours, f"The last work here was {passed.days} days ago: check what still holds.")
