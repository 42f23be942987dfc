"""Named steps of every change on disk, so that a test can stop the process at each of them.

`reach("file.renamed")` does nothing unless someone listens. The names, in the order in which a write
passes them, stand in `docs/architecture.md`.
"""

from __future__ import annotations

from collections.abc import Callable

listeners: list[Callable[[str], None]] = []


def reach(step: str) -> None:
    """Tell the listeners that the process is at `step`."""
    for listener in listeners:
        listener(step)
