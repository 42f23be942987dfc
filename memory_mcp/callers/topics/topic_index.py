"""The index over notes or skills: `MEMORY.md` and `SKILLS.md`.

    # MEMORY.md

    What this is.

    ## Index
    - [slug](notes/slug.md): hook

An index is made anew from the files whenever one of them is written, so that two clones may merge theirs line
by line. What somebody wrote into it by hand stays: above the index, below it, and lines in it that are no
entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_mcp.callers.topics.topic_kind import NOTE, TopicKind
from memory_mcp.callers.topics.topic_scan import TopicFacts
from memory_mcp.model.plain_text import one_line, with_lf
from memory_mcp.wiki.heading_find import close_code, find_heading

INDEX = "## Index"
NO_ENTRIES = "_No entries yet._"
EMPTY_NOTE_INDEX = f"""\
# MEMORY.md

What is known beyond the profile, one line a note: open the note when its line fits the work at hand.
Kept up to date by memory_write from the notes themselves.

{INDEX}
{NO_ENTRIES}
"""
EMPTY_SKILL_INDEX = f"""\
# SKILLS.md

Procedures that worked, one line a skill: what it does and when to reach for it.
Kept up to date by skill_write from the skills themselves.

{INDEX}
{NO_ENTRIES}
"""

_ENTRY = re.compile(r"-\s+\[([^\]]+)\]\(([^)]+)\):\s*(.*)")
_PLAIN = re.compile(r"[\w.-]+\Z", re.ASCII)
_UNSAFE = re.compile(r"[%\[\]\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One line of an index: what its link is called, what it points to, and when to open that."""

    slug: str
    target: str
    hook: str


@dataclass(frozen=True, slots=True)
class TopicIndex:
    """An index in its parts.

    `header` stands above the index and `rest` below it, from the next heading on; `malformed` are lines in it
    that are neither entries nor blank. `entries` are in the order of the file, doubles included.
    """

    header: str
    entries: tuple[IndexEntry, ...] = ()
    malformed: tuple[str, ...] = ()
    rest: str = ""


def empty_index(kind: TopicKind) -> str:
    """The index of a caller who has no topics of this kind."""
    return EMPTY_NOTE_INDEX if kind is NOTE else EMPTY_SKILL_INDEX


def parse_index(text: str) -> TopicIndex:
    """Read an index; a text without `## Index` is all header."""
    text = with_lf(text)
    heading = find_heading(text, INDEX)
    if heading is None:
        return TopicIndex(text)
    entries: list[IndexEntry] = []
    malformed: list[str] = []
    rest = ""
    position = heading.end
    for line in text[heading.end :].split("\n"):
        bare = line.strip()
        if bare.startswith("#"):
            rest = text[position:]
            break
        position += len(line) + 1
        if found := _ENTRY.fullmatch(bare):
            label, target, hook = found.groups()
            entries.append(IndexEntry(_unquoted(label.strip()), target.strip(), hook.strip()))
        elif bare and bare != NO_ENTRIES:
            malformed.append(line.rstrip())
    return TopicIndex(text[: heading.start], tuple(entries), tuple(malformed), rest)


def format_index(index: TopicIndex) -> str:
    """The text of an index, its entries sorted by slug.

    Code or a comment that the header leaves open is closed: else an entry with its end would hide the index.
    """
    header = close_code(index.header.rstrip("\n"))
    entries = sorted(index.entries, key=lambda entry: entry.slug)
    lines = [f"{header}\n", INDEX] if header else [INDEX]
    lines += [_line(entry) for entry in entries] or [NO_ENTRIES]
    lines += index.malformed
    if index.rest:
        lines += ["", index.rest.rstrip("\n")]
    return "\n".join(lines) + "\n"


def rebuild_index(index: TopicIndex, topics: Sequence[TopicFacts], kind: TopicKind) -> TopicIndex:
    """The index with one entry for every topic that is not archived.

    Its hook is the file's summary, else the one that the index has, else the title. Entries of files that are
    missing or unreadable stay as they are.
    """
    known = {topic.path: topic for topic in topics}
    hooks: dict[str, str] = {}
    entries: list[IndexEntry] = []
    for entry in index.entries:
        topic = known.get(entry_path(entry, kind) or "") or known.get(kind.path(entry.slug))
        if topic is None or topic.unreadable:
            entries.append(entry)
        else:
            hooks[topic.path] = entry.hook or hooks.get(topic.path, "")
    for topic in topics:
        if not topic.archived and not topic.unreadable:
            hook = topic.summary or hooks.get(topic.path) or one_line(topic.title or topic.slug)
            entries.append(IndexEntry(topic.slug, kind.link_prefix + _quoted(f"{topic.slug}.md"), hook))
    return replace(index, entries=tuple(dict.fromkeys(entries)))


def remove_entries(index: TopicIndex, path: str, kind: TopicKind) -> TopicIndex:
    """The index without the entries of the topic at `path`."""
    kept = [entry for entry in index.entries if path not in (entry_path(entry, kind), kind.path(entry.slug))]
    return replace(index, entries=tuple(kept))


def entry_path(entry: IndexEntry, kind: TopicKind) -> str | None:
    """The file that an entry points to, relative to the caller's folder; None for anything but a topic."""
    target = _unquoted(entry.target)
    for prefix in (f"/{kind.folder}/", f"{kind.folder}/", kind.link_prefix):
        if target.startswith(prefix):
            name = target[len(prefix) :]
            return f"{kind.folder}/{name}" if name.endswith(".md") and "/" not in name else None
    return None


def _line(entry: IndexEntry) -> str:
    label = _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", entry.slug)
    return f"- [{label}]({entry.target}): {entry.hook}".rstrip()


def _quoted(name: str) -> str:
    """A file name as the target of a link."""
    if _PLAIN.match(name):
        return name
    from urllib.parse import quote  # noqa: PLC0415 - only for names that a person gave

    return quote(name)


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # noqa: PLC0415 - only for names that a person gave

    return unquote(text)
