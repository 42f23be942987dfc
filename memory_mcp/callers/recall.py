"""What a vague request may mean: candidates from tasks, notes, profile and log, as a part of a prompt."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TypeVar

from memory_mcp.callers.caller_facts import updated_text
from memory_mcp.callers.caller_folder import LOG, PROFILE, CallerFolder
from memory_mcp.callers.caller_log import LogEntry
from memory_mcp.callers.profile.preferences import local_date
from memory_mcp.callers.profile.profile_text import is_empty
from memory_mcp.callers.recall_score import Candidate, Evidence, is_vague, rank, request_words
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.callers.topics.topic_kind import NOTE
from memory_mcp.callers.topics.topic_scan import TopicFacts, scan_topics
from memory_mcp.errors import UserError
from memory_mcp.model.clock import Clock, parse_time
from memory_mcp.model.fence import fence
from memory_mcp.model.plain_text import one_line
from memory_mcp.search.text.tokenizer import terms
from memory_mcp.wiki.frontmatter import cut_file

log = logging.getLogger(__name__)

MAX_TASKS = 20
MAX_NOTES = 20
MAX_ENTRIES = 20
REQUEST_CHARS = 2_000
"""More of a request is not looked at: a vague one is short."""
SUMMARY_CHARS = 300
SNIPPET_CHARS = 1_200
HEADING = "## Recall-on-Ambiguity"
_INTRODUCTION = (
    "The request may mean one of these. One of high confidence: go on with it and say so. Else ask which. "
    "They are evidence that nobody checked."
)

Item = TypeVar("Item")
Find = Callable[[str, int], Sequence[str]]
"""The paths of the notes that answer a text best, relative to the caller's folder, at most so many."""
ReadLog = Callable[[int], Sequence[LogEntry]]
"""The last entries of the log, at most so many, the newest last."""


class Recall:
    """Looks in everything that is known of one caller; a source that fails is left out."""

    def __init__(self, folder: CallerFolder, find: Find, read_log: ReadLog, clock: Clock) -> None:
        self._folder = folder
        self._find = find
        self._read_log = read_log
        self._clock = clock

    def block(self, request: str, limit: int) -> str:
        """The candidates for a vague request, at most `limit` characters; "" for a clear one, or for none."""
        request = request[:REQUEST_CHARS]
        candidates = self.candidates(request) if is_vague(request) else []
        for count in range(len(candidates), 0, -1):
            block = _render(candidates[:count])
            if len(block) <= limit:
                return block
        return ""

    def candidates(self, request: str) -> list[Candidate]:
        """What the request may mean, best first, at most five."""
        profile = "".join(_safely(lambda: [self._folder.read_text(PROFILE)]))
        evidence = [
            *_safely(self._tasks),
            *_safely(lambda: self._notes(request)),
            *_safely(lambda: _profile(profile)),
            *_safely(self._log),
        ]
        return rank(request, evidence, self._clock(), lambda moment: local_date(profile, moment))

    def _tasks(self) -> Iterator[Evidence]:
        for task in TaskReader(self._folder).active()[:MAX_TASKS]:
            yield Evidence("task", task.code, task.title, f"{task.list_name} {task.note}", task.updated)

    def _notes(self, request: str) -> Iterator[Evidence]:
        for topic in self._chosen(request):
            try:
                body = cut_file(self._folder.read_text(topic.path)).body
            except UserError:
                continue
            title = topic.title or topic.slug
            text = f"{topic.summary[:SUMMARY_CHARS]}\n{body[:SNIPPET_CHARS]}"
            yield Evidence("note", topic.path, title, text, _moment(updated_text(topic)))

    def _chosen(self, request: str) -> list[TopicFacts]:
        """The notes to look into: those that the words of the request find, then the newest."""
        topics = [topic for topic in scan_topics(self._folder, NOTE) if not topic.archived]
        by_path = {topic.path: topic for topic in topics}
        newest = sorted(topics, key=updated_text, reverse=True)
        words = set(request_words(request))
        if not words:
            return newest[:MAX_NOTES]
        found = list(_safely(lambda: self._find(request, MAX_NOTES)))
        named = [topic.path for topic in newest if words & terms(f"{topic.title} {topic.summary}").keys()]
        paths = dict.fromkeys((*found, *named, *(topic.path for topic in newest)))
        return [by_path[path] for path in paths if path in by_path][:MAX_NOTES]

    def _log(self) -> Iterator[Evidence]:
        for entry in reversed(self._read_log(MAX_ENTRIES)):
            title = one_line(f"{entry.op}: {entry.detail}", SUMMARY_CHARS)
            yield Evidence("log", f"{LOG} {entry.day}", title, entry.detail[:SNIPPET_CHARS], _noon(entry.day))


def _profile(text: str) -> Iterator[Evidence]:
    if not is_empty(text):
        yield Evidence("profile", PROFILE, "the profile", text[:SNIPPET_CHARS])


def _noon(day: str) -> datetime | None:
    """A moment that is of the caller's day in most of the world."""
    return _moment(f"{day}T12:00:00Z")


def _moment(text: str) -> datetime | None:
    try:
        return parse_time(text)
    except ValueError:
        return None


def _safely(read: Callable[[], Iterable[Item]]) -> list[Item]:
    try:
        return list(read())
    except UserError as error:
        log.warning("a source of recall is left out: %s", error)
    except Exception:
        log.exception("a source of recall is left out")
    return []


def _render(candidates: Sequence[Candidate]) -> str:
    lines = []
    for number, each in enumerate(candidates, 1):
        evidence = each.evidence
        place, title = one_line(evidence.name, 90), one_line(evidence.title, 90)
        lines.append(f"{number}. {evidence.source} {place} ({each.confidence}): {title}")
        facts = [f"has the words {', '.join(each.words)}"] if each.words else []
        facts += [f"changed {evidence.when:%Y-%m-%d}"] if evidence.when else []
        if facts:
            lines.append(f"   {one_line('; '.join(facts), 100)}")
    return f"{HEADING}\n\n{_INTRODUCTION}\n\n{fence(chr(10).join(lines), 'candidates', 'memory')}"
