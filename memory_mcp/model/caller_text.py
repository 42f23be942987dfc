"""Lines of a caller's files that are form and say nothing: what divides them, and what stands for nothing."""

from __future__ import annotations

import re

ACTUEL = "## Actuel"
ARCHIVE = "## Archive"
SECTIONS = ("Profile", "Preferences", "Environment", "Constraints", "Open Questions")
"""The sections of a profile, in their order."""
NOTHING = "_No durable facts recorded yet._"

_HEADINGS = (ACTUEL, ARCHIVE, "# USER.md", *(f"## {title}" for title in SECTIONS), NOTHING)
_FORM = re.compile(
    rf"^(?:{'|'.join(map(re.escape, _HEADINGS))}|### \[\d{{4}}-\d\d-\d\d\])[ \t\r]*$", re.MULTILINE
)


def searched_text(body: str) -> str:
    """What is searched of a profile, note or skill: else each question about an environment finds one."""
    return _FORM.sub("", body)
