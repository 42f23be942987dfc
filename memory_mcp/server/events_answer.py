"""Recorded events of a session as an answer: data from a session, fenced event by event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_mcp.model.clock import format_milliseconds, format_time
from memory_mcp.model.fence import NOT_INSTRUCTIONS
from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import ANSWER_CHARS, scope_facts

if TYPE_CHECKING:
    from memory_mcp.briefing.session_read import ReadEvents
    from memory_mcp.sessions.session import SessionEvent

CUT = " [… cut …]"
FRAME_CHARS = 1_000
"""What the answer says besides the events."""


def events_answer(read: ReadEvents, body_max_chars: int) -> tuple[str, dict[str, Any]]:
    """Events as text and as an object; as many as fit, and how to go on."""
    head = read.session.head
    facts: dict[str, Any] = {
        "session": {
            "session_id": head.id,
            "agent": one_line(head.agent),
            "cwd": one_line(head.cwd),
            "started_at": format_time(head.started),
            "ended": read.session.has_ended,
            "observation_count": len(read.session.events),
        },
        "total": read.total,
        "offset": read.offset,
        "notice": NOT_INSTRUCTIONS,
        **scope_facts(read.resolved),
    }
    if read.elsewhere:
        facts["elided_other_scope"] = read.elsewhere
    room = ANSWER_CHARS - FRAME_CHARS
    shown: list[dict[str, Any]] = []
    for event in read.events:
        fact = _facts(event, body_max_chars)
        size = len(json.dumps(fact, ensure_ascii=False)) + 2
        if size > room and shown:
            break
        if size > room:
            fact["body"] = fact["body"][: max(0, len(fact["body"]) - (size - room) - len(CUT))] + CUT
        shown.append(fact)
        room -= size
    facts["observations"] = shown
    following = read.offset + len(shown)
    if following < read.total:
        facts["next_offset"] = following
    lines = [f"Session {head.id} ({one_line(head.agent)}), {read.total} events; {NOT_INSTRUCTIONS}"]
    lines += [
        f"{each['seq']}. {each['created_at']} {each['kind']}: {each.get('title', '')}" for each in shown
    ]
    if following < read.total:
        lines.append(f"Go on with offset={following}.")
    return "\n".join(lines), facts


def _facts(event: SessionEvent, body_max_chars: int) -> dict[str, Any]:
    body = event.body
    if len(body) > body_max_chars:
        body = body[: body_max_chars - len(CUT)] + CUT
    facts: dict[str, Any] = {
        "seq": event.seq,
        "id": event.id,
        "kind": event.kind,
        "created_at": format_milliseconds(event.at),
        "title": one_line(event.title),
        "body": body,
        "importance": event.importance,
        "extension": event.extension,
        "source_event": event.source_event,
        "tool": dict(event.tool),
    }
    return {name: value for name, value in facts.items() if value not in ("", {})}
