"""The first writes of a new caller, by two processes at once and by processes that are killed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.test_kill import git, open_app, start

FIRST = ["_meta/caller.json", "memory/MEMORY.md", "memory/USER.md", "memory/log.md", "skills/SKILLS.md"]
FIRST_OPERATIONS = [
    ["note", "Walrus", "It sleeps."],
    ["skill", "Feed it", "With fish."],
    ["log", "seen", "a walrus"],
    ["profile", "Profile", "Ana."],
    ["task", "add", "Feed the walrus"],
]


def files_of(data: Path) -> list[str]:
    root = data / "wiki" / "_callers" / "default"
    return sorted(file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file())


@pytest.mark.parametrize("pair", [(0, 1), (2, 3), (3, 4)])
def test_two_processes_that_make_a_caller_at_once_make_it_once(tmp_path: Path, pair: tuple[int, int]) -> None:
    operations = [FIRST_OPERATIONS[number] for number in pair]
    workers = [start(tmp_path, [operation], 0) for operation in operations]
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            assert worker.stdout.read().splitlines()[0] == "0"
    alone = tmp_path / "alone"
    with start(alone, operations, 0) as worker:
        assert worker.stdout is not None
        assert worker.stdout.read().splitlines()[:2] == ["0", "1"]
    assert set(FIRST) <= set(files_of(tmp_path))
    without_tasks = [path for path in files_of(tmp_path) if not path.startswith("tasks/")]
    assert without_tasks == [path for path in files_of(alone) if not path.startswith("tasks/")]
    for path in without_tasks:
        together, one_by_one = (
            (data / "wiki" / "_callers" / "default" / path).read_text(encoding="utf-8").splitlines()
            for data in (tmp_path, alone)
        )
        assert [line for line in together if "ated: 20" not in line] == [
            line for line in one_by_one if "ated: 20" not in line
        ]
    assert git(tmp_path, "status", "--porcelain") == ""


@pytest.mark.parametrize("operation", FIRST_OPERATIONS, ids=lambda operation: operation[0])
def test_a_kill_at_every_named_step_of_a_first_write_leaves_all_files_or_none(
    tmp_path: Path, operation: list[str], soak: bool
) -> None:
    with start(tmp_path / "whole", [operation], 0) as process:
        assert process.stdout is not None
        acknowledged, last = process.stdout.read().splitlines()
    assert acknowledged == "0"
    whole = [path for path in files_of(tmp_path / "whole") if not path.startswith("tasks/")]
    total = int(last.split()[1])
    steps = range(1, total + 1)
    for kill_at in steps if soak else sorted(random.Random(operation[0]).sample(steps, 1)):
        data = tmp_path / f"data-{kill_at}"
        with start(data, [operation], kill_at) as process:
            assert process.stdout is not None
            [last] = process.stdout.read().splitlines()
        assert last.startswith("killed at "), last
        app = open_app(data)
        app.changes.repair_if_due()
        found = files_of(data)
        assert [path for path in found if not path.startswith("tasks/")] in ([], whole)
        app.caller.folder.check_owner()
        app.caller.prompt.build()
        app.close()
        with start(data, [operation], 0) as process:  # as if the client called again
            assert process.stdout is not None
            assert process.stdout.read().splitlines()[0] == "0"
        assert [path for path in files_of(data) if not path.startswith("tasks/")] == whole
        assert git(data, "status", "--porcelain") == ""
