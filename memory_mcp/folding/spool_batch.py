"""The next entries of the spool that are folded together; what can never be folded is put aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory_mcp.capture.spool import FORMAT, BadEntry, Spool
from memory_mcp.folding.spool_entry import BadEvent, SpooledEvent, read_entry
from memory_mcp.sessions.session import RESUMING

MAX_BATCH = 256
MAX_BATCH_BYTES = 8 * 1024 * 1024
LIFETIME = timedelta(days=30)
"""Older entries are dropped. A holiday is no reason to lose what the last session left."""


@dataclass
class SpoolBatch:
    """Events in order; `newer` are the files that another version must fold."""

    events: list[SpooledEvent] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)
    buried: int = 0


def read_batch(spool: Spool, names: Sequence[str], most: int, now: datetime) -> SpoolBatch:
    """Read the first of `names`, at most so many, and at most 8 MiB of them.

    Of a session that ends and goes on the second part waits for the next batch, so that its end is one.
    """
    batch = SpoolBatch()
    ended: set[str] = set()
    size = 0
    oldest = (now - LIFETIME).timestamp() * 1000
    for name in names[: min(most, MAX_BATCH)]:
        try:
            entry = spool.read(name)
            if entry is None:
                continue
            if entry["v"] > FORMAT:
                batch.newer.append(name)
                continue
            spooled = read_entry(name, entry, now)
        except (BadEntry, BadEvent):
            spool.bury(name)
            batch.buried += 1
            continue
        if spool.created(name) < oldest:
            spool.remove(name)
            continue
        event = spooled.event
        size += len(event.body)
        if batch.events and (size > MAX_BATCH_BYTES or (spooled.session in ended and event.kind in RESUMING)):
            break
        if event.kind == "session-end":
            ended.add(spooled.session)
        batch.events.append(spooled)
    return batch
