"""What became of a write to the profile, as an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_mcp.model.fence import fence
from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import ANSWER_CHARS

if TYPE_CHECKING:
    from memory_mcp.callers.profile.caller_profile import WrittenProfile

_OWN_CHARS = 1_500
"""What the answer may take besides the profile itself: file, notes, the marks around the text."""


def profile_answer(written: WrittenProfile) -> tuple[str, dict[str, Any]]:
    """What became of a write, with the profile as it is now."""
    notes = [one_line(warning, 300) for warning in written.warnings]
    if written.redacted:
        notes.append("Text that looked like a secret was replaced by [REDACTED].")
    facts: dict[str, Any] = {"path": written.path, "outcome": written.outcome, "file": str(written.file)}
    facts |= {"commit": written.commit} if written.commit else {}
    facts |= {"notes": notes} if notes else {}
    saved = f"{'Already in' if written.outcome == 'unchanged' else 'Saved to'} {written.path}."
    lines = [saved, f"file: {written.file}", *(f"note: {note}" for note in notes)]
    lines += ["", "--- Updated USER.md ---", _shown(written)]
    return "\n".join(lines), facts


def _shown(written: WrittenProfile) -> str:
    limit = ANSWER_CHARS - _OWN_CHARS
    text = written.text
    if len(text) <= limit:
        return fence(text, written.path, "profile")
    cut = text.rfind("\n", 0, limit) + 1 or limit
    return f"{fence(text[:cut], written.path, 'profile')}\n{len(text) - cut:,} more characters in the file."
