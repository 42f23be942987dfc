"""The one writer lock of a data dir.

Every mutation happens under it, for the shortest time; reads never take it. The lock is an advisory file
lock, which the kernel drops with its process: a killed holder blocks nobody. Who holds it stands in a
file beside it, for the error message alone.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memory_mcp.errors import Busy, Unavailable
from memory_mcp.store.files import disk_errors

POLL_SECONDS = 0.005
"""A default portalocker poll of 0.25 s makes a waiter for a 50 ms holder wait 250 ms."""


class WriterLock:
    """The writer lock of `folder`, re-entrant within a thread, exclusive between threads and processes.

    Another `name` makes a lock for another purpose. With `light` the system is asked for the same lock
    without portalocker, where that is possible: a hook has no 25 ms to import it.
    """

    def __init__(self, folder: Path, timeout: float, name: str = "writer", *, light: bool = False) -> None:
        self._light = light
        self._file = folder / f"{name}.lock"
        self._holder = folder / f"{name}.json"
        self._timeout = timeout
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def hold(self, operation: str) -> Iterator[None]:
        """Hold the lock, waiting at most the time-out.

        Raises:
            Busy: another process holds it for longer; the message names that process.
            Unavailable: the lock's file cannot be opened.
        """
        if not self._take(operation, self._timeout):
            raise Busy(
                f"the store is locked by {self._describe_holder()} for more than {self._timeout:g} s; "
                "try again, or end that process if it hangs."
            )
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def hold_if_free(self, operation: str, wait: float = 0) -> Iterator[bool]:
        """Hold the lock if that is possible at once, or within `wait` seconds; yields whether it is held."""
        try:
            held = self._take(operation, wait)
        except Unavailable:  # nobody can write here; whoever must will say so
            held = False
        try:
            yield held
        finally:
            if held:
                self._release()

    def _take(self, operation: str, timeout: float) -> bool:
        try_lock = _locker(self._light)
        deadline = time.monotonic() + timeout
        if not self._threads.acquire(timeout=timeout if timeout > 0 else -1, blocking=timeout > 0):
            return False
        if self._depth:
            self._depth += 1
            return True
        try:
            with disk_errors(self._file, "lock"):
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file = open(self._file, "a+b")  # noqa: SIM115 - it stays open while the lock is held
        except BaseException:
            self._threads.release()
            raise
        while True:
            try:
                if try_lock(file):
                    break
            except BaseException:
                file.close()
                self._threads.release()
                raise
            if time.monotonic() >= deadline:
                file.close()
                self._threads.release()
                return False
            time.sleep(POLL_SECONDS)
        self._open_file = file
        self._depth = 1
        self._name_holder(operation)
        return True

    def _release(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._open_file.close()
        self._threads.release()

    def _name_holder(self, operation: str) -> None:
        holder = {"pid": os.getpid(), "operation": operation, "since": int(time.time())}
        try:
            self._holder.write_text(json.dumps(holder), encoding="utf-8")
        except OSError:
            pass  # the lock is held all the same; only an error message of others is poorer

    def _describe_holder(self) -> str:
        try:
            holder = json.loads(self._holder.read_text(encoding="utf-8"))
            return f"process {holder['pid']} ({holder['operation']})"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"


def _locker(light: bool) -> Callable[[BinaryIO], bool]:
    """What takes the lock of a file, if nobody has it; whether it did."""
    if light:
        try:
            import fcntl  # noqa: PLC0415 - Windows has none
        except ImportError:
            pass
        else:

            def flock(file: BinaryIO) -> bool:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # what portalocker does
                except OSError:
                    return False
                return True

            return flock
    import portalocker  # noqa: PLC0415 - 75 ms that a read-only process need not pay

    def lock(file: BinaryIO) -> bool:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            return False
        return True

    return lock
