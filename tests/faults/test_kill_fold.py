"""A process killed anywhere in a fold: the next finishes it, and nothing is lost, doubled or half there."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from pathlib import Path

from memory_mcp.continuity.handoff import AUTOMATIC
from memory_mcp.model.scope import Scope
from tests.faults.test_kill import git, open_app, start

SCOPE = Scope("acme", "importer")
ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
EMPTY = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"
OPERATIONS = [
    ["hook", "session-start", ONE, ""],
    ["hook", "user-prompt", ONE, "Make the walrus swim"],
    ["hook", "stop", ONE, ""],
    ["fold"],
    ["hook", "pre-compact", ONE, ""],
    ["hook", "session-start", EMPTY, ""],
    ["hook", "session-end", EMPTY, ""],
    ["hook", "user-prompt", TWO, "Teach the okapi to dance"],
    ["fold"],
    ["hook", "post-tool-use", ONE, "tool file"],
    ["hook", "session-end", ONE, ""],
    ["fold"],
    ["hook", "user-prompt", ONE, "Let it dive, too"],
    ["hook", "session-end", ONE, ""],
    ["fold"],
    ["finalize", TWO],
]
HOOKS = [operation[1:3] for operation in OPERATIONS if operation[0] == "hook"]


def run(data: Path, kill_at: int, operations: list[list[str]] = OPERATIONS) -> list[str]:
    with start(data, operations, kill_at) as process:
        assert process.stdout is not None
        return process.stdout.read().splitlines()


def check(data: Path) -> None:
    """Once the rest was played, everything is there as if nobody had been killed."""
    app = open_app(data)
    folder = data / "wiki" / "acme" / "importer"
    for session in (ONE, TWO, EMPTY):
        kinds = [event for event, name in HOOKS if name == session]
        found = app.continuity.session_files.read(SCOPE, session)
        assert found is not None
        assert [event.kind for event in found.events] == kinds
        assert [event.seq for event in found.events] == list(range(1, len(kinds) + 1))
        assert len(found.by_key) == len(kinds)
        assert found.has_ended
        ends = [mark.observations for mark in found.marks if mark.is_end]
        assert ends == sorted(set(ends))
        assert (folder / "sessions" / f"{session}.md").exists() == (session != EMPTY)
    handoffs = app.continuity.handoffs.look(closed=True, workspace="acme", project="importer").handoffs
    assert Counter(each.session for each in handoffs) == {ONE: 1, TWO: 1}
    assert {each.origin for each in handoffs} == {AUTOMATIC}
    assert next(each for each in handoffs if each.session == TWO).is_open
    assert "Let it dive, too" in next(each for each in handoffs if each.session == ONE).draft.summary
    log = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("log-*.md")))
    lines = re.findall(r"^## .*$", log, re.M)
    assert len(lines) == len(set(lines))
    events = Counter(line.split("] ")[1].split(" |")[0] for line in lines)
    ends_told = events.pop("session-end")
    assert ends_told in (2, 3)  # equal lines of one second are one
    assert events == {"session": 2, "user-prompt": 3, "checkpoint": 1}
    assert os.listdir(data / "spool") == []
    assert git(data, "status", "--porcelain") == ""
    git(data, "fsck", "--strict")
    assert not (data / "state" / "journal.json").exists()
    hits = app.query.query("walrus", workspace="acme", project="importer").hits
    assert f"sessions/{ONE}.md" in [hit.path for hit in hits]
    app.close()


def test_a_kill_at_every_named_step_of_a_fold_loses_nothing(tmp_path: Path, soak: bool) -> None:
    *played, last = run(tmp_path / "whole", 0)
    assert len(played) == len(OPERATIONS)
    total = int(last.split()[1])
    check(tmp_path / "whole")
    assert total > 60
    chosen = range(1, total + 1) if soak else sorted(random.Random(5).sample(range(1, total + 1), 3))
    for kill_at in chosen:
        data = tmp_path / f"data-{kill_at}"
        *played, last = run(data, kill_at)
        # Equal log lines of one second are one, so that a run may have a step less than the one counted.
        assert last.startswith("killed at ") or total - 5 < kill_at, last
        if last.startswith("killed at "):
            assert run(data, 0, OPERATIONS[len(played) :])[-1].startswith("steps ")
        check(data)
