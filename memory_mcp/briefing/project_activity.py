"""How much happened in a project lately, told from the sessions that were recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from memory_mcp.errors import UserError
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_list import newest_sessions

MAX_SESSIONS = 200
"""Older ones are counted by their files alone."""

_GAPS = (
    (timedelta(hours=1), "fresh", "less than an hour ago"),
    (timedelta(days=1), "today", "within a day"),
    (timedelta(days=7), "recent", "within a week"),
    (timedelta(days=30), "dormant", "within a month"),
)


@dataclass(frozen=True, slots=True)
class Activity:
    """What happened in the last `days`."""

    days: int
    sessions: int
    observations: int


@dataclass(frozen=True, slots=True)
class ProjectActivity:
    """All sessions and observations of a project, those of late, and when something happened last."""

    sessions: int
    observations: int
    recent: tuple[Activity, ...]
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Gap:
    """How long ago work stopped: `bucket` none, fresh, today, recent, dormant or stale."""

    bucket: str
    hours: float | None
    description: str


def project_activity(
    raw: Path, scope: Scope, now: datetime, spans: Iterable[int] = (7, 30)
) -> ProjectActivity:
    """Count what was recorded of a project."""
    files = SessionFiles(raw)
    names = newest_sessions(raw, (scope,))
    read = []
    for _, name in names[:MAX_SESSIONS]:
        try:
            session = files.read(scope, name)
        except UserError:
            continue
        if session is not None:
            read.append(session)
    times = [[event.at for event in session.events] for session in read]
    recent = []
    for days in spans:
        since = now - timedelta(days=days)
        counts = [sum(at >= since for at in each) for each in times]
        recent.append(Activity(days, sum(count > 0 for count in counts), sum(counts)))
    last = max((at for each in times for at in each), default=None)
    return ProjectActivity(len(names), sum(map(len, times)), tuple(recent), last)


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
