"""Sixteen clients fire hooks while two servers read and write: nothing is lost, nothing counts twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import uuid
from collections import Counter
from pathlib import Path

from memory_mcp.model.scope import Scope
from tests.faults.test_kill import ROOT, open_app
from tests.journeys.conftest import HANDSHAKE, SERVER

WORKER = Path(__file__).with_name("hook_worker.py")
SCOPE = Scope("acme", "importer")
CLIENTS = 16
PER_TURN = 6


def test_every_event_of_sixteen_clients_is_recorded_once(tmp_path: Path, soak: bool) -> None:
    turns = 5_000 // (CLIENTS * PER_TURN) + 1 if soak else 1
    clients = CLIENTS if soak else 8
    folder, data = tmp_path / "importer", tmp_path / "data"
    folder.mkdir()
    (folder / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "importer"\n', encoding="utf-8")
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MEMORY_MCP_DATA_DIR": str(data),
        "MEMORY_MCP_STORE_LOCK_TIMEOUT": "300",
    }
    sessions = [str(uuid.uuid4()) for _ in range(clients)]
    servers = [Server(folder, environ) for _ in range(2)]
    workers = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(data), str(folder), session, str(turns)], env=environ
        )
        for session in sessions
    ]
    for worker in workers:
        assert worker.wait(3_600) == 0
    for server in servers:
        server.close()

    app = open_app(data)
    while app.continuity.spool_fold.fold(wait=30).remaining:
        pass
    assert os.listdir(data / "spool") == []
    wanted = Counter(
        {"session-start": 1, "session-end": 1, "user-prompt": turns, "stop": turns}
        | {"pre-tool-use": turns, "post-tool-use": turns}
    )
    for session in sessions:
        found = app.continuity.session_files.read(SCOPE, session)
        assert found is not None
        assert Counter(event.kind for event in found.events) == wanted
        prompts = [event.body for event in found.events if event.kind == "user-prompt"]
        assert sorted(prompts) == sorted(f"Step {turn} of {session}" for turn in range(turns))
        assert found.has_ended
        assert (data / "wiki" / str(SCOPE) / "sessions" / f"{session}.md").exists()
    assert sum(len(server.written) for server in servers) > 0
    for path in [path for server in servers for path in server.written]:
        assert (data / "wiki" / str(SCOPE) / path).exists()
    app.close()
    assert processes_of(data) == []


class Server:
    """A server that writes a page and asks a question, again and again, until it is closed."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        self.written: list[str] = []
        self._process = subprocess.Popen(
            SERVER, cwd=folder, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._is_closed = threading.Event()
        for request in HANDSHAKE:
            self._send(request)
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()
        self._thread.join()
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(60) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _work(self) -> None:
        number = 2
        while not self._is_closed.is_set() or not self.written:
            number += 1
            path = f"notes/{self._process.pid}-{number}.md"
            answer = self._call(number, "memory_write_page", path=path, body=f"# Note {number}\n\nText.\n")
            assert not answer["isError"], answer
            self.written.append(path)
            number += 1
            assert not self._call(number, "memory_query", query="which step")["isError"]

    def _call(self, number: int, tool: str, **arguments: str) -> dict[str, object]:
        params = {"name": tool, "arguments": arguments}
        self._send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == number:
                return {"isError": False, **answer["result"]}
        raise AssertionError("the server ended")

    def _send(self, request: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()


def processes_of(data: Path) -> list[str]:
    """The processes whose command line names the data dir; where the system cannot tell, none."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(data).encode() in (line := process.read_bytes()):
                found.append(line.decode(errors="replace"))
        except OSError:
            pass  # it has just ended
    return found
