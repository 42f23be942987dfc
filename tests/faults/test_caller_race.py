"""Ten processes write notes, skills and log lines at once, and every entry is in its index and log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from memory_mcp.callers.topics.topic_index import parse_index

WORKER = Path(__file__).with_name("worker.py")
ROOT = WORKER.parents[2]
PROCESSES = 10


def operations(writer: int, count: int) -> list[list[str]]:
    listed = []
    for number in range(count):
        name = f"w{writer}n{number}"
        listed += [
            ["note", f"Note {name}", f"text {name}"],
            ["skill", f"Skill {name}", f"steps {name}"],
            ["log", "event", name],
        ]
    return [*listed, ["rotate", "Shared", f"shared w{writer}"]]


def test_every_entry_is_in_its_index_and_log(tmp_path: Path, soak: bool) -> None:
    count = 20 if soak else 2
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
        assert lines[:-1] == [str(number) for number in range(3 * count + 1)]

    root = data / "wiki" / "_callers" / "default"
    names = [f"w{writer}n{number}" for writer in range(PROCESSES) for number in range(count)]
    notes = parse_index((root / "memory/MEMORY.md").read_text(encoding="utf-8"))
    skills = parse_index((root / "skills/SKILLS.md").read_text(encoding="utf-8"))
    assert {entry.slug for entry in notes.entries} == {*(f"note-{name}" for name in names), "shared"}
    assert {entry.slug for entry in skills.entries} == {f"skill-{name}" for name in names}
    assert len(notes.entries) + len(skills.entries) == 2 * len(names) + 1
    log = (root / "memory/log.md").read_text(encoding="utf-8").splitlines()
    events = [line.partition(" | ")[2] for line in log[2:]]
    assert sorted(events) == sorted(names)
    for name in names:
        assert f"text {name}\n" in (root / f"memory/notes/note-{name}.md").read_text(encoding="utf-8")
    shared = (root / "memory/notes/shared.md").read_text(encoding="utf-8")
    assert all(f"shared w{writer}\n" in shared for writer in range(PROCESSES))
    status = subprocess.run(
        ["git", "-C", str(data / "wiki"), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
