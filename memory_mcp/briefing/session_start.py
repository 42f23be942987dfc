"""What a session is told when it starts: the handoff that it takes over, and what it should know."""

from __future__ import annotations

from pathlib import Path

from memory_mcp.briefing.handoff_block import handoff_block, offer_block
from memory_mcp.continuity.handoff_claim import HandoffClaimer, Receiver
from memory_mcp.errors import UserError
from memory_mcp.folding.handoff_text import relative_folder
from memory_mcp.folding.spool_fold import SpoolFold
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.session_id import session_id
from memory_mcp.store.checkout import current_branch
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.scope_resolve import ScopeResolver

CLAIMING = ("startup", "clear")
"""How a session must have begun to take a handoff over; one that goes on has its context already."""
LOCK_SECONDS = 1.0
FOLD_SECONDS = 1.0


class SessionStart:
    """Tells a session what it starts with; `claims` whether it may take a handoff over."""

    def __init__(
        self,
        scopes: ScopeResolver,
        lock: WriterLock,
        changes: WikiChanges,
        fold: SpoolFold,
        claimer: HandoffClaimer,
        clock: Clock,
        *,
        claims: bool,
    ) -> None:
        self._scopes = scopes
        self._lock = lock
        self._changes = changes
        self._fold = fold
        self._claimer = claimer
        self._clock = clock
        self._claims = claims

    def start(self, agent: str, native_id: str, cwd: str, source: str) -> str:
        """What the session of the client `agent` is told, "" for nothing.

        A handoff that is told whole was claimed: the claim is in a commit before this returns.
        """
        receiver = Receiver(
            agent,
            session_id(agent, native_id),
            cwd,
            relative_folder(cwd),
            current_branch(Path(cwd)),
        )
        try:
            return self._handoff(receiver, source)
        except UserError:
            return ""

    def _handoff(self, receiver: Receiver, source: str) -> str:
        with self._lock.hold_if_free("session-start", LOCK_SECONDS) as held:
            if not held:
                return ""
            self._fold.fold(FOLD_SECONDS)
            if source not in CLAIMING:
                return ""
            resolved = self._scopes.resolve_read()
            if resolved.source == "home":
                return ""
            now = self._clock()
            found = self._claimer.select(resolved.scope, receiver, now, at_start=True)
            if found.handoff is None:
                return offer_block(found.offers)
            if not self._claims:
                return offer_block((found.handoff, *found.offers))
            text = handoff_block(found.handoff)
            actor = Actor(receiver.agent, receiver.session)
            with self._changes.begin("handoff-accept", found.handoff.id, actor) as change:
                self._claimer.claim(change, found.handoff, receiver, now)
            return text
