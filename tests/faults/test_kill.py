"""A process killed anywhere loses nothing that it acknowledged, and the next one repairs what it left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.config import load_settings

WORKER = Path(__file__).with_name("worker.py")
ROOT = WORKER.parents[2]

OPERATIONS = [
    ["write", "notes/a.md", "# A\n\nThe walrus sleeps.\n"],
    ["write", "notes/a.md", "# A\n\nThe walrus wakes.\n"],
    ["edit", "notes/a.md", "# A\n\nA person saw the walrus.\n"],
    ["write", "notes/a.md", "# A\n\nThe walrus swims.\n"],
    ["write", "notes/b.md", "# B\n\nThe pangolin digs.\n"],
    ["delete", "notes/b.md"],
    ["restore", "notes/b.md"],
    ["edit", "notes/b.md", "# B\n\nA person buried the pangolin.\n"],
    ["delete", "notes/b.md"],
    ["import", "vault/c.md", "# C\n\nThe okapi hides.\n", "vault/deep/d.md", "# D\n\nThe zebra runs.\n"],
    ["query", "walrus"],
]


def start(data: Path, operations: list[list[str]], kill_at: int | str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WORKER), str(data), json.dumps(operations), str(kill_at)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def open_app(data: Path) -> App:
    return App(load_settings(str(data), os.environ, data))


def git(data: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(data / "wiki"), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def states_after(operations: list[list[str]], acknowledged: int) -> list[dict[str, str]]:
    """The bodies that the store may show: after what was acknowledged, or with the next operation too."""
    pages: dict[str, str] = {}
    gone: dict[str, str] = {}
    states = [dict(pages)]
    for operation in operations:
        match operation:
            case ["write" | "edit", path, body]:
                pages[path] = body
            case ["delete", path]:
                gone[path] = pages.pop(path)
            case ["restore", path]:
                pages[path] = gone[path]
            case ["import", *files]:
                pages.update(zip(files[::2], files[1::2], strict=True))
        states.append(dict(pages))
    return states[acknowledged : acknowledged + 2]


def check_store(data: Path, operations: list[list[str]], acknowledged: int) -> None:
    """The next process sees a whole state, finds it by search, and leaves git clean and sound."""
    app = open_app(data)
    folder = data / "wiki" / "acme" / "importer"
    app.changes.repair_if_due()
    found = {}
    for file in folder.rglob("*.md"):
        path = file.relative_to(folder).as_posix()
        if not path.startswith("log-"):
            page = app.reader.read(path=path, workspace="acme", project="importer")
            found[path] = page.body
    assert found in states_after(operations, acknowledged)
    if folder.exists():
        for path, body in found.items():
            word = body.split()[-1].strip(".")
            hits = app.query.query(word, workspace="acme", project="importer").hits
            assert path in [hit.path for hit in hits]
    app.changes.commit_hand_edits("")
    assert git(data, "status", "--porcelain") == ""
    git(data, "fsck", "--strict")
    assert not (data / "state" / "journal.json").exists()
    assert not list(data.rglob(".memory-mcp-tmp.*"))
    app.close()


def count_steps(data: Path) -> int:
    with start(data, OPERATIONS, 0) as process:
        assert process.stdout is not None
        lines = process.stdout.read().splitlines()
    assert lines[:-1] == [str(number) for number in range(len(OPERATIONS))]
    return int(lines[-1].split()[1])


def test_a_kill_at_every_named_step_loses_nothing(tmp_path: Path, soak: bool) -> None:
    total = count_steps(tmp_path / "whole")
    check_store(tmp_path / "whole", OPERATIONS, len(OPERATIONS))
    assert total > 40
    chosen = range(1, total + 1) if soak else sorted(random.Random(7).sample(range(1, total + 1), 8))
    for kill_at in chosen:
        data = tmp_path / f"data-{kill_at}"
        with start(data, OPERATIONS, kill_at) as process:
            assert process.stdout is not None
            *acknowledged, last = process.stdout.read().splitlines()
        # Equal log lines of one second are one, so that a run may have a step less than the one counted.
        assert last.startswith("killed at ") or total - 5 < kill_at, last
        check_store(data, OPERATIONS, len(acknowledged))


def test_a_kill_at_a_random_time_loses_nothing(tmp_path: Path, soak: bool) -> None:
    chance = random.Random(11)
    operations = [["write", f"notes/n{number % 7}.md", f"# N\n\nround{number}.\n"] for number in range(60)]
    for turn in range(200 if soak else 3):
        data = tmp_path / f"data-{turn}"
        with start(data, operations, 0) as process:
            assert process.stdout is not None
            time.sleep(0.3 + chance.random() * 1.2)
            process.send_signal(signal.SIGKILL)
            lines = process.stdout.read().splitlines()
        acknowledged = [line for line in lines if line.isdigit()]
        check_store(data, operations, len(acknowledged))


@pytest.mark.parametrize("torn", ["", "{", '{"v": 1}'])
def test_a_torn_journal_blocks_nobody(tmp_path: Path, torn: str) -> None:
    app = open_app(tmp_path)
    (app.data_dir.state / "journal.json").write_text(torn, encoding="utf-8")
    with start(tmp_path, OPERATIONS[:2], 0) as process:
        assert process.stdout is not None
        process.stdout.read()
    check_store(tmp_path, OPERATIONS[:2], 2)
