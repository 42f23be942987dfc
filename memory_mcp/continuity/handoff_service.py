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
from memory_mcp.continuity.handoff_caps import cap_draft
from memory_mcp.continuity.handoff_claim import HandoffClaimer
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.continuity.record_folder import RecordFolder, mend_states
from memory_mcp.errors import InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import HANDOFF, Event, claims_of, event_by
from memory_mcp.model.record_id import codes_of, new_id
from memory_mcp.model.scope import GLOBAL, ResolvedScope, Scope
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
    """Handoffs of a scope, oldest first, with their codes.

    `disputed` were decided about in two clones; `problems` say which files cannot be read as handoffs.
    """

    resolved: ResolvedScope
    handoffs: tuple[Handoff, ...]
    codes: dict[str, str]
    disputed: tuple[Handoff, ...] = ()
    problems: tuple[str, ...] = ()


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
        if not one_line(draft.summary):
            raise InvalidInput("summary is blank: say what was done, what is left, and where to go on.")
        scope = self._scopes.resolve_write(workspace, project).scope
        if scope == GLOBAL:
            raise InvalidInput("the standing preferences are no project to hand over: name a project.")
        cleaned = self._cleaned(draft)
        now = self._clock()
        record_id = new_id(now)
        path = self._folder.new_path(scope, record_id)
        with self._changes.begin("handoff-begin", path, actor) as change:
            values = handoff_values(
                record_id,
                cleaned,
                created=now,
                updated=None,
                origin=MANUAL,
                agent=one_line(actor.name),
                session="",
            )
            opened = [self._event("opened", actor)]
            change.put(path, compose_record(HANDOFF, values, opened, f"{cleaned.summary}\n"))
            change.log(scope, "handoff-begin", f"{record_id} {cleaned.title}")
            mend_states(change, self._folder.records(scope))
        redacted = any(self._sanitizer.clean(text) != text for text in _texts(draft))
        return self._written(scope, record_id, change.commit, redacted=redacted)

    def look(
        self,
        *,
        workspace: str = "",
        project: str = "",
        closed: bool = False,
        older_than: timedelta = timedelta(0),
    ) -> ListedHandoffs:
        """The open handoffs of a project, oldest first; the others too with `closed`. Nothing is claimed.

        With `older_than` those that were last written so long ago.

        Raises:
            InvalidInput, NotFound: see `ScopeResolver.resolve_pages`.
        """
        resolved = self._scopes.resolve_pages(workspace, project)
        oldest = self._clock() - older_than
        files = self._folder.look(resolved.scope, settled=closed)
        found = [handoff_of(resolved.scope, record) for record in files.records]
        return ListedHandoffs(
            resolved,
            tuple(
                each
                for each in found
                if (closed or each.is_open) and (not older_than or each.updated <= oldest)
            ),
            files.codes,
            tuple(each for each in found if each.rivals),
            files.problems,
        )

    def accept(
        self, code: str, receiver: Receiver, *, workspace: str = "", project: str = ""
    ) -> AcceptedHandoff:
        """Claim the handoff of this code, or the one that fits this session best.

        A session that claimed one already, at its start say, gets the same one again when nothing else waits,
        or when it names it.

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
            taken = self._claimer.claim(change, wanted, receiver, now)
        return self._accepted(resolved, CLAIMED, taken)

    def cancel(
        self, code: str, actor: Actor, *, workspace: str = "", project: str = ""
    ) -> tuple[WrittenHandoff, bool]:
        """Cancel an open handoff; whether it was open still.

        Raises:
            InvalidInput, NotFound: the scope or the code is none.
        """
        scope = self._scopes.resolve_pages(workspace, project).scope
        found = self._folder.find(scope, code)
        with self._changes.begin("handoff-cancel", found.path, actor) as change:
            fresh = self._folder.get(scope, found.id)
            is_open = handoff_of(scope, fresh).is_open
            if is_open:
                change.put(fresh.path, add_event(fresh.data, HANDOFF, self._event("cancelled", actor)))
                change.log(scope, "handoff-cancelled", fresh.id)
            mend_states(change, self._folder.records(scope))
        return self._written(scope, found.id, change.commit), is_open

    def text(self, code: str, *, workspace: str = "", project: str = "") -> str:
        """What the handoff of this code says, for a person; it stays as it is.

        Raises:
            InvalidInput, NotFound: the scope or the code is none.
        """
        scope = self._scopes.resolve_pages(workspace, project).scope
        return handoff_text(handoff_of(scope, self._folder.find(scope, code)))

    def expire_all(
        self, actor: Actor, *, older_than: timedelta, workspace: str = "", project: str = ""
    ) -> Sequence[Handoff]:
        """Let every open handoff of a project expire that is older; those that did."""
        scope = self._scopes.resolve_pages(workspace, project).scope
        oldest = self._clock() - older_than
        with self._changes.begin("handoff-expire", str(scope), actor) as change:
            found = [(record, handoff_of(scope, record)) for record in self._folder.records(scope)]
            gone = [pair for pair in found if pair[1].is_open and pair[1].updated <= oldest]
            for record, _ in gone:
                change.put(record.path, add_event(record.data, HANDOFF, self._event("expired", actor)))
            if gone:
                change.log(scope, "handoff-expired", f"{len(gone)} handoffs")
            mend_states(change, [record for record, _ in found])
        return [handoff for _, handoff in gone]

    def _event(self, name: str, actor: Actor) -> Event:
        return event_by(actor, name, self._clock(), self._machine())

    def _taken_by(self, scope: Scope, receiver: Receiver, wanted: Handoff | None) -> Handoff | None:
        """What this session claimed last, or the one that it wants if it claimed that one.

        A claim that lost against another clone's counts too: the session knows the text, and is told
        who keeps it.
        """
        if not receiver.session:
            return None
        records = self._folder.records(scope, naming=receiver.session)
        found = [handoff_of(scope, each) for each in records]
        mine = [each for each in found if claims_of(each, HANDOFF, receiver.session)]
        if wanted is not None:
            mine = [each for each in mine if each.id == wanted.id]
        return max(mine, key=lambda each: _claimed_at(each, receiver.session), default=None)

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
                title=clean(title),
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


def _claimed_at(handoff: Handoff, session: str) -> datetime:
    return max(each.at for each in claims_of(handoff, HANDOFF, session))
