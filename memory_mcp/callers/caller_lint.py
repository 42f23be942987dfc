"""What needs mending in the files of a caller: rules over facts that somebody else has read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from memory_mcp.callers.caller_facts import CallerFacts, updated_text
from memory_mcp.callers.caller_folder import NOTES, PROFILE, SKILLS
from memory_mcp.callers.profile.profile_text import is_empty, is_structured
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

STALE_DAYS = 60
SNAPSHOT_CHARS = 6_000
"""The most characters of profile and indexes that a prompt holds."""
OVER_BUDGET_CHARS = 6_600
"""Profile and indexes together are over budget above 1.1 times that."""
CODES = (
    "stale",
    "orphan",
    "duplicate",
    "malformed",
    "empty-slug",
    "missing-actuel",
    "over-budget",
    "profile-empty",
    "profile-legacy",
    "dangling",
    "unreadable",
)
"""Every code, in the order in which findings are told."""

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend, or, of severity `info`, a piece of advice.

    `path` is relative to the caller's folder, `line` counts from 1 where the finding is about one line, and
    `subject` is what the finding names: a path, a slug, a line of an index.
    """

    code: str
    severity: Severity
    path: str
    message: str
    subject: str
    line: int | None = None


def lint(facts: CallerFacts) -> list[Finding]:
    """The findings, in the order of `CODES`, those of one code in the order of the files."""
    unreadable = {path for path, _ in facts.unreadable}
    return [
        *_stale(facts),
        *_orphans(facts),
        *_duplicates(facts),
        *_malformed(facts),
        *_empty_slugs(facts),
        *_missing_actuel(facts),
        *_over_budget(facts),
        *(() if PROFILE in unreadable else _profile(facts.profile)),
        *_dangling(facts),
        *_unreadable(facts),
    ]


def needs_mending(findings: Iterable[Finding]) -> bool:
    """Whether there is more than advice."""
    return any(finding.severity != "info" for finding in findings)


def _stale(facts: CallerFacts) -> Iterator[Finding]:
    limit = format_time(facts.now - timedelta(days=STALE_DAYS))
    for topic in facts.topics:
        if topic.archived or topic.permanent or topic.unreadable:
            continue
        if (updated := updated_text(topic)) < limit:
            message = (
                f"{topic.path} was last updated {updated}, more than {STALE_DAYS} days ago: write it anew, "
                "touch or archive it, or mark it permanent."
            )
            yield Finding("stale", "warning", topic.path, message, topic.path)


def _orphans(facts: CallerFacts) -> Iterator[Finding]:
    listed = {target for index in facts.indexes for target in index.targets}
    for topic in facts.topics:
        if not topic.archived and topic.path not in listed:
            message = f"{topic.path} is in no index: touch it, and it is listed, or archive it."
            yield Finding("orphan", "warning", topic.path, message, topic.path)


def _duplicates(facts: CallerFacts) -> Iterator[Finding]:
    for each in facts.indexes:
        path = each.kind.index
        for slug, count in Counter(entry.slug for entry in each.index.entries).items():
            if count > 1:
                message = f"{path} lists {one_line(slug, 80)} {count} times: the next write leaves one line."
                yield Finding("duplicate", "warning", path, message, slug)


def _malformed(facts: CallerFacts) -> Iterator[Finding]:
    for each in facts.indexes:
        if not each.index.malformed:
            continue
        path = each.kind.index
        lines = [line.strip() for line in each.text.split("\n")]
        for line in each.index.malformed:
            number = lines.index(line.strip()) + 1
            message = (
                f'line {number} of {path} is no entry "- [slug](file): hook": mend it, or take it away: '
                f"{one_line(line, 80)}"
            )
            yield Finding("malformed", "warning", path, message, f"{path}:{number}", number)


def _empty_slugs(facts: CallerFacts) -> Iterator[Finding]:
    there = [topic.path for topic in facts.topics]
    listed = [target for index in facts.indexes for target in index.targets]
    for path in dict.fromkeys((*there, *listed)):
        if path in (f"{NOTES}/.md", f"{SKILLS}/.md"):
            yield Finding("empty-slug", "warning", path, f"{path} has no name: write it under one.", path)


def _missing_actuel(facts: CallerFacts) -> Iterator[Finding]:
    for topic in facts.topics:
        if not topic.has_actuel and not topic.unreadable:
            message = f'{topic.path} has no line "## Actuel": the next write puts one below what is there.'
            yield Finding("missing-actuel", "warning", topic.path, message, topic.path)


def _over_budget(facts: CallerFacts) -> Iterator[Finding]:
    size = len(facts.profile) + sum(len(index.text) for index in facts.indexes)
    if size > OVER_BUDGET_CHARS:
        largest = max(facts.indexes, key=lambda index: len(index.text))
        path = largest.kind.index if len(largest.text) > len(facts.profile) else PROFILE
        message = (
            f"profile and indexes have {size} characters, of which a prompt holds {SNAPSHOT_CHARS}: archive "
            "or join notes, shorten hooks."
        )
        yield Finding("over-budget", "warning", path, message, str(size))


def _profile(text: str) -> Iterator[Finding]:
    if is_empty(text):
        message = f'{PROFILE} says nothing yet: memory_write(target="user") takes what the person tells.'
        yield Finding("profile-empty", "info", PROFILE, message, PROFILE)
    if text.strip() and not is_structured(text):
        message = f"{PROFILE} lacks its five sections: its next update puts them in and keeps every text."
        yield Finding("profile-legacy", "info", PROFILE, message, PROFILE)


def _dangling(facts: CallerFacts) -> Iterator[Finding]:
    there = {topic.path for topic in facts.topics}
    for each in facts.indexes:
        for entry, target in zip(each.index.entries, each.targets, strict=True):
            if target not in there:
                path = each.kind.index
                shown = one_line(target or entry.target, 80)
                message = f"{path} lists {shown}, which is no file here: memory_maintain prune takes it out."
                yield Finding("dangling", "warning", path, message, target or entry.target)


def _unreadable(facts: CallerFacts) -> Iterator[Finding]:
    topics = ((topic.path, topic.unreadable) for topic in facts.topics if topic.unreadable)
    for path, sentence in (*facts.unreadable, *topics):
        yield Finding("unreadable", "error", path, sentence, path)
