"""What a session is told when it starts: the handoff that it takes over, and what it should know."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memory_mcp.briefing.brief_pages import read_brief_pages
from memory_mcp.briefing.brief_text import brief_text
from memory_mcp.briefing.start_text import StartParts, start_text
from memory_mcp.continuity.handoff import Handoff, handoff_text
from memory_mcp.continuity.handoff_claim import HandoffClaimer, Receiver, Selection
from memory_mcp.errors import UserError
from memory_mcp.folding.handoff_text import relative_folder
from memory_mcp.folding.spool_fold import SpoolFold
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.model.session_id import session_id
from memory_mcp.store.checkout import current_branch
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.marker import DEFAULT_BRIEFING_CHARS
from memory_mcp.wiki.scope_resolve import ScopeResolver

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CLAIMING = ("startup", "clear")
"""How a session must have begun to take a handoff over; one that goes on has its context already."""
LOCK_SECONDS = 1.0
FOLD_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class CallerWords:
    """What is known about the person in a few lines, and the version of the prompt that tells the whole."""

    digest: str = ""
    version: str = ""


class SessionStart:
    """Tells a session what it starts with; `claims` whether it may take a handoff over."""

    def __init__(
        self,
        wiki: Path,
        scopes: ScopeResolver,
        lock: WriterLock,
        changes: WikiChanges,
        fold: SpoolFold,
        claimer: HandoffClaimer,
        pending_messages: Callable[[Scope], int],
        caller: Callable[[], CallerWords],
        clock: Clock,
        *,
        claims: bool,
    ) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._lock = lock
        self._changes = changes
        self._fold = fold
        self._claimer = claimer
        self._pending_messages = pending_messages
        self._caller = caller
        self._clock = clock
        self._claims = claims

    def start(self, agent: str, native_id: str, cwd: str, source: str) -> str:
        """What the session of the client `agent` is told, "" for nothing.

        A handoff that is told whole was claimed: the claim is in a commit before this returns. While another
        process holds the lock nothing is claimed, and the rest is told all the same.
        """
        folder = Path(cwd)
        receiver = Receiver(
            agent, session_id(agent, native_id), cwd, relative_folder(cwd), current_branch(folder)
        )
        with self._lock.hold_if_free("session-start", LOCK_SECONDS) as held:
            if held:
                _tolerant(lambda: self._fold.fold(FOLD_SECONDS), None)
            resolved = _tolerant(self._scopes.resolve_read, None)
            if resolved is None or resolved.source == "home":
                return start_text(StartParts(caller=self._caller_lines()))
            wants = held and source in CLAIMING
            found = _tolerant(lambda: self._select(resolved.scope, receiver), Selection(None))
            taken = found.handoff if wants and self._claims else None
            offers = found.offers if taken or found.handoff is None else (found.handoff, *found.offers)
            parts = StartParts(
                banner=_banner(taken) if taken else "",
                handoff=handoff_text(taken) if taken else "",
                handoff_id=taken.id if taken else "",
                offers=_offer_lines(offers) if source in CLAIMING else "",
                brief=_tolerant(lambda: self._brief(resolved), ""),
                brief_name=str(resolved.scope),
                notices=_tolerant(lambda: self._notices(resolved.scope), ""),
                caller=self._caller_lines(),
            )
            text = start_text(parts)
            if taken and not _tolerant(lambda: self._claim(taken, receiver), False):
                return self._without_handoff(parts)
            return text

    def _select(self, scope: Scope, receiver: Receiver) -> Selection:
        return self._claimer.select(scope, receiver, self._clock(), at_start=True)

    def _claim(self, handoff: Handoff, receiver: Receiver) -> bool:
        actor = Actor(receiver.agent, receiver.session)
        with self._changes.begin("handoff-accept", handoff.id, actor) as change:
            self._claimer.claim(change, handoff, receiver, self._clock())
        return True

    def _without_handoff(self, parts: StartParts) -> str:
        return start_text(
            StartParts(
                offers=parts.offers,
                brief=parts.brief,
                brief_name=parts.brief_name,
                notices=parts.notices,
                caller=parts.caller,
            )
        )

    def _brief(self, resolved: ResolvedScope) -> str:
        marker = self._scopes.marker()
        if marker is not None and not marker.briefing_inject:
            return ""
        limit = marker.briefing_max_chars if marker is not None else DEFAULT_BRIEFING_CHARS
        pages = read_brief_pages(self._wiki, resolved.scope, self._clock())
        return brief_text(resolved.scope, pages, limit)

    def _notices(self, scope: Scope) -> str:
        count = self._pending_messages(scope)
        if not count:
            return ""
        return (
            f"{count} message{'s' if count > 1 else ''} from other projects wait for {scope}: ask the user, "
            "then take them with memory_message_pop."
        )

    def _caller_lines(self) -> str:
        words = _tolerant(self._caller, CallerWords())
        if not words.digest:
            return ""
        return f"{words.digest}\n(version {words.version}; session_context tells the whole)"


def _banner(handoff: Handoff) -> str:
    who = one_line(handoff.agent) or "an agent"
    return f"Work was left here by {who}, {format_time(handoff.updated)}."


def _offer_lines(offers: tuple[Handoff, ...]) -> str:
    """What a session is told of handoffs that it did not take: nothing of their text."""
    if not offers:
        return ""
    lines = [
        f"- {each.id}: from {one_line(each.agent) or 'an agent'}, {format_time(each.updated)}"
        for each in offers
    ]
    first = (
        "Another session left work here, and may still be at it. Ask the user before you take it over with "
        "memory_handoff_accept:"
    )
    return "\n".join([first, *lines])


def _tolerant(call: Callable[[], Result], otherwise: Result) -> Result:
    """What the call gives; what it is refused leaves a session without that part, never without a start."""
    try:
        return call()
    except UserError as error:
        log.warning("a session starts with less: %s", error)
        return otherwise
