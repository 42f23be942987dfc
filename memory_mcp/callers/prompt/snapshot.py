"""Profile and indexes as a prompt holds them: whole where they fit, else the newest of them.

The profile comes first and is not pushed out. What it leaves is shared by the two indexes; an index that does
not fit keeps the entries whose notes changed last, in its own order, and says how many more there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory_mcp.callers.caller_facts import CallerFacts, IndexFacts, index_facts, updated_text
from memory_mcp.callers.caller_folder import NOTE_INDEX, PROFILE, SKILL_INDEX
from memory_mcp.callers.topics.topic_index import NO_ENTRIES, IndexEntry, TopicIndex, format_index
from memory_mcp.callers.topics.topic_scan import TopicFacts
from memory_mcp.model.fence import fence

PROFILE_CHARS = 4_000
"""Up to here the profile is whole."""
NOTES_SHARE = 0.7
"""The part of what the profile leaves that notes may fill at least, however many skills there are."""
HEAD_SHARE = 4
"""A shortened index keeps the text above its entries if that takes no more than one part of so many."""
MARKUP_CHARS = len("- []():")
HEADING = "## Current memory"
_NAME = f"{PROFILE}, {NOTE_INDEX}, {SKILL_INDEX}"


def snapshot(root: str, facts: CallerFacts, limit: int) -> str:
    """Heading, the folder `root`, and the fenced memory: at most `limit` characters, whole lines only."""
    head = f"{HEADING}\n\nFiles below {root}:\n"
    room = limit - len(head) - len(fence("x", _NAME, "memory")) + 1
    profile = _cut_profile(facts.profile.strip(), min(room, PROFILE_CHARS))
    room -= len(profile) + 2
    topics = {topic.path: topic for topic in facts.topics}
    notes, skills = (_without_archived(index, topics) for index in facts.indexes)
    notes_room = max(int(room * NOTES_SHARE), room - len(skills.text.strip()) - 2)
    notes_text = _cut_index(notes, topics, notes_room)
    skills_text = _cut_index(skills, topics, room - len(notes_text) - 2)
    body = "\n\n".join(part for part in (profile, notes_text, skills_text) if part)
    return head + fence(body, _NAME, "memory")


def _cut_profile(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    lines = text.split("\n")
    marker = f"... [{len(lines)} more lines truncated: read {PROFILE}]"
    kept = _fitting([len(line) + 1 for line in lines], room - len(marker) - 1)
    left_out = len(lines) - kept
    marker = f"... [{left_out} more line{'s' if left_out > 1 else ''} truncated: read {PROFILE}]"
    return "\n".join([*lines[:kept], "", marker] if kept else [marker])


def _fitting(sizes: Sequence[int], room: int) -> int:
    """How many of the first fit."""
    for count, size in enumerate(sizes):
        room -= size
        if room < 0:
            return count
    return len(sizes)


def _without_archived(facts: IndexFacts, topics: Mapping[str, TopicFacts]) -> IndexFacts:
    """The index as it is; where it lists an archived note or skill, one that does not."""
    entries = [
        entry
        for entry, target in zip(facts.index.entries, facts.targets, strict=True)
        if target not in topics or not topics[target].archived
    ]
    if len(entries) == len(facts.targets):
        return facts
    return index_facts(facts.kind, format_index(replace(facts.index, entries=tuple(entries))))


def _cut_index(facts: IndexFacts, topics: Mapping[str, TopicFacts], room: int) -> str:
    """The index if it fits, else its newest entries; one without a file counts as older than all others."""
    text = facts.text.strip()
    if len(text) <= room:
        return text
    head = facts.index.header.strip()
    if len(head) > room // HEAD_SHARE:
        head = head.split("\n", 1)[0][: max(0, room // HEAD_SHARE)]
    entries = facts.index.entries
    times = [updated_text(topics[target]) if target in topics else "" for target in facts.targets]
    room -= len(f"{head}\n\n{_lines()}\n{_marker(len(entries), facts.kind.folder)}")
    if room < 0:
        return ""
    kept: list[IndexEntry] = []
    for at in sorted(range(len(entries)), key=times.__getitem__, reverse=True):
        entry = entries[at]
        if len(entry.slug) + len(entry.target) + len(entry.hook) + MARKUP_CHARS > room:
            continue  # a line is no shorter than that, and most of thousands do not fit
        size = len(_lines(entry)) - len(_lines()) + 1
        if size <= room:
            kept.append(entry)
            room -= size
    return f"{head}\n\n{_lines(*kept)}\n{_marker(len(entries) - len(kept), facts.kind.folder)}"


def _lines(*entries: IndexEntry) -> str:
    """Heading and entries, sorted by slug."""
    return format_index(TopicIndex("", entries)).strip().removesuffix(f"\n{NO_ENTRIES}")


def _marker(count: int, folder: str) -> str:
    if not count:
        return "... [text around the entries truncated: read the file]"
    entries = "entry" if count == 1 else "entries"
    return f"... [{count} more {entries} truncated, older ones: memory_query, or grep {folder}/]"
