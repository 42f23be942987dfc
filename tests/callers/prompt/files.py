"""A caller's files, written by hand."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

from memory_mcp.callers.caller_facts import CallerFacts, index_facts
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.topics.topic_index import empty_index
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL, TopicKind
from memory_mcp.callers.topics.topic_scan import TopicFacts, read_facts
from memory_mcp.model.clock import format_time
from tests.memory import Memory

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
PROFILE = EMPTY_PROFILE.replace("_No durable facts recorded yet._", "Ana; prefers short answers.", 1)


def note(
    title: str = "Topic", hook: str = "", days_old: float = 0, extra: str = "", body: str = "Text."
) -> str:
    """The text of a note, updated so many days ago."""
    updated = format_time(NOW - timedelta(days=days_old))
    front = f"summary: {hook or title}\ncreated: {updated}\nupdated: {updated}\n{extra}"
    return f"---\n{front}---\n# {title}\n\n## Actuel\n\n{body}\n"


def index(name: str, *lines: str) -> str:
    """The text of an index with these lines."""
    return "\n".join([f"# {name}", "", "What this is.", "", "## Index", *lines]) + "\n"


def put(memory: Memory, path: str, text: str | bytes, caller: str = "default") -> Path:
    """Write a file of a caller."""
    file = memory.wiki / "_callers" / caller / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def task(code: str, title: str, *, due: str = "", state: str = "active", note: str = "") -> tuple[str, str]:
    """The path and the text of a task whose id ends with these four digits."""
    task_id = f"019ad4b2-6c1e-7a30-9f11-5d2c80b7{code}"
    lines = ["---", f"state: {state}", "type: task", f"id: {task_id}", f"title: {title}"]
    lines += ["created: 2026-11-29T12:00:00Z", "list: today"]
    lines += [f"note: {note}"] if note else []
    lines += [f"due: {due}"] if due else []
    lines += ["history:", "  - {at: 2026-11-29T12:00:00Z, event: added, agent: codex}"]
    if state != "active":
        lines.append(f"  - {{at: 2026-11-29T13:00:00Z, event: {state}, agent: codex}}")
    return f"tasks/{task_id}.md", "\n".join([*lines, "---", ""])


def facts(
    *topics: TopicFacts,
    profile: str = PROFILE,
    notes: str | None = None,
    skills: str | None = None,
    unreadable: tuple[tuple[str, str], ...] = (),
) -> CallerFacts:
    """Facts as they would be read from these files; without an index, one that lists every topic."""
    return CallerFacts(
        now=NOW,
        profile=profile,
        notes=index_facts(NOTE, _listing(NOTE, topics) if notes is None else notes),
        skills=index_facts(SKILL, _listing(SKILL, topics) if skills is None else skills),
        topics=topics,
        unreadable=unreadable,
    )


def topic(slug: str, text: str | None = None, kind: TopicKind = NOTE) -> TopicFacts:
    """What a note or skill with this text says of itself."""
    return read_facts(note(slug) if text is None else text, slug, kind.path(slug), NOW.timestamp())


def _listing(kind: TopicKind, topics: tuple[TopicFacts, ...]) -> str:
    lines = [
        f"- [{each.slug}]({kind.link_prefix}{each.slug}.md): {each.summary}"
        for each in topics
        if each.path == kind.path(each.slug)
    ]
    return index(kind.index_name, *lines) if lines else empty_index(kind)
