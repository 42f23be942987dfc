"""Letting a handoff expire that later work has superseded."""

from __future__ import annotations

from memory_mcp.model.record import HANDOFF, Event
from memory_mcp.store.wiki_change import Change
from memory_mcp.wiki.record_file import add_event
from memory_mcp.wiki.record_read import RecordFile

SUPERSEDED = "superseded"


def expire_superseded(change: Change, record: RecordFile, by: Event) -> None:
    """Let an open handoff expire for the sake of what happened in `by`, in a change; the history tells."""
    event = by._replace(event="expired", reason=SUPERSEDED)
    change.put(record.path, add_event(record.data, HANDOFF, event))
