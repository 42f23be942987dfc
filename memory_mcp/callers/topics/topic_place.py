"""Which file a topic has, among those that are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory_mcp.callers.topics.slug import check_slug, is_same_topic, told_apart
from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.callers.topics.topic_scan import TopicFacts
from memory_mcp.errors import Conflict
from memory_mcp.model.page_path import collision_key
from memory_mcp.model.plain_text import one_line

Known = Mapping[str, TopicFacts]
"""Topics by what every file system takes for the same slug."""

_DIGITS = (4, 8, 16)


@dataclass(frozen=True, slots=True)
class Place:
    """The file of a topic: `topic` is what it says now, None if there is none yet.

    `warning` names the other topic whose file would have had the same name, else it is "".
    """

    slug: str
    path: str
    topic: TopicFacts | None
    warning: str = ""


def by_slug(topics: Iterable[TopicFacts]) -> dict[str, TopicFacts]:
    """The topics as `place_topic` takes them."""
    return {collision_key(topic.slug): topic for topic in topics}


def place_topic(name: str, there: Known, kind: TopicKind) -> Place:
    """Find the file of the topic that somebody calls `name`.

    Topics that differ in more than case, white space and common punctuation have files of their own, also
    where their slug is the same (`C` and `C++`). A slug itself names its file.

    Raises:
        InvalidInput: the name gives no slug.
    """
    slug = check_slug(name, kind.argument)
    apart = [told_apart(slug, name, digits) for digits in _DIGITS]
    for other in apart:
        if other in there and is_same_topic(there[other].title, name):
            return _place(there[other])
    owner = there.get(slug)
    if owner is None:
        return Place(slug, kind.path(slug), None)
    if name.strip() == owner.slug or not owner.title or is_same_topic(owner.title, name):
        return _place(owner)
    for other in apart:
        if other not in there:
            warning = (
                f"{owner.path} is about {one_line(owner.title, 80)!r}, so {one_line(name, 80)!r} has its own "
                f"file, {kind.path(other)}."
            )
            return Place(other, kind.path(other), None, warning)
    raise Conflict(f"{kind.argument} = {name!r:.80} has no free file name: give it another name.")


def _place(topic: TopicFacts) -> Place:
    return Place(topic.slug, topic.path, topic)
