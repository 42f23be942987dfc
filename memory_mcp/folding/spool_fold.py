"""Folding: what hooks spooled becomes lines of sessions, pages, handoffs and log lines, one commit a batch.

    lock -> lines of the sessions' files -> page, record, log: one commit -> the spool's files are removed

An event is complete when its file in the spool is gone. What a kill leaves is taken up from the page on: the
lines are found by their keys, the page comes out the same, the handoff and the log lines are found.
"""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.capture.spool import Spool
from memory_mcp.errors import Busy, Unavailable, UserError
from memory_mcp.folding.batch_fold import BatchFold
from memory_mcp.folding.event_scope import EventScopes
from memory_mcp.folding.spool_batch import MAX_BATCH, read_batch
from memory_mcp.folding.spool_entry import SpooledEvent
from memory_mcp.model.clock import Clock
from memory_mcp.store import steps
from memory_mcp.store.files import disk_errors
from memory_mcp.store.lock import POLL_SECONDS, WriterLock

log = logging.getLogger(__name__)

FIRST_RATE = 400
"""How many events a second are folded, until a batch has told."""
BREATH_SECONDS = 4 * POLL_SECONDS
"""Without a pause between two batches nobody who waits for the lock would ever find it free."""
LEAST_RATE = 100.0
"""A few events take as long as their commit does, which says little about many."""
MAX_ATTEMPTS = 8
"""As many processes may fail to fold an entry until it is put aside."""

_OF_ONE_FILE = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG)

Events = Sequence[SpooledEvent]


@dataclass(frozen=True, slots=True)
class Folded:
    """What a fold did: how many events it took in, of how many sessions, and how many were put aside."""

    events: int = 0
    sessions: int = 0
    buried: int = 0
    remaining: int = 0


@dataclass
class _Tally:
    events: int = 0
    buried: int = 0
    sessions: set[str] = field(default_factory=set)


class SpoolFold:
    """Folds the spool of a data dir."""

    def __init__(
        self, spool: Spool, lock: WriterLock, scopes: EventScopes, batches: BatchFold, clock: Clock
    ) -> None:
        self._spool = spool
        self._lock = lock
        self._scopes = scopes
        self._batches = batches
        self._clock = clock
        self._left: set[str] = set()  # what this process cannot fold, and does not try again

    def fold(self, budget: float | None = None, wait: float = 0) -> Folded:
        """Fold what waits, in batches, until nothing is left or `budget` seconds are over.

        The lock is held for a batch at a time, and waited for at most `wait` seconds; when it is not free,
        nothing more is done.

        Raises:
            Busy, Unavailable: the disk or git refuses; what is not complete stays in the spool.
        """
        begin = time.monotonic()
        tally = _Tally()
        rate = float(FIRST_RATE)
        self._scopes.forget()
        while self.has_waiting():
            seconds = None if budget is None else begin + budget - time.monotonic()
            most = MAX_BATCH if seconds is None else int(seconds * rate)
            if most < 1:
                break
            with self._lock.hold_if_free("fold", wait) as held:
                if not held:
                    break
                started = time.monotonic()
                count = self._fold_next(most, tally)
                rate = max(LEAST_RATE, count / max(1e-6, time.monotonic() - started))
            if self.has_waiting():
                time.sleep(BREATH_SECONDS)
        return Folded(tally.events, len(tally.sessions), tally.buried, len(self._spool.names()))

    def has_waiting(self) -> bool:
        """Whether anything is in the spool that this process can fold; it costs one look at a folder."""
        return any(name not in self._left for name in self._spool.names())

    def _fold_next(self, most: int, tally: _Tally) -> int:
        """Fold the next batch; how many entries were looked at."""
        names = [name for name in self._spool.names() if name not in self._left]
        with disk_errors(Path(self._spool.folder)):
            batch = read_batch(self._spool, names, most, self._clock())
        self._left.update(batch.newer)
        tally.buried += batch.buried
        done = self._fold_events(batch.events, tally)
        tally.events += len(done)
        tally.sessions.update(spooled.session for spooled in done)
        return len(batch.events) + len(batch.newer) + batch.buried

    def _fold_events(self, events: Events, tally: _Tally) -> Events:
        """Fold a batch; if one of its sessions keeps it from that, the others. Returns what was folded."""
        try:
            self._fold_together(events)
        except Exception as error:
            if not _may_be_of_one_session(error):
                raise
        else:
            return events
        done: list[SpooledEvent] = []
        failed: list[tuple[Events, Exception]] = []
        for session in dict.fromkeys(spooled.session for spooled in events):
            own = [spooled for spooled in events if spooled.session == session]
            try:
                self._fold_together(own)
            except Exception as error:
                if not _may_be_of_one_session(error):
                    raise
                failed.append((own, error))
            else:
                done += own
        for own_events, failure in failed:
            if not done and _is_denied(failure):
                raise failure
            if self._keep(own_events, failure):
                done += own_events
            else:
                self._put_off(own_events, failure, tally)
        return done

    def _keep(self, events: Events, error: Exception) -> bool:
        """Keep the events of a session of which nothing can be written into the wiki; whether that works.

        The session stays open: its page and its handoff come when it is closed another time.
        """
        try:
            self._fold_together(events, into_wiki=False)
        except Exception:
            return False
        log.warning("session %s leaves only its events: %s", events[0].session, error)
        return True

    def _fold_together(self, events: Events, *, into_wiki: bool = True) -> None:
        self._batches.fold(events, into_wiki=into_wiki)
        steps.reach("fold.committed")
        with disk_errors(Path(self._spool.folder)):
            for spooled in events:
                self._spool.remove(spooled.name)
        steps.reach("fold.removed")

    def _put_off(self, events: Events, error: Exception, tally: _Tally) -> None:
        """Leave a session's events to another process, and those that many have tried to nobody."""
        is_bug = not isinstance(error, UserError)
        trace = error if is_bug else None
        log.warning("events of session %s are not folded: %s", events[0].session, error, exc_info=trace)
        self._left.update(spooled.name for spooled in events)
        if not is_bug and not isinstance(error, Unavailable):
            return  # the session's file is of a newer version, which will fold them
        for spooled in events:
            attempts = spooled.entry.get("attempts")
            count = attempts + 1 if isinstance(attempts, int) else 1
            with disk_errors(Path(self._spool.folder)):
                if count >= MAX_ATTEMPTS:
                    self._spool.bury(spooled.name)
                    tally.buried += 1
                else:
                    self._spool.rewrite(spooled.name, {**spooled.entry, "attempts": count})


def _may_be_of_one_session(error: Exception) -> bool:
    """Whether other sessions may be folded all the same: not on a full disk, or without git."""
    if isinstance(error, Unavailable):
        return _errno(error) in _OF_ONE_FILE or _is_denied(error)
    return not isinstance(error, Busy)


def _is_denied(error: Exception) -> bool:
    return _errno(error) in (errno.EACCES, errno.EPERM)


def _errno(error: Exception) -> int:
    cause = error.__cause__
    return (cause.errno or 0) if isinstance(cause, OSError) else 0
