"""`skill`: procedures that worked."""

from __future__ import annotations

from memory_mcp.callers.topics.topic_kind import SKILL
from memory_mcp.cli.topic import topic_group

skill_command = topic_group(SKILL, "Procedures that worked, one file a skill.")
