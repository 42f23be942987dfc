"""How the event loop calls the services: one call at a time, in one worker thread.

The services are plain synchronous code over files. One thread keeps their calls in the order in which they
came; a call whose client gave up is abandoned, and the next one waits until the thread is free.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from typing import Any, TypeVar

from mcp.server.mcpserver import Context

from memory_mcp.app import App
from memory_mcp.errors import Cancelled, UserError
from memory_mcp.model.actor import Actor
from memory_mcp.model.progress import Progress
from memory_mcp.server.request_actor import request_actor

log = logging.getLogger(__name__)

Result = TypeVar("Result")

FIRST_MAINTENANCE_SECONDS = 3.0
"""After the start: late enough for the client's first questions, soon enough to repair a store."""
IDLE_SECONDS = 10.0
"""How long nobody must have asked for anything before maintenance runs."""
PROGRESS_SECONDS = 0.2
"""The least time between two progress notifications of one call."""
FOLD_SECONDS = 0.25
"""How long a call may be held up by events that hooks spooled."""
FOLD_AGAIN_SECONDS = 300.0
"""How long nobody tries again after folding failed."""
LOOK_SECONDS = 30.0
"""How often a server that nobody asks looks whether hooks told something: one look at a folder."""
GRACE_SECONDS = 0.5
"""How long the end of the process waits for a call that is under way."""


class ServiceCalls:
    """Calls the services of `app` for the tools and resources."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.subscribed: set[str] = set()  # the addresses of `resources/subscribe`
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="services")
        self._timer: asyncio.TimerHandle | None = None
        self._fold_from = 0.0  # by the monotonic clock
        self._pending: set[Future[Any]] = set()
        self._is_closed = False

    async def call(self, context: Context | None, work: Callable[[Progress], Result]) -> Result:
        """Run `work` in the worker thread; it gets a `Progress` that informs the client of `context`.

        When the request is cancelled, `work` goes on until its next progress step, and ends there.
        """
        self.stop_maintenance()
        given_up = threading.Event()
        progress = _progress(context, given_up, asyncio.get_running_loop())

        def run() -> Result:
            self._fold_waiting()
            return _guarded(work, progress, given_up)

        future = self._submit(run)
        try:
            return await asyncio.wrap_future(future)
        finally:
            given_up.set()
            self.maintain_in(IDLE_SECONDS)

    def actor(self, context: Context) -> Actor:
        """Who the changes of this request are made for."""
        return request_actor(context, self.app.settings.session)

    def maintain_in(self, seconds: float) -> None:
        """Let maintenance run once, `seconds` from now, unless a call comes first."""
        self.stop_maintenance()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._maintain)

    def stop_maintenance(self) -> None:
        """Put maintenance off."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Take no more calls, and give the one under way a moment to end."""
        self.stop_maintenance()
        self._is_closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        wait_for(self._pending, GRACE_SECONDS)

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        future = self._thread.submit(work)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def _fold_waiting(self) -> None:
        """Let the call see what hooks told meanwhile, if the lock is free at once and it takes no time."""
        if time.monotonic() < self._fold_from:
            return
        try:
            self.app.continuity.spool_fold.fold(FOLD_SECONDS)
            return
        except UserError as error:
            log.warning("the spool was not folded: %s", error)
        except Exception:
            log.exception("folding failed")
        self._fold_from = time.monotonic() + FOLD_AGAIN_SECONDS

    def _maintain(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None

        def go_on(done: Future[float]) -> None:
            if not done.cancelled():
                with suppress(RuntimeError):  # the loop was closed meanwhile
                    loop.call_soon_threadsafe(self._look_in, done.result())

        self._submit(lambda: _maintain(self.app)).add_done_callback(go_on)

    def _look_in(self, seconds: float) -> None:
        """Look at the spool then, and fold what is there, unless maintenance is due anyway."""
        if self._timer is None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        if self.app.continuity.spool_fold.has_waiting():
            self._maintain()
        else:
            self._look_in(LOOK_SECONDS)


def _maintain(app: App) -> float:
    """After how many seconds there may be more to do."""
    try:
        return 0 if app.maintain() else LOOK_SECONDS
    except UserError as error:
        log.warning("maintenance was put off: %s", error)
    except Exception:
        log.exception("maintenance failed")
    return FOLD_AGAIN_SECONDS


def _guarded(work: Callable[[Progress], Result], progress: Progress, given_up: threading.Event) -> Result:
    try:
        return work(progress)
    except (Cancelled, UserError):
        raise
    except Exception:
        if given_up.is_set():
            log.exception("a call that its client had given up failed")
        raise


def _progress(
    context: Context | None, given_up: threading.Event, loop: asyncio.AbstractEventLoop
) -> Progress:
    last = 0.0

    def report(done: int, total: int, what: str) -> None:
        nonlocal last
        if given_up.is_set():
            raise Cancelled
        now = time.monotonic()
        if context and now - last >= PROGRESS_SECONDS:
            last = now
            asyncio.run_coroutine_threadsafe(context.report_progress(done, total or None, what), loop)

    return report
