"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with (done, total, what). May raise `errors.Cancelled`, which ends the work at that step."""


def no_progress(done: int, total: int, what: str) -> None:
    """For callers whom nobody watches."""
