"""The stdio server as a process: starts fast, ends at once.

Thousands of classes are built while the SDK is imported; without the garbage collector running over them the
import takes a third less. At the end the interpreter's teardown would take as long again, and nothing is left
to tear down: every write is on disk before its answer.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from memory_mcp.config import Settings

if TYPE_CHECKING:
    from memory_mcp.server.surface import MemoryServer

# ruff: noqa: PLC0415 - the imports below are what the start is about


def serve(settings: Settings) -> NoReturn:
    """Serve MCP on stdin and stdout until stdin ends or a signal comes; then end the process.

    Raises:
        Unavailable: the data dir cannot be used.
    """
    # With Python's own handler a SIGINT would wait for the thread that reads stdin. Every signal
    # ends the process at once; what it interrupts the next process repairs.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    gc.disable()
    server = _make_server(settings)
    gc.freeze()
    gc.enable()
    server.run("stdio")
    sys.stderr.flush()
    os._exit(0)


def _make_server(settings: Settings) -> MemoryServer:
    import logging

    from memory_mcp.app import App
    from memory_mcp.store.log_file import log_to

    app = App(settings, background=True)
    log_to(app.data_dir.logs / "server.log", logging.StreamHandler(sys.stderr))
    print(f"memory-mcp: the memory is in {app.data_dir.root}", file=sys.stderr, flush=True)

    from memory_mcp.server.surface import MemoryServer

    return MemoryServer(app)
