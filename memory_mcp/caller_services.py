"""Builds the services of a caller's memory, as `app` builds all others."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memory_mcp.callers.caller_change import CallerChanges
    from memory_mcp.callers.caller_folder import CallerFolder
    from memory_mcp.callers.caller_log import CallerLog
    from memory_mcp.callers.profile.caller_profile import CallerProfile
    from memory_mcp.callers.prompt.session_prompt import SessionPrompt
    from memory_mcp.callers.recall import Recall
    from memory_mcp.callers.tasks.task_read import TaskReader
    from memory_mcp.callers.tasks.task_snapshot import TaskSnapshots
    from memory_mcp.callers.tasks.task_write import TaskWriter
    from memory_mcp.callers.tasks.turn import TurnService
    from memory_mcp.callers.tasks.turn_file import TurnFiles
    from memory_mcp.callers.topics.memory_import import MemoryImporter
    from memory_mcp.callers.topics.topic_maintain import TopicMaintainer
    from memory_mcp.callers.topics.topic_read import TopicReader
    from memory_mcp.callers.topics.topic_write import TopicWriter
    from memory_mcp.capture.sanitizer import Sanitizer
    from memory_mcp.config import Settings
    from memory_mcp.model.clock import Clock
    from memory_mcp.search.page_search import PageSearch
    from memory_mcp.store.data_dir import DataDir
    from memory_mcp.store.wiki_change import WikiChanges

# ruff: noqa: PLC0415 - every import below belongs to the service it builds


class Ground(Protocol):
    """What these services stand on; `app.App` is it."""

    @property
    def settings(self) -> Settings:
        """The settings of the process."""

    @property
    def clock(self) -> Clock:
        """The time."""

    @property
    def data_dir(self) -> DataDir:
        """The data dir."""

    @property
    def sanitizer(self) -> Sanitizer:
        """What text from tools passes through."""

    @property
    def changes(self) -> WikiChanges:
        """The one write path."""

    @property
    def search(self) -> PageSearch:
        """Finding pages by a question."""


class CallerServices:
    """What is known about the caller for whom the process of `ground` works, and changing it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._clock = ground.clock

    @cached_property
    def folder(self) -> CallerFolder:
        """The files of the caller for whom this process works."""
        from memory_mcp.callers.caller_folder import CallerFolder

        return CallerFolder(self._ground.data_dir.wiki, self._ground.settings.caller)

    @cached_property
    def changes(self) -> CallerChanges:
        """Changing them."""
        from memory_mcp.callers.caller_change import CallerChanges

        return CallerChanges(self.folder, self._ground.changes)

    @cached_property
    def prompt(self) -> SessionPrompt:
        """What a session of this caller starts with."""
        from memory_mcp.callers.prompt.rules import read_rules
        from memory_mcp.callers.prompt.session_prompt import SessionPrompt

        rules, wiki = self._ground.settings.prompt_rules, self._ground.data_dir.wiki
        return SessionPrompt(self.folder, lambda: read_rules(rules, wiki), lambda: self.recall, self._clock)

    @cached_property
    def recall(self) -> Recall:
        """What a vague request may mean."""
        from memory_mcp.callers.recall import Recall

        return Recall(self.folder, self._find_notes, lambda limit: self.log.read(limit), self._clock)

    @cached_property
    def topic_reader(self) -> TopicReader:
        """Reading notes and skills."""
        from memory_mcp.callers.topics.topic_read import TopicReader

        return TopicReader(self.folder)

    @cached_property
    def topic_writer(self) -> TopicWriter:
        """Writing them."""
        from memory_mcp.callers.topics.topic_write import TopicWriter

        return TopicWriter(self.folder, self.changes, self._ground.sanitizer, self._clock)

    @cached_property
    def topic_maintainer(self) -> TopicMaintainer:
        """What becomes of them without a new text."""
        from memory_mcp.callers.topics.topic_maintain import TopicMaintainer

        return TopicMaintainer(self.folder, self.changes, self._clock)

    @cached_property
    def memory_importer(self) -> MemoryImporter:
        """Taking in what another memory knew, as notes."""
        from memory_mcp.callers.topics.memory_import import MemoryImporter

        return MemoryImporter(self.folder, self.changes, self._ground.sanitizer, self._clock)

    @cached_property
    def log(self) -> CallerLog:
        """The log of the caller."""
        from memory_mcp.callers.caller_log import CallerLog

        return CallerLog(self.folder, self.changes, self._ground.sanitizer, self._clock)

    @cached_property
    def tasks(self) -> TaskReader:
        """The tasks of the caller."""
        from memory_mcp.callers.tasks.task_read import TaskReader

        return TaskReader(self.folder)

    @cached_property
    def task_snapshots(self) -> TaskSnapshots:
        """Showing them."""
        from memory_mcp.callers.tasks.task_snapshot import TaskSnapshots

        return TaskSnapshots(self.folder, self.tasks, self._clock)

    @cached_property
    def task_writer(self) -> TaskWriter:
        """Adding and closing them."""
        from memory_mcp.callers.tasks.task_write import TaskWriter

        return TaskWriter(
            self.folder,
            self.changes,
            self.tasks,
            self._ground.sanitizer,
            self._ground.data_dir.state,
            self._clock,
        )

    @cached_property
    def turn_files(self) -> TurnFiles:
        """What the processes of a session tell each other of its present turn."""
        from memory_mcp.callers.tasks.turn_file import TurnFiles

        return TurnFiles(self._ground.data_dir.state, self._ground.settings.caller)

    @cached_property
    def turns(self) -> TurnService:
        """What the person says in the present turn."""
        from memory_mcp.callers.tasks.turn import TurnService

        return TurnService(self.turn_files, self.tasks, self.task_writer, self._clock)

    @cached_property
    def profile(self) -> CallerProfile:
        """What is known about the caller, and when not to disturb."""
        from memory_mcp.callers.profile.caller_profile import CallerProfile

        return CallerProfile(self.folder, self.changes, self._ground.sanitizer, self._clock)

    def digest(self) -> str:
        """Profile and open tasks in a few lines, "" where nothing is known; it never fails."""
        from memory_mcp.callers.prompt.digest import session_digest

        return session_digest(self.folder, self._clock())

    def _find_notes(self, text: str, limit: int) -> list[str]:
        """The paths of the caller's pages that answer a text best."""
        hits = self._ground.search.query(text, (self.folder.scope,), limit=limit).hits
        return [hit.path for hit in hits]
