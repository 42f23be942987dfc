"""Who changes the store."""

from __future__ import annotations

from typing import NamedTuple


class Actor(NamedTuple):
    """The client that acts (`claude-code`, `codex`, `cli`) and its session, "" if unknown."""

    name: str
    session: str = ""
