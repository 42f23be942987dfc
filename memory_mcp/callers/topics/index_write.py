"""Writing an index anew from the files, as part of a change of one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_mcp.callers.caller_change import CallerChange
from memory_mcp.callers.topics.topic_index import (
    TopicIndex,
    empty_index,
    format_index,
    parse_index,
    rebuild_index,
)
from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.callers.topics.topic_scan import TopicFacts
from memory_mcp.model.fence import cut_list
from memory_mcp.model.plain_text import one_line


@dataclass(frozen=True, slots=True)
class WrittenIndex:
    """The text of an index after a change, and a sentence about what a person should mend in it."""

    text: str
    warnings: tuple[str, ...]


def write_index(
    change: CallerChange,
    kind: TopicKind,
    topics: Sequence[TopicFacts],
    edit: Callable[[TopicIndex], TopicIndex] = lambda index: index,
) -> WrittenIndex:
    """Put the index that these topics make, after `edit` of the one that is there.

    Raises:
        Conflict: the index holds merge markers, or is not UTF-8.
    """
    old = change.read_text(kind.index)
    index = rebuild_index(edit(parse_index(old or empty_index(kind))), topics, kind)
    text = format_index(index)
    if text != old:
        change.put(kind.index, text)
    return WrittenIndex(text, _warnings(index, kind))


def with_topic(topics: Sequence[TopicFacts], topic: TopicFacts) -> list[TopicFacts]:
    """The topics with this one in the place of its former self."""
    return [each for each in topics if each.path != topic.path] + [topic]


def _warnings(index: TopicIndex, kind: TopicKind) -> tuple[str, ...]:
    if not index.malformed:
        return ()
    lines = cut_list([f"`{one_line(line, 80)}`" for line in index.malformed], 400)
    return (f"{kind.index_name} has lines that are no entries, which stay below the entries: {lines}.",)
