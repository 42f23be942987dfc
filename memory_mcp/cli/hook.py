"""`memory-mcp hook`: what the clients run at each step of a session.

It never blocks the agent: whatever happens, it answers in the form that the client expects and exits 0. An event
that is only recorded imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Sequence


def run_hook(arguments: Sequence[str]) -> None:
    """Record the event that stdin describes, answer on stdout, and end the process."""
    raise NotImplementedError
