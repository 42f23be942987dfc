"""What a session is told when it starts: the handoff that it takes over, and what it should know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from memory_mcp.briefing.brief_pages import read_brief_pages
from memory_mcp.briefing.brief_text import brief_text
from memory_mcp.briefing.start_text import StartParts, start_text
from memory_mcp.capture.spool import BadEntry, Spool
from memory_mcp.continuity.disputes import ASK, agent_word, dispute_sentence, is_told
from memory_mcp.continuity.handoff import MAX_TOLD_CHARS, Handoff, handoff_of, handoff_text
from memory_mcp.continuity.handoff_choice import Selection
from memory_mcp.continuity.handoff_claim import HandoffClaimer
from memory_mcp.continuity.handoff_receiver import Receiver, receiver_in
from memory_mcp.continuity.record_folder import RecordFolder
from memory_mcp.errors import UserError
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.marker import DEFAULT_BRIEFING_CHARS
from memory_mcp.wiki.record_read import RecordFile
from memory_mcp.wiki.scope_resolve import ScopeResolver

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CLAIMING = ("startup", "clear")
"""How a session must have begun to take a handoff over; one that goes on has its context already."""
LOCK_SECONDS = 1.0
MAX_OFFERS = 5
MAX_DISPUTES = 3


class CallerWords(NamedTuple):
    """What is known about the person in a few lines, and the version of the prompt that tells the whole."""

    digest: str = ""
    version: str = ""


class SessionStart:
    """Tells a session what it starts with; `claims` says whether it may take a handoff over.

    `fold` folds what hooks spooled, as far as one second goes; `leave` lets the sessions of a scope, but for
    the one of this id, hand over what they were in the middle of.
    """

    def __init__(
        self,
        wiki: Path,
        index: Path,
        scopes: ScopeResolver,
        lock: WriterLock,
        changes: WikiChanges,
        spool: Spool,
        fold: Callable[[], object],
        leave: Callable[[Scope, str], object],
        handoffs: RecordFolder,
        messages: RecordFolder,
        claimer: HandoffClaimer,
        caller: Callable[[], CallerWords],
        clock: Clock,
        *,
        claims: bool,
    ) -> None:
        self._wiki = wiki
        self._index = index
        self._scopes = scopes
        self._lock = lock
        self._changes = changes
        self._spool = spool
        self._fold = fold
        self._leave = leave
        self._handoffs = handoffs
        self._messages = messages
        self._claimer = claimer
        self._caller = caller
        self._clock = clock
        self._claims = claims

    def start(self, agent: str, native_id: str, cwd: str, source: str) -> str:
        """What the session of the client `agent` is told, "" for nothing; it never raises.

        A handoff that is told was claimed: the claim is in a commit before this returns. While another
        process holds the lock nothing is claimed, and the rest is told all the same.
        """
        unplaced = receiver_in(agent, native_id, "")
        receiver = _tolerant(lambda: receiver_in(agent, native_id, cwd), unplaced)
        with self._lock.hold_if_free("session-start", LOCK_SECONDS) as held:
            if held:
                _tolerant(self._changes.repair_if_due, None)
                if self._others_wait(native_id):
                    _tolerant(self._fold, None)
            resolved = _tolerant(self._scopes.resolve_read, None)
            if resolved is None:
                return start_text(StartParts(caller=self._caller_lines()))
            if held and source in CLAIMING:
                _tolerant(lambda: self._leave(resolved.scope, receiver.session), None)
            return self._tell(resolved, receiver, source, may_claim=held and self._claims)

    def _others_wait(self, native_id: str) -> bool:
        """Whether the spool holds more than the start of this session, which can wait for more to come."""
        names = self._spool.names()
        if len(names) != 1:
            return bool(names)
        try:
            entry = self._spool.read(names[0]) or {}
        except BadEntry:
            return True
        return (entry.get("kind"), entry.get("native_id")) != ("session-start", native_id)

    def _tell(self, resolved: ResolvedScope, receiver: Receiver, source: str, *, may_claim: bool) -> str:
        scope, now = resolved.scope, self._clock()
        none: Sequence[RecordFile] = ()
        records = _tolerant(lambda: self._handoffs.records(scope), none)
        messages = _tolerant(lambda: self._messages.records(scope), none)
        found = Selection(None)
        if source in CLAIMING:
            found = _tolerant(lambda: self._choose(scope, records, receiver, now), found)
        taken = found.handoff if may_claim else None
        waiting = [found.handoff] if found.handoff and not taken else []
        parts = StartParts(
            banner=_banner(taken) if taken else "",
            handoff=handoff_text(taken, MAX_TOLD_CHARS) if taken else "",
            handoff_id=taken.id if taken else "",
            offers=_offers([*waiting, *found.others], found.offers),
            notices=_notices(scope, records, messages, now),
            caller=self._caller_lines(),
            brief_name=str(scope),
        )
        text = start_text(parts, lambda limit: _tolerant(lambda: self._brief(scope, limit), ""))
        if taken and not _tolerant(lambda: self._claim(taken, receiver), False):
            text = start_text(
                parts.without_handoff(), lambda limit: _tolerant(lambda: self._brief(scope, limit), "")
            )
        return text

    def _choose(
        self, scope: Scope, records: Sequence[RecordFile], receiver: Receiver, now: datetime
    ) -> Selection:
        handoffs = [handoff_of(scope, record) for record in records if record.fold.state == "open"]
        return self._claimer.choose(handoffs, receiver, now, at_start=True)

    def _claim(self, handoff: Handoff, receiver: Receiver) -> bool:
        actor = Actor(receiver.agent, receiver.session)
        with self._changes.begin("handoff-accept", handoff.id, actor) as change:
            self._claimer.claim(change, handoff, receiver, self._clock())
        return True

    def _brief(self, scope: Scope, limit: int) -> str:
        marker = self._scopes.marker()
        if marker is not None and not marker.briefing_inject:
            return ""
        most = marker.briefing_max_chars if marker is not None else DEFAULT_BRIEFING_CHARS
        pages = read_brief_pages(self._wiki, self._index, scope, self._clock())
        return brief_text(scope, pages, min(limit, most))

    def _caller_lines(self) -> str:
        words = _tolerant(self._caller, CallerWords())
        if not words.digest:
            return ""
        return f"{words.digest}\n(version {words.version}; session_context tells the whole)"


def _banner(handoff: Handoff) -> str:
    return f"Work was left here by {agent_word(handoff.agent)}, {format_time(handoff.updated)}."


def _offers(waiting: Sequence[Handoff], busy: Sequence[Handoff]) -> str:
    """What a session is told of handoffs that it did not take: nothing of their text."""
    lines = [_offer(each) for each in waiting]
    lines += [f"{_offer(each)}; its session may still go on" for each in busy]
    if not lines:
        return ""
    more = [f"- and {len(lines) - MAX_OFFERS} more: memory_handoff_list"] if len(lines) > MAX_OFFERS else []
    first = (
        "Work waits here that is not yours yet. Ask the user before you take it with memory_handoff_accept:"
    )
    return "\n".join([first, *lines[:MAX_OFFERS], *more])


def _offer(handoff: Handoff) -> str:
    return f"- {handoff.id}: from {agent_word(handoff.agent)}, {format_time(handoff.updated)}"


def _notices(
    scope: Scope, handoffs: Sequence[RecordFile], messages: Sequence[RecordFile], now: datetime
) -> str:
    """What waits in the inbox, as a number alone, and what two clones took."""
    lines = []
    count = sum(record.fold.state == "pending" for record in messages)
    if count:
        lines.append(
            f"{count} message{'s' * (count > 1)} from other projects wait{'s' * (count == 1)} for {scope}: "
            "ask the user, then take the oldest with memory_message_pop."
        )
    disputed = [
        dispute_sentence(kind, record.id, record.fold.decided_by, record.fold.rivals)
        for kind, records in (("handoff", handoffs), ("message", messages))
        for record in records
        if is_told(record.fold.decided_by, record.fold.rivals, now)
    ]
    if disputed:
        lines += [*disputed[-MAX_DISPUTES:], ASK]
    return "\n".join(lines)


def _tolerant(call: Callable[[], Result], otherwise: Result) -> Result:
    """What the call gives; what fails leaves a session without that part, never without a start."""
    try:
        return call()
    except UserError as error:
        log.warning("a session starts with less: %s", error)
    except Exception:
        log.exception("a session starts with less")
    return otherwise
