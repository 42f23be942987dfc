"""What needs mending, as the part of a prompt that tells an agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_mcp.callers.caller_lint import CODES, SNAPSHOT_CHARS, STALE_DAYS, Finding
from memory_mcp.model.plain_text import one_line

MAINTENANCE_CHARS = 900
MAX_SHOWN = 5
"""The most files or lines that are named of one code."""
SUBJECT_CHARS = 80
HEADING = "## Memory maintenance"

_NAME = re.compile(r"[\w./:-]+")
_LINES = {
    "stale": (f"{{count}} stale file(s) (>{STALE_DAYS}d)", ", "),
    "orphan": ("{count} orphan file(s) not in any index", ", "),
    "duplicate": ("Duplicate slugs", ", "),
    "malformed": ("Malformed index line(s)", "; "),
    "empty-slug": ("Empty-slug memory path(s)", ", "),
    "missing-actuel": ("Note/skill file(s) missing ## Actuel", ", "),
    "dangling": ("{count} index entries without a file", ", "),
    "unreadable": ("Unreadable, for the person to mend", ", "),
}
_SENTENCES = {
    "over-budget": (
        f"Indexes exceed budget ({{subject}} chars vs {SNAPSHOT_CHARS} cap) — archive, join or shorten notes."
    ),
    "profile-empty": (
        "Continue with the user request: the profile is empty, so ask about the person only where it helps, "
        'and save what you learn with memory_write(target="user").'
    ),
    "profile-legacy": "The profile is free text; write its next update by section (section=...).",
}


def maintenance_block(findings: Sequence[Finding]) -> str:
    """The findings as a list under a heading, at most `MAINTENANCE_CHARS` characters; "" for none.

    Where five of a code do not fit, fewer are named; every code is always told.
    """
    if not findings:
        return ""
    for shown in (MAX_SHOWN, 3, 2, 1):
        block = _block(findings, shown)
        if len(block) <= MAINTENANCE_CHARS:
            return block
    return _block(findings, 0)


def _block(findings: Sequence[Finding], shown: int) -> str:
    lines = [HEADING, ""]
    for code in CODES:
        subjects = [finding.subject for finding in findings if finding.code == code]
        if subjects:
            lines.append(f"- {_line(code, subjects, shown)}")
    return "\n".join(lines)


def _line(code: str, subjects: list[str], shown: int) -> str:
    if code in _SENTENCES:
        return _SENTENCES[code].format(subject=subjects[0])
    label, joint = _LINES[code]
    label = label.format(count=len(subjects))
    if not shown:
        return label if f"{len(subjects)} " in label else f"{label}: {len(subjects)}"
    rest = len(subjects) - shown
    named = joint.join(map(_name, subjects[:shown]))
    return f"{label}: {named}" + (f" (+{rest} more)" if rest > 0 else "")


def _name(subject: str) -> str:
    """A path or slug as it is; one that could pass for words of ours in quotes that it cannot close."""
    shown = one_line(subject, SUBJECT_CHARS)
    return shown if _NAME.fullmatch(shown) else '"' + shown.replace('"', "'") + '"'
