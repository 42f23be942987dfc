"""Folding one batch: lines of the sessions' files, then page, record and log in one commit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from memory_mcp.errors import UserError
from memory_mcp.folding.event_scope import EventScopes
from memory_mcp.folding.project_log import write_log
from memory_mcp.folding.session_boundary import SessionBoundaries
from memory_mcp.folding.session_growth import SessionGrowth, begin_growth
from memory_mcp.folding.session_title import session_title
from memory_mcp.folding.spool_entry import SpooledEvent
from memory_mcp.model.actor import Actor
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import SessionHead
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.store import steps
from memory_mcp.store.checkout import current_branch
from memory_mcp.store.wiki_change import Change, WikiChanges

log = logging.getLogger(__name__)

MAX_SUBJECT_CHARS = 60

Growths = dict[tuple[Scope, str], SessionGrowth]


class BatchFold:
    """Folds batches; the writer lock must be held. `clean` takes secrets out of what no hook has cleaned."""

    def __init__(
        self,
        changes: WikiChanges,
        files: SessionFiles,
        scopes: EventScopes,
        boundaries: SessionBoundaries,
        clean: Callable[[str], str],
        caller: str,
    ) -> None:
        self._changes = changes
        self._files = files
        self._scopes = scopes
        self._boundaries = boundaries
        self._clean = clean
        self._caller = caller

    def fold(self, events: Sequence[SpooledEvent], *, into_wiki: bool = True) -> None:
        """Fold these events, in their order; those that their session has already count once.

        What cannot be written of a session into the wiki is left out with a warning: its events are kept.
        Without `into_wiki` that holds for all of them.

        Raises:
            UserError: a session's file cannot be read or written, or the disk or git refuses.
        """
        growths: Growths = {}
        for spooled in events:
            for growth in self._growths_of(growths, spooled):
                growth.take(spooled)
        if not growths:
            return
        with self._changes.begin("fold", _subject(growths), _actor(growths)) as change:
            for (scope, session), growth in growths.items():
                if into_wiki:
                    self._write_wiki(change, growths, growth)
                steps.reach("fold.append")
                if growth.lines:
                    self._files.append(scope, session, growth.lines)  # the next handoff looks at it
                steps.reach("fold.appended")

    def _write_wiki(self, change: Change, growths: Growths, growth: SessionGrowth) -> None:
        """Put what follows from the batch into the change, all of it or nothing."""
        before, lines = dict(change.files), list(growth.lines)
        try:
            did_something = self._did_something(growths, growth.before.head.id)
            self._boundaries.write(change, growth, did_something=did_something)
            if growth.session.is_substantive:
                write_log(change, growth.before.head.scope, growth.log)
        except UserError as error:
            log.warning("session %s leaves only its events: %s", growth.before.head.id, error)
        except Exception:
            log.exception("session %s leaves only its events", growth.before.head.id)
        else:
            return
        change.files.clear()
        change.files.update(before)
        growth.lines[:] = lines

    def _did_something(self, growths: Growths, session: str) -> bool:
        """Whether the session is substantive, in whatever project."""
        batch = (growth for (_, name), growth in growths.items() if name == session)
        return any(each.session.is_substantive for each in batch) or self._files.did_something(session)

    def _growths_of(self, growths: Growths, spooled: SpooledEvent) -> list[SessionGrowth]:
        """The sessions that the event belongs to: one; none for a folder that is no project; when a session
        ends, every project that it worked in."""
        session = spooled.session
        scope = self._scopes.scope_of(spooled.entry, session)
        scopes = [scope] if scope else []
        if spooled.event.kind == "session-end":
            known = [place for place, name in growths if name == session]
            scopes = list(dict.fromkeys([*known, *self._files.scopes_of(session)])) or scopes
        return [self._growth(growths, each, spooled) for each in scopes]

    def _growth(self, growths: Growths, scope: Scope, spooled: SpooledEvent) -> SessionGrowth:
        place = (scope, spooled.session)
        if place not in growths:
            session = self._files.read(*place)
            if session is not None and session.head.agent:
                growths[place] = SessionGrowth(session)
            else:
                growths[place] = begin_growth(session, self._head(scope, spooled))
        return growths[place]

    def _head(self, scope: Scope, spooled: SpooledEvent) -> SessionHead:
        cwd = spooled.text("cwd")
        return SessionHead(
            id=spooled.session,
            native_id=spooled.text("native_id"),
            agent=spooled.text("agent"),
            scope=scope,
            started=spooled.event.at,
            cwd=cwd,
            branch=self._clean(current_branch(Path(cwd))) if cwd else "",
            caller=spooled.text("caller") or self._caller,
            managed_run=spooled.text("managed_run"),
        )


def _subject(growths: Growths) -> str:
    names = {name for _, name in growths}
    if len(names) > 1:
        return f"{len(names)} sessions"
    [growth, *_] = growths.values()
    return one_line(session_title(growth.session), MAX_SUBJECT_CHARS)


def _actor(growths: Growths) -> Actor:
    agents = {growth.before.head.agent for growth in growths.values()}
    names = {name for _, name in growths}
    return Actor(agents.pop() if len(agents) == 1 else "hook", names.pop() if len(names) == 1 else "")
