"""What agents and people do with handoffs: begin, list, accept, cancel, expire. Each change is one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.continuity.handoff import (
    MANUAL,
    Handoff,
    HandoffDraft,
    handoff_of,
    handoff_text,
    handoff_values,
)
from memory_mcp.continuity.handoff_caps import MAX_TITLE_CHARS, cap_draft
from memory_mcp.continuity.handoff_claim import HandoffClaimer, Receiver
from memory_mcp.continuity.record_folder import RecordFolder
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import HANDOFF, Event
from memory_mcp.model.record_id import codes_of, new_id
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.model.session_id import session_id
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.record_file import add_event, compose_record
from memory_mcp.wiki.scope_resolve import ScopeResolver

CLAIMED = "claimed"
CONSUMED_BY_HOOK = "consumed_by_hook"
"""The session's own start took it already; here it is again."""
NONE_PENDING = "none_pending"


@dataclass(frozen=True, slots=True)
class WrittenHandoff:
    """A handoff that was begun, cancelled or expired, its code, and the commit."""

    handoff: Handoff
    code: str
    commit: str | None
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class ListedHandoffs:
    """Handoffs of a scope, oldest first, with their codes. `disputed` were claimed in two clones."""

    resolved: ResolvedScope
    handoffs: tuple[Handoff, ...]
    codes: dict[str, str]
    disputed: tuple[Handoff, ...] = ()


@dataclass(frozen=True, slots=True)
class AcceptedHandoff:
    """What a session got: `status` says how; `waiting` is how many others there are."""

    resolved: ResolvedScope
    status: str
    handoff: Handoff | None
    code: str = ""
    waiting: int = 0


class Handoffs:
    """The handoffs of the project that a call means."""

    def __init__(
        self,
        folder: RecordFolder,
        claimer: HandoffClaimer,
        scopes: ScopeResolver,
        changes: WikiChanges,
        sanitizer: Sanitizer,
        machine: Callable[[], str],
        clock: Clock,
    ) -> None:
        self._folder = folder
        self._claimer = claimer
        self._scopes = scopes
        self._changes = changes
        self._sanitizer = sanitizer
        self._machine = machine
        self._clock = clock

    def begin(
        self,
        draft: HandoffDraft,
        actor: Actor,
        *,
        workspace: str = "",
        project: str = "",
    ) -> WrittenHandoff:
        """Leave a handoff by hand, for any session of the project.

        Raises:
            InvalidInput: the summary is blank, or nothing tells which project is meant.
            Busy, Conflict, Unavailable: see `WikiChanges.begin`.
        """
        if not draft.summary.strip():
            raise InvalidInput("summary is blank: say what was done, what is left, and where to go on.")
        scope = self._scopes.resolve_write(workspace, project).scope
        cleaned = self._cleaned(draft)
        now = self._clock()
        record_id = new_id(now)
        path = self._folder.wiki_path(scope, record_id)
        with self._changes.begin("handoff-begin", path, actor) as change:
            event = Event(
                now.replace(microsecond=0), "opened", one_line(actor.name), _session(actor), self._machine()
            )
            values = handoff_values(
                record_id,
                cleaned,
                created=now,
                updated=None,
                origin=MANUAL,
                agent=one_line(actor.name),
                session="",
            )
            change.put(path, compose_record(HANDOFF, values, [event], f"{cleaned.summary}\n"))
            change.log(scope, "handoff-begin", f"{record_id} {cleaned.title}")
        redacted = any("[REDACTED]" in text and text not in _texts(draft) for text in _texts(cleaned))
        return self._written(scope, record_id, change.commit, redacted=redacted)

    def look(self, *, workspace: str = "", project: str = "", closed: bool = False) -> ListedHandoffs:
        """The open handoffs of a project, oldest first; the others too with `closed`. Nothing is claimed.

        Raises:
            InvalidInput, NotFound: see `ScopeResolver.resolve_pages`.
        """
        resolved = self._scopes.resolve_pages(workspace, project)
        records = self._folder.records(resolved.scope, settled=closed)
        found = [handoff_of(resolved.scope, record) for record in records]
        shown = tuple(each for each in found if closed or each.is_open)
        disputed = tuple(each for each in found if each.rivals)
        return ListedHandoffs(resolved, shown, codes_of(self._folder.ids(resolved.scope)), disputed)

    def accept(
        self, code: str, receiver: Receiver, *, workspace: str = "", project: str = ""
    ) -> AcceptedHandoff:
        """Claim the handoff of this code, or the one that fits this session best.

        A session that claimed one already, at its start say, gets the same one again when nothing else waits.

        Raises:
            InvalidInput, NotFound: the scope or the code is none.
            Conflict: the handoff is claimed by another session, cancelled or expired.
        """
        resolved = self._scopes.resolve_pages(workspace, project)
        scope = resolved.scope
        now = self._clock()
        actor = Actor(receiver.agent, receiver.session)
        with self._changes.begin("handoff-accept", str(scope), actor) as change:
            if code:
                wanted: Handoff | None = handoff_of(scope, self._folder.find(scope, code))
            else:
                wanted = self._claimer.select(scope, receiver, now, at_start=False).handoff
            mine = self._taken_by(scope, receiver, wanted if code else None)
            if mine is not None and (code or wanted is None):
                return self._accepted(resolved, CONSUMED_BY_HOOK, mine)
            if wanted is None:
                return self._accepted(resolved, NONE_PENDING, None)
            if not wanted.is_open:
                raise Conflict(_closed_sentence(wanted))
            self._claimer.claim(change, wanted, receiver, now)
        return self._accepted(resolved, CLAIMED, wanted)

    def cancel(
        self, code: str, actor: Actor, *, workspace: str = "", project: str = ""
    ) -> tuple[WrittenHandoff, bool]:
        """Cancel an open handoff; whether it was open still.

        Raises:
            InvalidInput, NotFound: the scope or the code is none.
        """
        scope = self._scopes.resolve_pages(workspace, project).scope
        found = self._folder.find(scope, code)
        with self._changes.begin("handoff-cancel", found.wiki_path, actor) as change:
            is_open = handoff_of(scope, self._folder.get(scope, found.id)).is_open
            if is_open:
                change.put(found.wiki_path, self._ended(change.read(found.wiki_path), "cancelled", actor))
                change.log(scope, "handoff-cancelled", found.id)
        return self._written(scope, found.id, change.commit), is_open

    def text(self, code: str, *, workspace: str = "", project: str = "") -> str:
        """What the handoff of this code says, for a person; it stays as it is.

        Raises:
            InvalidInput, NotFound: the scope or the code is none.
        """
        scope = self._scopes.resolve_pages(workspace, project).scope
        return handoff_text(handoff_of(scope, self._folder.find(scope, code)))

    def older_than(self, listed: ListedHandoffs, age: timedelta) -> Sequence[Handoff]:
        """Those of the open handoffs that were last written so long ago."""
        oldest = self._clock() - age
        return [each for each in listed.handoffs if each.is_open and each.updated <= oldest]

    def expire_all(
        self, actor: Actor, *, older_than: timedelta, workspace: str = "", project: str = ""
    ) -> Sequence[Handoff]:
        """Let every open handoff of a project expire that is older; those that did."""
        scope = self._scopes.resolve_pages(workspace, project).scope
        oldest = self._clock() - older_than
        with self._changes.begin("handoff-expire", str(scope), actor) as change:
            gone = [each for each in self._claimer.waiting(scope) if each.updated <= oldest]
            for each in gone:
                change.put(each.wiki_path, self._ended(change.read(each.wiki_path), "expired", actor))
            if gone:
                change.log(scope, "handoff-expired", f"{len(gone)} handoffs")
        return gone

    def _ended(self, data: bytes | None, event: str, actor: Actor) -> bytes:
        at = self._clock()
        named = Event(at, event, one_line(actor.name), _session(actor), self._machine())
        return add_event(data or b"", HANDOFF, named)

    def _taken_by(self, scope: Scope, receiver: Receiver, wanted: Handoff | None) -> Handoff | None:
        """What this session claimed last, or whether it claimed the one that it wants."""
        if not receiver.session:
            return None
        records = self._folder.records(scope, naming=receiver.session)
        found = [handoff_of(scope, each) for each in records if each.fold.state == "accepted"]
        mine = [each for each in found if each.decided_by and each.decided_by.session == receiver.session]
        if wanted is not None:
            mine = [each for each in mine if each.id == wanted.id]
        return max(
            mine, key=lambda each: each.decided_by.at if each.decided_by else datetime.min, default=None
        )

    def _accepted(self, resolved: ResolvedScope, status: str, handoff: Handoff | None) -> AcceptedHandoff:
        ids = self._folder.ids(resolved.scope)
        waiting = [
            each for each in self._claimer.waiting(resolved.scope) if handoff is None or each.id != handoff.id
        ]
        code = codes_of(ids).get(handoff.id, "") if handoff else ""
        return AcceptedHandoff(resolved, status, handoff, code, len(waiting))

    def _written(
        self, scope: Scope, record_id: str, commit: str | None, *, redacted: bool = False
    ) -> WrittenHandoff:
        handoff = handoff_of(scope, self._folder.get(scope, record_id))
        return WrittenHandoff(handoff, codes_of(self._folder.ids(scope))[record_id], commit, redacted)

    def _cleaned(self, draft: HandoffDraft) -> HandoffDraft:
        clean = self._sanitizer.clean
        summary = clean(draft.summary)
        title = draft.title or summary.strip().partition("\n")[0].lstrip("# ")
        return cap_draft(
            HandoffDraft(
                title=one_line(clean(title), MAX_TITLE_CHARS),
                summary=summary,
                open_questions=tuple(clean(each) for each in draft.open_questions),
                next_steps=tuple(clean(each) for each in draft.next_steps),
                files_touched=tuple(clean(each) for each in draft.files_touched),
                dir=clean(draft.dir),
                branch=clean(draft.branch),
            )
        )


def _texts(draft: HandoffDraft) -> list[str]:
    return [draft.summary, *draft.open_questions, *draft.next_steps, *draft.files_touched]


def _session(actor: Actor) -> str:
    return session_id(actor.name, actor.session)


def _closed_sentence(handoff: Handoff) -> str:
    by = handoff.decided_by
    who = f" by {by.agent or 'somebody'}" if by else ""
    return f"handoff {handoff.id} is {handoff.state}{who}: look at the list for what is still open."
