"""The profile of a caller: `USER.md` and its sections."""

from __future__ import annotations

SECTIONS = ("Profile", "Preferences", "Environment", "Constraints", "Open Questions")
NOTHING = "_No durable facts recorded yet._"
EMPTY_PROFILE = "# USER.md\n" + "".join(f"\n## {title}\n{NOTHING}\n" for title in SECTIONS)
