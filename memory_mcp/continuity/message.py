"""A message: what an agent of one project asks or tells another project, for one of its sessions to take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory_mcp.model.clock import parse_time
from memory_mcp.model.record import Event
from memory_mcp.model.record_id import made_at
from memory_mcp.wiki.record_read import RecordFile


@dataclass(frozen=True, slots=True)
class Message:
    """A message as its file tells it; `sender` and `recipient` are scopes as `workspace/project`."""

    id: str
    wiki_path: str
    state: str
    subject: str
    body: str
    sender: str
    recipient: str
    agent: str
    created: datetime
    decided_by: Event | None = None
    rivals: tuple[Event, ...] = ()

    @property
    def is_pending(self) -> bool:
        """Whether it waits to be taken."""
        return self.state == "pending"


def message_of(found: RecordFile) -> Message:
    """The message that a record's file tells."""
    text = found.text
    try:
        created = parse_time(text.text("created"))
    except (ValueError, OverflowError):
        created = made_at(found.id)
    return Message(
        id=found.id,
        wiki_path=found.path,
        state=found.fold.state,
        subject=text.text("title"),
        body=text.body.strip("\n"),
        sender=text.text("from"),
        recipient=text.text("to"),
        agent=text.text("agent"),
        created=created,
        decided_by=found.fold.decided_by,
        rivals=found.fold.rivals,
    )
