"""What a session is called: the first thing that its user asked for."""

from __future__ import annotations

import re

from memory_mcp.sessions.session import Session, SessionEvent

_SCAFFOLDING = re.compile(
    r"<[A-Za-z][\w-]*[ >]|# AGENTS\.md|# Files mentioned|Caveat: |\[Request interrupted|\$ |❯|%\s"
    r"|/[a-z-]+(?:\s|\Z)"
)
"""How texts begin that a client, not its user, put there: blocks of its own, echoed shells, commands."""
_ACKNOWLEDGED = re.compile(
    r"(?:ok(?:ay)?(?:,? thanks)?|yes|yep|no|thanks?|thank you|thx|done|good|great|perfect|nice|go on|continue"
    r"|please do|lgtm|好的|谢谢)[\s.!,]*\Z",
    re.IGNORECASE,
)
MAX_ACKNOWLEDGEMENT = 20


def session_title(session: Session) -> str:
    """The title of the session's page."""
    if not session.events:
        return "session"
    prompts = [event.title for event in prompts_of(session) if event.title]
    others = (event.title for event in session.events if event.kind not in ("session-start", "user-prompt"))
    meaningful = (title for title in prompts if is_meaningful(title))
    return next((title for title in (*meaningful, *prompts, *others) if title), f"Session {session.head.id}")


def prompts_of(session: Session) -> list[SessionEvent]:
    """What the user wrote, without what the client put there."""
    return [
        event
        for event in session.events
        if event.kind == "user-prompt" and not _SCAFFOLDING.match(event.title or event.body)
    ]


def is_meaningful(text: str) -> bool:
    """Whether the text says something: an acknowledgement does not."""
    text = text.strip()
    return bool(text) and not (len(text) <= MAX_ACKNOWLEDGEMENT and _ACKNOWLEDGED.match(text))
