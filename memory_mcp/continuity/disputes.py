"""Records that two clones decided about before they were merged: one decision counts, and both are named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from memory_mcp.model.clock import format_time
from memory_mcp.model.record import Event

TOLD_FOR = timedelta(days=7)
"""So long after the later decision sessions are told when they start; lists and lint go on."""

ASK = "Ask the user which of the sessions goes on."

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,23}\Z")
_SESSION = re.compile(r"[0-9a-f]{8}-")


def dispute_sentence(kind: str, name: str, decided_by: Event | None, rivals: Sequence[Event]) -> str:
    """What is told of the record of this id or code; stored text is in it as far as it is one short word."""
    others = ", ".join(f"{_who(event)} {_done(event)} it too" for event in rivals[:3])
    more = f", and {len(rivals) - 3} more did" if len(rivals) > 3 else ""
    keeps = f"{_who(decided_by)} keeps it, " if decided_by else ""
    return f"The {kind} {name} was taken in two clones of this memory: {keeps}{others}{more}."


def is_told(decided_by: Event | None, rivals: Sequence[Event], now: datetime) -> bool:
    """Whether a session that starts now is still told."""
    decisions = [*rivals, *([decided_by] if decided_by else [])]
    return bool(rivals) and now - max(event.at for event in decisions) < TOLD_FOR


def agent_word(agent: str) -> str:
    """What an agent calls itself, if that is one short word; else it is told inside of marks only."""
    if agent == "cli":
        return "the user"
    return agent if _WORD.match(agent) else "an agent"


def _who(event: Event) -> str:
    session = f", session {event.session[:8]}" if _SESSION.match(event.session) else ""
    return f"{agent_word(event.agent)} ({format_time(event.at)}{session})"


def _done(event: Event) -> str:
    return "cancelled" if event.event == "cancelled" else "took"
