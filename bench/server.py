"""A server process and the few words of MCP that a measurement speaks with it. Linux only, by /proc."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.measure import ROOT
from bench.store import Store

OURS = (sys.executable, str(ROOT / "server.py"))

EMPTY = (
    sys.executable,
    "-c",
    """
import gc, os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
gc.disable()
from mcp.server import MCPServer
server = MCPServer("empty", version="1", log_level="WARNING")
gc.freeze()
gc.enable()
server.run()
os._exit(0)
""",
)
"""A server of the SDK without tools, started in the same way: the collector is off during the import."""

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """A server that has answered `initialize`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._last = 0
        self.ask("initialize", _HELLO)
        self.start_cpu = self._cpu()
        """CPU seconds until that answer."""
        self._tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request."""
        self._last += 1
        self._tell({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        assert self._process.stdout
        result: dict[str, Any] = json.loads(self._process.stdout.readline())["result"]
        return result

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        """Call a tool, which must succeed."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise SystemExit(f"{tool} failed: {result['content'][0]['text']}")

    def memory(self) -> float:
        """Megabytes resident now."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def _cpu(self) -> float:
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        spent = [(task / "schedstat").read_text(encoding="ascii").split()[0] for task in tasks]
        return sum(map(int, spent)) / 1e9

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


@contextmanager
def started(command: Sequence[str], store: Store) -> Iterator[Server]:
    """A server of the store's project; it ends with the block."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=store.project,
        env=store.environ,
    ) as process:
        yield Server(process)
