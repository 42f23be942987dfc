"""Who changes the store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """The client that acts (`claude-code`, `codex-mcp-client`, `cli`) and its session, "" if unknown."""

    name: str
    session: str = ""
