"""Folding: what hooks spooled becomes lines of sessions, pages, handoffs and log lines, one commit a batch.

    lock -> lines of the sessions' files -> page, record, log: one commit -> the spool's files are removed

An event is complete when its file in the spool is gone. What a kill leaves is taken up from the page on: the
lines are found by their keys, the page comes out the same, the handoff and the log lines are found.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memory_mcp.capture.spool import FORMAT, BadEntry, Spool
from memory_mcp.folding.event_scope import EventScopes
from memory_mcp.folding.project_log import write_log
from memory_mcp.folding.session_boundary import SessionBoundaries
from memory_mcp.folding.session_growth import BadEvent, SessionGrowth, begin_growth, event_of
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.scope import Scope
from memory_mcp.model.session_id import session_id
from memory_mcp.sessions.session_file import SessionFiles, SessionHead
from memory_mcp.store import steps
from memory_mcp.store.checkout import current_branch
from memory_mcp.store.lock import POLL_SECONDS, WriterLock
from memory_mcp.store.wiki_change import WikiChanges

MAX_BATCH = 256
MAX_BATCH_BYTES = 8 * 1024 * 1024
BREATH_SECONDS = 4 * POLL_SECONDS
"""Without a pause between two batches nobody who waits for the lock would ever find it free."""
LIFETIME = timedelta(days=7)
"""Older events are dropped: nobody folded them while they mattered."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What a fold did: how many events it took in, of how many sessions, and how many were put aside."""

    events: int = 0
    sessions: int = 0
    buried: int = 0
    remaining: int = 0


class SpoolFold:
    """Folds the spool of a data dir."""

    def __init__(
        self,
        spool: Spool,
        lock: WriterLock,
        changes: WikiChanges,
        files: SessionFiles,
        scopes: EventScopes,
        boundaries: SessionBoundaries,
        clock: Clock,
        caller: str,
    ) -> None:
        self._spool = spool
        self._lock = lock
        self._changes = changes
        self._files = files
        self._scopes = scopes
        self._boundaries = boundaries
        self._clock = clock
        self._caller = caller

    def fold(self, budget: float | None = None, wait: float = 0) -> Folded:
        """Fold what waits, in batches, until nothing is left or `budget` seconds are over.

        The lock is waited for at most `wait` seconds, anew for each batch: other writers go between two.
        Where it is not free, what remains stays in the spool.

        Raises:
            Unavailable: the disk or git refuses; what is not complete stays in the spool.
        """
        names = self._spool.names()
        deadline = None if budget is None else time.monotonic() + budget
        total = Folded(remaining=len(names))
        sessions: set[str] = set()
        skipped: set[str] = set()
        while names:
            with self._lock.hold_if_free("fold", wait) as held:
                if not held:
                    break
                self._scopes.forget()
                batch = self._read_batch(names[:MAX_BATCH])
                self._fold_batch(batch.entries)
            sessions.update(_session_of(entry) for _, entry in batch.entries)
            skipped.update(batch.skipped)
            names = [name for name in names[len(batch.seen) :] if name not in skipped]
            total = Folded(
                total.events + len(batch.entries),
                len(sessions),
                total.buried + batch.buried,
                len(names) + len(skipped),
            )
            if deadline is not None and time.monotonic() > deadline:
                break
            if names:
                time.sleep(BREATH_SECONDS)
        return total

    def _read_batch(self, names: Sequence[str]) -> _Batch:
        batch = _Batch([], [], [], 0)
        size = 0
        oldest = (self._clock() - LIFETIME).timestamp() * 1000
        for name in names:
            if size > MAX_BATCH_BYTES:
                break
            batch.seen.append(name)
            try:
                entry = self._spool.read(name)
                if entry is None:
                    continue
                if entry["v"] > FORMAT:
                    batch.skipped.append(name)  # a newer version of the product will fold it
                    continue
                event_of(entry, 1)
            except (BadEntry, BadEvent):
                self._spool.bury(name)
                batch.buried += 1
                continue
            if self._spool.created(name) < oldest:
                self._spool.remove(name)
                continue
            size += len(str(entry.get("body") or ""))
            batch.entries.append((name, entry))
        return batch

    def _fold_batch(self, entries: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        if not entries:
            return
        growths: dict[tuple[Scope, str], SessionGrowth] = {}
        ids = {_session_of(entry) for _, entry in entries}
        actor = Actor(str(entries[0][1].get("agent") or "hook"), ids.pop() if len(ids) == 1 else "")
        with self._changes.begin("fold", f"{len(entries)} events", actor) as change:
            for _, entry in entries:
                for growth in self._growths_of(growths, entry):
                    growth.take(entry)
            for (scope, session), growth in growths.items():
                self._boundaries.write(change, growth)
                if growth.session.is_substantive:
                    write_log(change, scope, growth.log)
                steps.reach("fold.append")
                if growth.lines:
                    self._files.append(scope, session, growth.lines)
                steps.reach("fold.appended")
        steps.reach("fold.committed")
        for name, _ in entries:
            self._spool.remove(name)
        steps.reach("fold.removed")

    def _growths_of(
        self, growths: dict[tuple[Scope, str], SessionGrowth], entry: Mapping[str, Any]
    ) -> list[SessionGrowth]:
        """The sessions that the event belongs to: one; none for a folder that is no project; when a session
        ends, every project that it worked in."""
        session = _session_of(entry)
        scope = self._scopes.scope_of(entry, session)
        scopes = [scope] if scope else []
        if entry.get("kind") == "session-end":
            known = [place for place, name in growths if name == session]
            scopes = list(dict.fromkeys([*scopes, *known, *self._files.scopes_of(session)]))
        return [self._growth(growths, each, session, entry) for each in scopes]

    def _growth(
        self,
        growths: dict[tuple[Scope, str], SessionGrowth],
        scope: Scope,
        session: str,
        entry: Mapping[str, Any],
    ) -> SessionGrowth:
        if (scope, session) not in growths:
            head = self._head(scope, session, entry)
            growths[scope, session] = begin_growth(self._files.read(scope, session), head)
        return growths[scope, session]

    def _head(self, scope: Scope, session: str, entry: Mapping[str, Any]) -> SessionHead:
        cwd = str(entry.get("cwd") or "")
        return SessionHead(
            id=session,
            native_id=str(entry.get("native_id") or ""),
            agent=str(entry.get("agent") or ""),
            scope=scope,
            started=_created(entry),
            cwd=cwd,
            branch=current_branch(Path(cwd)) if cwd else "",
            caller=str(entry.get("caller") or self._caller),
        )


@dataclass
class _Batch:
    entries: list[tuple[str, dict[str, Any]]]
    seen: list[str]
    skipped: list[str]
    buried: int


def _session_of(entry: Mapping[str, Any]) -> str:
    return session_id(str(entry.get("agent") or ""), str(entry.get("native_id") or ""))


def _created(entry: Mapping[str, Any]) -> datetime:
    return event_of(entry, 1).at
