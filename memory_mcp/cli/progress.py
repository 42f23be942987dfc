"""A progress bar on stderr, for work longer than a second, while a person watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from memory_mcp.model.progress import Progress, no_progress

if TYPE_CHECKING:
    import rich.progress

DELAY_SECONDS = 1.0


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Give a `Progress` that draws the bar; it is gone when the block ends."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    with ExitStack() as stack:
        yield _Bar(stack).update


class _Bar:
    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._started = time.monotonic()
        self._bar: rich.progress.Progress | None = None

    def update(self, done: int, total: int, what: str) -> None:
        if self._bar is None:
            if time.monotonic() - self._started < DELAY_SECONDS:
                return
            self._bar = self._stack.enter_context(_new_bar())
            self._bar.add_task(what)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=what)


def _new_bar() -> rich.progress.Progress:
    from rich.console import Console  # noqa: PLC0415 - short work never needs it
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as RichProgress  # noqa: PLC0415

    return RichProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
