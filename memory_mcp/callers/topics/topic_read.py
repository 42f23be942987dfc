"""Reading notes and skills: as a list, and one as a whole."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.callers.caller_folder import CallerFolder, decode
from memory_mcp.callers.topics import sections
from memory_mcp.callers.topics.slug import slugify
from memory_mcp.callers.topics.topic_file import body_of
from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.callers.topics.topic_place import by_slug, place_topic
from memory_mcp.callers.topics.topic_scan import TopicFacts, scan_topics
from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.plain_text import with_lf


@dataclass(frozen=True, slots=True)
class TopicView:
    """A note or skill: the bytes of its file, and in them what holds now."""

    facts: TopicFacts
    file: Path
    data: bytes
    current: str


class TopicReader:
    """Reads the notes and skills of a caller."""

    def __init__(self, folder: CallerFolder) -> None:
        self._folder = folder

    def list(self, kind: TopicKind, *, archived: bool = False) -> list[TopicFacts]:
        """The topics of a kind by slug: those of now, or those that are archived.

        Raises:
            Conflict: the folder belongs to a caller of another name.
        """
        self._folder.check_owner()
        return [topic for topic in scan_topics(self._folder, kind) if topic.archived is archived]

    def read(self, kind: TopicKind, name: str) -> TopicView:
        """The topic that is called so, or whose slug or path this is.

        Raises:
            NotFound: there is none; the message names the nearest.
            Conflict: its file is not UTF-8, or the folder belongs to a caller of another name.
        """
        self._folder.check_owner()
        topics = scan_topics(self._folder, kind)
        facts = _find(kind, name, topics)
        if facts is None:
            near = difflib.get_close_matches(slugify(name), [topic.slug for topic in topics], 3)
            hint = (
                f"did you mean {', '.join(near)}?" if near else f"`memory-mcp {kind.name} list` names them."
            )
            raise NotFound(f"there is no {kind.name} {name!r:.80}; {hint}")
        data = self._folder.read(facts.path) or b""
        body = body_of(with_lf(decode(data, facts.path)))
        return TopicView(facts, self._folder.file(facts.path), data, sections.current(body))

    def path_of(self, kind: TopicKind, name: str) -> str:
        """The path of the topic that is called so, or whose slug or path this is, with a file or without."""
        facts = _find(kind, name, scan_topics(self._folder, kind))
        return facts.path if facts is not None else listed_path(kind, name)


def listed_path(kind: TopicKind, name: str) -> str:
    """The path to which the entry of an index leads that is named so, whatever files there are."""
    return name if "/" in name else kind.path(slugify(name) or name)


def _find(kind: TopicKind, name: str, topics: Sequence[TopicFacts]) -> TopicFacts | None:
    for topic in topics:
        if name in (topic.slug, topic.path):
            return topic
    try:
        return place_topic(name, by_slug(topics), kind).topic
    except InvalidInput:
        return None
