"""A server process, spoken to in raw lines as a client would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents import run_command

ROOT = Path(__file__).resolve().parents[2]
ANSWER_SECONDS = 30.0
SERVER = [sys.executable, str(ROOT / "server.py")]

HANDSHAKE: list[dict[str, Any]] = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]
"""What every client sends first."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's home in which both clients are set up by nothing but the installers."""
    home = tmp_path / "home"
    home.mkdir()
    for client in ("claude-code", "codex"):
        for command in ("install-mcp", "install-hooks"):
            done = run_command(
                command,
                "--client",
                client,
                "--data-dir",
                str(tmp_path / "data"),
                "--apply",
                home=home,
                folder=home,
            )
            assert done.returncode == 0, done.stderr
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that the client works in; its marker names the scope acme/importer."""
    folder = tmp_path / "importer"
    folder.mkdir()
    (folder / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "importer"\n', encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {"MEMORY_MCP_DATA_DIR": str(tmp_path / "data")}


class Wire:
    """One server process and its two pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._last_id = 0

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def start(self, method: str, params: dict[str, Any]) -> int:
        """Send a request without waiting; its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return self._last_id

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def receive(self) -> dict[str, Any]:
        """The next message; a server that says nothing is ended, so that its test fails."""
        assert self.process.stdout
        timer = threading.Timer(ANSWER_SECONDS, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        assert line, "no answer"
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result."""
        number = self.start(method, params)
        while (message := self.receive()).get("id") != number:
            pass
        result: dict[str, Any] = message["result"]
        return result

    def greet(self) -> None:
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "wire", "version": "1"},
            },
        )
        self.notify("notifications/initialized", {})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def text(self, tool: str, **arguments: Any) -> str:
        text: str = self.call(tool, **arguments)["content"][0]["text"]
        return text

    def close_stdin(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.stdin = None  # else `communicate` would flush it

    def finish(self, within: float) -> tuple[bytes, str]:
        """End stdin; what else came on stdout, and all of stderr."""
        if self.process.stdin:
            self.close_stdin()
        out, err = self.process.communicate(timeout=within)
        return out, err.decode()


@pytest.fixture
def start_server(project: Path, environment: dict[str, str]) -> Iterator[Callable[..., Wire]]:
    """Starts servers, which are gone after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*, greet: bool = True, **variables: str) -> Wire:
        process = subprocess.Popen(
            SERVER,
            cwd=project,
            env=environment | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        wire = Wire(process)
        if greet:
            wire.greet()
        return wire

    yield start
    for process in started:
        process.kill()
        Wire(process).finish(10)
