"""A process killed while it changes a task: task, log line and commit are all there, or none is."""

from __future__ import annotations

import random
import re
from pathlib import Path

from tests.faults.test_kill import git, open_app, start

OPERATIONS = [
    ["task", "add", "Ship the importer"],
    ["task", "add", "Write the docs"],
    ["task", "add", "Call the bank"],
    ["task", "complete", "Ship the importer"],
    ["turn", "write the docs is done"],
    ["task", "dismiss", "Call the bank"],
]
STATES = [
    {},
    {"Ship the importer": "active"},
    {"Ship the importer": "active", "Write the docs": "active"},
    {"Ship the importer": "active", "Write the docs": "active", "Call the bank": "active"},
    {"Ship the importer": "completed", "Write the docs": "active", "Call the bank": "active"},
    {"Ship the importer": "completed", "Write the docs": "completed", "Call the bank": "active"},
    {"Ship the importer": "completed", "Write the docs": "completed", "Call the bank": "dismissed"},
]
"""What the tasks may be after so many operations."""


def run(data: Path, kill_at: int) -> list[str]:
    with start(data, OPERATIONS, kill_at) as process:
        assert process.stdout is not None
        return process.stdout.read().splitlines()


def check(data: Path, acknowledged: int) -> None:
    app = open_app(data)
    app.changes.repair_if_due()
    tasks = {task.title: task.state for task in app.caller.tasks.all()}
    assert tasks in STATES[acknowledged : acknowledged + 2]
    assert app.caller.tasks.look().problems == ()
    log = app.caller.folder.read_text("memory/log.md")
    ended = re.findall(
        r"^## \[[0-9-]{10}\] task_(completed|dismissed) \| \[[0-9a-f]+\] ([A-Z][a-z ]+)", log, re.M
    )
    assert {title.strip(): state for state, title in ended} == {
        title: state for title, state in tasks.items() if state != "active"
    }
    assert len(ended) == len([state for state in tasks.values() if state != "active"])
    if tasks:
        assert git(data, "status", "--porcelain") == ""
        assert (data / "wiki" / "_callers" / "default" / "_meta" / "caller.json").is_file()
    assert not (data / "state" / "journal.json").exists()
    app.close()


def test_a_kill_at_every_named_step_leaves_a_task_whole(tmp_path: Path, soak: bool) -> None:
    *_, last = run(tmp_path / "whole", 0)
    total = int(last.split()[1])
    check(tmp_path / "whole", len(OPERATIONS))
    assert total > 60
    chosen = range(1, total + 1) if soak else sorted(random.Random(3).sample(range(1, total + 1), 4))
    for kill_at in chosen:
        data = tmp_path / f"data-{kill_at}"
        *acknowledged, last = run(data, kill_at)
        assert last.startswith("killed at "), last
        check(data, len(acknowledged))
