"""Processes that write at once, also to the same page, lose nothing that was acknowledged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from memory_mcp.app import App
from memory_mcp.config import load_settings

WORKER = Path(__file__).with_name("worker.py")
ROOT = WORKER.parents[2]
PROCESSES = 8


def operations(writer: int, count: int) -> list[list[str]]:
    listed = []
    for number in range(count):
        if number % 2:
            listed.append(["write", "notes/shared.md", f"# Shared\n\nmark-w{writer}n{number}\n"])
        else:
            listed.append(["write", f"notes/w{writer}n{number}.md", f"# Own\n\nown-w{writer}n{number}\n"])
    return listed


def test_eight_processes_write_at_once_and_nothing_is_lost(tmp_path: Path, soak: bool) -> None:
    count = 200 if soak else 4
    data = tmp_path / "data"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MEMORY_MCP_STORE_LOCK_TIMEOUT": "300",
    }
    workers = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(data), json.dumps(operations(writer, count)), "0"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for writer in range(PROCESSES)
    ]
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            lines = worker.stdout.read().splitlines()
        assert lines[:-1] == [str(number) for number in range(count)]

    app = App(load_settings(str(data), os.environ, data))
    history = subprocess.run(
        ["git", "-C", str(data / "wiki"), "log", "-p", "--format=", "--", "acme/importer/notes/shared.md"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for writer in range(PROCESSES):
        for number in range(count):
            if number % 2:
                assert f"+mark-w{writer}n{number}\n" in history
            else:
                path = f"notes/w{writer}n{number}.md"
                page = app.reader.read(path=path, workspace="acme", project="importer")
                assert page.body.endswith(f"own-w{writer}n{number}\n")
                hits = app.query.query(f"own-w{writer}n{number}", workspace="acme", project="importer").hits
                assert hits[0].path == path
    app.close()
    logged = (data / "wiki" / "acme" / "importer").glob("log-*.md")
    lines = "".join(file.read_text(encoding="utf-8") for file in logged)
    assert lines.count("write-page | notes/w") == PROCESSES * ((count + 1) // 2)
    status = subprocess.run(
        ["git", "-C", str(data / "wiki"), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
