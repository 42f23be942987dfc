"""What became of notes, skills, profile and log, as answers.

`path` is relative to the caller's folder, `file` is absolute. `warnings` say what was done otherwise than
asked, and what a person should mend; `note` says that a secret was taken out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_mcp.model.fence import fence
from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import ANSWER_CHARS
from memory_mcp.server.write_answer import REDACTED

if TYPE_CHECKING:
    from memory_mcp.callers.caller_log import Logged
    from memory_mcp.callers.profile.caller_profile import WrittenProfile
    from memory_mcp.callers.topics.topic_kind import TopicKind
    from memory_mcp.callers.topics.topic_maintain import Maintained
    from memory_mcp.callers.topics.topic_write import WrittenTopic

MAX_INDEX_CHARS = 4_000
"""A longer index is not repeated in the answer to a write."""
MAX_PROFILE_CHARS = ANSWER_CHARS - 2_500
"""What is shown of the profile: the rest is for file, warnings, and the marks around the text."""
MAX_WARNING_CHARS = 600

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
    index = written.index if len(written.index) <= MAX_INDEX_CHARS else _short_index(written)
    shown = f"--- Updated {kind.index_name} ---\n{fence(index, kind.index, 'index')}"
    return "\n".join([first, *_lines(facts), "", shown]), facts


def profile_answer(written: WrittenProfile) -> tuple[str, dict[str, Any]]:
    """What became of a write to the profile, with the profile as it is now."""
    facts: dict[str, Any] = {"path": written.path, "outcome": written.outcome, "file": str(written.file)}
    _add_common(facts, written.commit, written.warnings, redacted=written.redacted)
    first = f"Saved to {written.path}."
    if written.outcome == "unchanged":
        first = f"{written.path} said so already."
    shown = f"--- Updated USER.md ---\n{_short_profile(written)}"
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


def _short_profile(written: WrittenProfile) -> str:
    """As many of its lines as there is room for, and how much more there is."""
    text = written.text
    if len(text) <= MAX_PROFILE_CHARS:
        return fence(text, written.path, "profile")
    cut = text.rfind("\n", 0, MAX_PROFILE_CHARS) + 1 or MAX_PROFILE_CHARS
    return f"{fence(text[:cut], written.path, 'profile')}\n{len(text) - cut:,} more characters in the file."
