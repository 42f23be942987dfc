"""Ten processes write notes, skills and log lines at once, and every entry is in its index and log."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.callers.topics.topic_index import parse_index
from memory_mcp.callers.topics.topic_kind import KINDS, NOTE, SKILL, TopicKind
from tests.faults.test_kill import git, open_app, start

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
    count = 20 if soak else 1
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


def test_what_ten_processes_acknowledged_is_there_after_half_of_them_were_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soak: bool
) -> None:
    monkeypatch.setenv("MEMORY_MCP_STORE_LOCK_TIMEOUT", "300")
    count = 8 if soak else 1
    chance = random.Random(17)
    for turn in range(8 if soak else 1):
        data = tmp_path / f"data-{turn}"
        played = [
            [*operations(writer, count), ["task", "add", f"Task w{writer}"]] for writer in range(PROCESSES)
        ]
        killed = chance.sample(range(PROCESSES), PROCESSES // 2)
        workers = [
            start(data, listed, chance.randrange(1, 12 * len(listed)) if writer in killed else 0)
            for writer, listed in enumerate(played)
        ]
        acknowledged = []
        for writer, (worker, listed) in enumerate(zip(workers, played, strict=True)):
            with worker:
                assert worker.stdout is not None
                *numbers, last = worker.stdout.read().splitlines()
            assert last.startswith("killed at " if writer in killed else "steps "), last
            acknowledged += [listed[int(number)] for number in numbers]
            assert writer in killed or len(numbers) == len(listed)
        app = open_app(data)
        app.changes.repair_if_due()
        for kind in KINDS:
            assert indexed(app, kind) == [topic.slug for topic in app.caller.topic_reader.list(kind)]
        for operation in acknowledged:
            assert count_of(app, operation) == 1, operation
        app.close()
        assert git(data, "status", "--porcelain") == ""
        git(data, "fsck", "--strict")


def indexed(app: App, kind: TopicKind) -> list[str]:
    return [entry.slug for entry in parse_index(app.caller.folder.read_text(kind.index)).entries]


def count_of(app: App, operation: list[str]) -> int:
    """How often the memory holds what the operation wrote."""
    match operation:
        case ["note" | "rotate", topic, text]:
            return app.caller.topic_reader.read(NOTE, topic).data.decode().splitlines().count(text)
        case ["skill", name, text]:
            return app.caller.topic_reader.read(SKILL, name).data.decode().splitlines().count(text)
        case ["log", op, detail]:
            return [(entry.op, entry.detail) for entry in app.caller.log.read(1_000)].count((op, detail))
        case ["task", _, title]:
            return [task.title for task in app.caller.tasks.active()].count(title)
    raise AssertionError(operation)
