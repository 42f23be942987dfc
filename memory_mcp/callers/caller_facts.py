"""The files of a caller, read once for a prompt and for lint."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from memory_mcp.callers.caller_folder import PROFILE, CallerFolder
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.callers.topics.topic_index import (
    IndexEntry,
    TopicIndex,
    empty_index,
    entry_path,
    parse_index,
)
from memory_mcp.callers.topics.topic_kind import KINDS, TopicKind
from memory_mcp.callers.topics.topic_scan import TopicFacts, scan_topics
from memory_mcp.errors import UserError
from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.wiki.prose import conflict_line

_OUR_TIME = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ\Z")
_LAST_SECOND = 253_402_300_799
"""That of the year 9999, the last that can be told."""

Unreadable = tuple[str, str]
"""The path of a file, relative to the caller's folder, and a sentence that says why."""


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """An index: its text, what it says, and for each entry the file that it leads to, "" for none of ours."""

    kind: TopicKind
    text: str
    index: TopicIndex
    targets: Sequence[str]


@dataclass(frozen=True, slots=True)
class CallerFacts:
    """What the files of a caller say now; `topics` are notes, then skills, and `tasks` the active ones.

    A file that does not exist counts as its empty form. One that is in `unreadable` counts as "", or, where a
    merge has left its markers, as what it holds.
    """

    now: datetime
    profile: str
    notes: IndexFacts
    skills: IndexFacts
    topics: Sequence[TopicFacts]
    tasks: Sequence[Task] = ()
    unreadable: Sequence[Unreadable] = ()

    @property
    def indexes(self) -> tuple[IndexFacts, IndexFacts]:
        """The index of notes and that of skills."""
        return self.notes, self.skills


def read_facts(folder: CallerFolder, now: datetime) -> CallerFacts:
    """Read profile, indexes, active tasks, and what every note and skill says of itself.

    Raises:
        InvalidInput: a folder of ours is a symbolic link.
        Unavailable: the operating system refuses to list a folder.
    """
    unreadable: list[Unreadable] = []
    profile = _read(folder, PROFILE, EMPTY_PROFILE, unreadable)
    notes, skills = (
        index_facts(kind, _read(folder, kind.index, empty_index(kind), unreadable)) for kind in KINDS
    )
    topics = [topic for kind in KINDS for topic in _topics(folder, kind)]
    found = TaskReader(folder).look()
    return CallerFacts(now, profile, notes, skills, topics, found.tasks, (*unreadable, *found.problems))


def index_facts(kind: TopicKind, text: str) -> IndexFacts:
    """What the text of an index says."""
    index = parse_index(text)
    return IndexFacts(kind, text, index, [_target(entry, kind) for entry in index.entries])


def updated_text(topic: TopicFacts) -> str:
    """When a note or skill was updated, as it says itself, else as the file system does.

    It is RFC 3339 in UTC with whole seconds, so that texts compare as the times do.
    """
    if _OUR_TIME.match(topic.updated):
        return topic.updated
    try:
        return format_time(parse_time(topic.updated))
    except (ValueError, OverflowError):
        seconds = min(max(topic.mtime, 0), _LAST_SECOND)
        return format_time(datetime.fromtimestamp(seconds, timezone.utc))


def _target(entry: IndexEntry, kind: TopicKind) -> str:
    """The file that an entry leads to; by its whole path it may be one of the other kind."""
    name = f"{entry.slug}.md"
    if entry.target == kind.link_prefix + name and "/" not in name:
        return f"{kind.folder}/{name}"  # as we write it, and nearly every one of thousands is
    kinds = KINDS if entry.target.startswith("/") else (kind,)
    return next((path for each in kinds if (path := entry_path(entry, each))), "")


def _topics(folder: CallerFolder, kind: TopicKind) -> list[TopicFacts]:
    """The topics of a kind, with the file `.md`, which hides where nobody looks."""
    found = scan_topics(folder, kind)
    nameless = f"{kind.folder}/.md"
    return [TopicFacts("", nameless), *found] if os.path.lexists(folder.root / nameless) else found


def _read(folder: CallerFolder, path: str, empty: str, unreadable: list[Unreadable]) -> str:
    try:
        if folder.read(path) is None:
            return empty
        text = folder.read_text(path)
    except UserError as error:
        unreadable.append((path, str(error)))
        return ""
    if (line := conflict_line(text)) is not None:
        unreadable.append((path, f"{path} has merge conflict markers at line {line}: resolve them by hand."))
    return text
