"""A program that doctor starts, for a few seconds at most."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def bounded_process(
    words: Sequence[str], seconds: float, folder: Path | None = None, environ: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """The process, which is gone with all that it started when `seconds` are over, or the block ends.

    Without a `folder` it runs in the root: in a folder that somebody else gave us, Python and a relative path
    would find the program of that somebody.

    Raises:
        OSError, ValueError: it cannot be started.
    """
    with subprocess.Popen(
        words,
        cwd=folder or os.sep,
        env=None if environ is None else {**environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        limit = threading.Timer(seconds, _kill, [process])
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and its children, which hold its stdout open too: who reads it would wait for them."""
    if process.returncode is not None:
        return
    if os.name == "nt":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
