"""What became of notes, skills and the log, as answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_mcp.model.fence import fence
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.callers.caller_log import Logged
    from memory_mcp.callers.topics.topic_kind import TopicKind
    from memory_mcp.callers.topics.topic_maintain import Maintained
    from memory_mcp.callers.topics.topic_write import WrittenTopic

MAX_SHOWN_CHARS = 4_000
"""A longer index is not repeated in the answer to a write."""
MAX_WARNING_CHARS = 600
REDACTED = "Text that looked like a secret was replaced by [REDACTED]."

_DONE = {"touch": "Touched", "archive": "Archived", "mark_permanent": "Made permanent:", "prune": "Pruned"}
_ALREADY = {"archive": "is archived already", "mark_permanent": "is permanent already"}


def topic_answer(kind: TopicKind, written: WrittenTopic) -> tuple[str, dict[str, Any]]:
    """What became of a write of a note or skill."""
    facts: dict[str, Any] = {
        "path": written.path,
        "outcome": written.outcome,
        "slug": written.slug,
        "mode": written.mode,
        "index_path": kind.index,
        "file": str(written.file),
    }
    _add_common(facts, written.commit, written.warnings, redacted=written.redacted)
    what = "skill " if kind.name == "skill" else ""
    first = f"Saved {what}to {written.path}."
    if written.outcome == "unchanged":
        first = f"{written.path} said so already."
    index = written.index if len(written.index) <= MAX_SHOWN_CHARS else _short_index(written)
    shown = f"--- Updated {kind.index_name} ---\n{fence(index, kind.index, 'index')}"
    return "\n".join([first, *_lines(facts), "", shown]), facts


def log_answer(logged: Logged) -> tuple[str, dict[str, Any]]:
    """What became of a log entry."""
    facts: dict[str, Any] = {
        "path": logged.path,
        "line": logged.line,
        "logged": logged.is_new,
        "file": str(logged.file),
    }
    _add_common(facts, logged.commit, (), redacted=logged.redacted)
    first = "Logged" if logged.is_new else "Logged today already"
    return "\n".join([f"{first}: {logged.line}", *_lines(facts)]), facts


def maintain_answer(done: Maintained) -> tuple[str, dict[str, Any]]:
    """What became of a file that was maintained."""
    facts: dict[str, Any] = {
        "path": done.path,
        "action": done.action,
        "changed": done.changed,
        "file": str(done.file),
    }
    _add_common(facts, done.commit, done.warnings)
    first = f"{_DONE[done.action]} {done.path}."
    if not done.changed and done.action in _ALREADY:
        first = f"{done.path} {_ALREADY[done.action]}."
    return "\n".join([first, *_lines(facts)]), facts


def _add_common(
    facts: dict[str, Any], commit: str | None, warnings: tuple[str, ...], *, redacted: bool = False
) -> None:
    if commit:
        facts["commit"] = commit
    if warnings:
        facts["warnings"] = [one_line(warning, MAX_WARNING_CHARS) for warning in warnings]
    if redacted:
        facts["note"] = REDACTED


def _lines(facts: dict[str, Any]) -> list[str]:
    shown = [f"{name}: {facts[name]}" for name in ("file", "commit", "note") if name in facts]
    return [*shown, *(f"warning: {warning}" for warning in facts.get("warnings", ()))]


def _short_index(written: WrittenTopic) -> str:
    """The line of the topic, and how many there are."""
    lines = [line for line in written.index.splitlines() if line.startswith("- [")]
    own = [line for line in lines if line.startswith(f"- [{written.slug}](")]
    return "\n".join([*own, f"({len(lines):,} entries in all)"])
