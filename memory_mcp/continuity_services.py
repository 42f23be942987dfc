"""Builds the services by which work goes on from one session to the next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_mcp.app import App
    from memory_mcp.briefing.briefing import BriefingReader
    from memory_mcp.briefing.explore import Explorer
    from memory_mcp.briefing.session_read import SessionReader
    from memory_mcp.briefing.session_start import CallerWords, SessionStart
    from memory_mcp.continuity.handoff_claim import HandoffClaimer
    from memory_mcp.continuity.handoff_open import HandoffOpener
    from memory_mcp.continuity.handoff_service import Handoffs
    from memory_mcp.continuity.message_service import Messages
    from memory_mcp.continuity.record_folder import RecordFolder
    from memory_mcp.folding.session_boundary import SessionBoundaries
    from memory_mcp.folding.session_close import SessionCloser
    from memory_mcp.folding.session_interrupt import InterruptedSessions
    from memory_mcp.folding.spool_fold import SpoolFold
    from memory_mcp.prompt_recall.prompt_recall import PromptRecall
    from memory_mcp.sessions.session_file import SessionFiles

# ruff: noqa: PLC0415 - every import below belongs to the service it builds

START_FOLD_SECONDS = 1.0
"""As long a session that starts may fold what others left in the spool."""


class ContinuityServices:
    """Sessions, handoffs, messages, briefings."""

    def __init__(self, app: App) -> None:
        self._app = app

    @cached_property
    def session_files(self) -> SessionFiles:
        """What was captured, one file a session."""
        from memory_mcp.sessions.session_file import SessionFiles

        return SessionFiles(self._app.data_dir.raw)

    @cached_property
    def handoff_folder(self) -> RecordFolder:
        """The files of handoffs."""
        from memory_mcp.continuity.record_folder import HANDOFFS, RecordFolder
        from memory_mcp.model.record import HANDOFF

        return RecordFolder(self._app.data_dir.wiki, HANDOFF, HANDOFFS)

    @cached_property
    def handoff_opener(self) -> HandoffOpener:
        """Opening handoffs."""
        from memory_mcp.continuity.handoff_open import HandoffOpener

        return HandoffOpener(self.handoff_folder, self.handoff_claimer, self._is_open_session, self._machine)

    @cached_property
    def handoff_claimer(self) -> HandoffClaimer:
        """Claiming handoffs."""
        from memory_mcp.continuity.handoff_claim import HandoffClaimer

        return HandoffClaimer(self.handoff_folder, self.session_files, self._machine)

    @cached_property
    def handoffs(self) -> Handoffs:
        """What agents and people do with handoffs."""
        from memory_mcp.continuity.handoff_service import Handoffs

        app = self._app
        return Handoffs(
            self.handoff_folder,
            self.handoff_claimer,
            app.scopes,
            app.changes,
            app.sanitizer,
            self._machine,
            app.clock,
        )

    @cached_property
    def message_folder(self) -> RecordFolder:
        """The files of messages."""
        from memory_mcp.continuity.record_folder import MESSAGES, RecordFolder
        from memory_mcp.model.record import MESSAGE

        return RecordFolder(self._app.data_dir.wiki, MESSAGE, MESSAGES)

    @cached_property
    def messages(self) -> Messages:
        """Messages between projects."""
        from memory_mcp.continuity.message_service import Messages

        app = self._app
        return Messages(
            self.message_folder,
            self.session_files,
            app.scopes,
            app.changes,
            app.sanitizer,
            self._machine,
            app.clock,
            app.data_dir.wiki,
        )

    @cached_property
    def spool_fold(self) -> SpoolFold:
        """Making sessions of what hooks spooled."""
        from memory_mcp.capture.spool import Spool
        from memory_mcp.folding.batch_fold import BatchFold
        from memory_mcp.folding.event_scope import EventScopes
        from memory_mcp.folding.spool_fold import SpoolFold

        app = self._app
        home, caller = app.settings.home, app.settings.caller
        scopes = EventScopes(app.data_dir.wiki, self.session_files, home, caller)
        batches = BatchFold(
            app.changes,
            self.session_files,
            scopes,
            self._boundaries,
            lambda text: app.sanitizer.clean(text),
            caller,
        )
        return SpoolFold(Spool(str(app.data_dir.spool)), app.lock, scopes, batches, app.clock)

    @cached_property
    def session_closer(self) -> SessionCloser:
        """Ending sessions whose client never did."""
        from memory_mcp.folding.session_close import SessionCloser

        app = self._app
        return SessionCloser(self.session_files, app.lock, app.changes, self._boundaries, app.clock)

    @cached_property
    def interrupted_sessions(self) -> InterruptedSessions:
        """What sessions leave that were in the middle of a turn."""
        from memory_mcp.folding.session_interrupt import InterruptedSessions

        return InterruptedSessions(self.session_files, self._app.changes, self._boundaries)

    @cached_property
    def _boundaries(self) -> SessionBoundaries:
        from memory_mcp.folding.session_boundary import SessionBoundaries

        return SessionBoundaries(self.handoff_opener, self.handoff_claimer)

    @cached_property
    def session_reader(self) -> SessionReader:
        """Reading what was recorded of a session."""
        from memory_mcp.briefing.session_read import SessionReader

        return SessionReader(self._app.data_dir.raw, self.session_files, self._app.scopes)

    @cached_property
    def briefing(self) -> BriefingReader:
        """The state of a project."""
        from memory_mcp.briefing.briefing import BriefingReader

        app = self._app
        return BriefingReader(
            app.data_dir.wiki,
            app.data_dir.raw,
            app.scopes,
            app.page_map,
            app.recent,
            self.handoffs,
            self.messages,
            app.clock,
        )

    @cached_property
    def explorer(self) -> Explorer:
        """Coming back to a project."""
        from memory_mcp.briefing.explore import Explorer

        return Explorer(self.briefing, self._app.search, self._app.accesses, self._app.clock)

    @cached_property
    def prompt_recall(self) -> PromptRecall:
        """What matters for what the user just wrote."""
        from memory_mcp.prompt_recall.prompt_recall import PromptRecall
        from memory_mcp.prompt_recall.shown_passages import ShownPassages

        app = self._app
        shown = ShownPassages(app.data_dir.state)
        stop_words = app.settings.search_stop_words
        return PromptRecall(app.data_dir.wiki, app.index, app.scopes, shown, app.clock, stop_words)

    @cached_property
    def session_start(self) -> SessionStart:
        """What a session is told when it starts."""
        from memory_mcp.briefing.session_start import SessionStart
        from memory_mcp.capture.spool import Spool

        app = self._app
        return SessionStart(
            app.data_dir.wiki,
            app.data_dir.index,
            app.scopes,
            app.lock,
            app.changes,
            Spool(str(app.data_dir.spool)),
            lambda: self.spool_fold.fold(START_FOLD_SECONDS),
            lambda scope, session: self.interrupted_sessions.leave(scope, session),
            self.handoff_folder,
            self.message_folder,
            self.handoff_claimer,
            self._caller_words,
            app.clock,
            claims=app.settings.handoff_claim_on_session_start,
        )

    def _caller_words(self) -> CallerWords:
        from memory_mcp.briefing.session_start import CallerWords

        digest = self._app.caller.digest()
        return CallerWords(digest, self._app.caller.prompt.version() if digest else "")

    def _is_open_session(self, session_id: str) -> bool:
        from memory_mcp.sessions.session_glance import is_open_session

        return is_open_session(self.session_files, session_id)

    def _machine(self) -> str:
        from memory_mcp.store.machine import machine_id

        return machine_id(self._app.data_dir.state)
