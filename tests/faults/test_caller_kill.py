"""A process killed anywhere in a write of a caller's memory loses nothing that it acknowledged."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from memory_mcp.app import App
from memory_mcp.callers.topics.topic_index import parse_index
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.config import load_settings
from memory_mcp.model.actor import Actor

WORKER = Path(__file__).with_name("worker.py")
ROOT = WORKER.parents[2]
ACTOR = Actor("test")

OPERATIONS = [
    ["note", "Walrus", "It sleeps."],
    ["rotate", "Walrus", "It wakes."],
    ["skill", "Feed it", "With fish."],
    ["log", "seen", "a walrus"],
    ["profile", "Constraints", "no cloud"],
    ["maintain", "archive", "memory/notes/walrus.md"],
    ["note", "Walrus", "It swims."],
    ["note", "Pangolin", "It digs."],
]
STATES = [
    ({}, {}, 0),
    ({"walrus": "It sleeps."}, {}, 0),
    ({"walrus": "It wakes."}, {}, 0),
    ({"walrus": "It wakes."}, {"feed-it": "With fish."}, 0),
    ({"walrus": "It wakes."}, {"feed-it": "With fish."}, 1),
    ({"walrus": "It wakes."}, {"feed-it": "With fish."}, 1, "no cloud"),
    ({}, {"feed-it": "With fish."}, 1, "no cloud"),
    ({"walrus": "It swims."}, {"feed-it": "With fish."}, 1, "no cloud"),
    ({"walrus": "It swims.", "pangolin": "It digs."}, {"feed-it": "With fish."}, 1, "no cloud"),
]
"""The current notes, the skills, how many log entries there are, and a section, after so many operations."""


def run(data: Path, kill_at: int) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(WORKER), str(data), json.dumps(OPERATIONS), str(kill_at)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return done.stdout.splitlines()


def indexed(root: Path, path: str) -> set[str]:
    file = root / path
    return {entry.slug for entry in parse_index(file.read_text(encoding="utf-8")).entries}


def check_memory(data: Path, acknowledged: int) -> None:
    app = App(load_settings(str(data), os.environ, data))
    app.changes.repair_if_due()
    reader = app.caller.topic_reader
    notes, skills = (
        {facts.slug: reader.read(kind, facts.slug).current for facts in reader.list(kind)}
        for kind in (NOTE, SKILL)
    )
    section = app.caller.profile.show().profile.sections["Constraints"]
    found = (notes, skills, len(app.caller.log.read(9)), section)
    assert found in [(*state, "")[:4] for state in STATES[acknowledged : acknowledged + 2]]
    root = app.caller.folder.root
    if notes or skills:
        assert indexed(root, NOTE.index) == set(notes)
        assert indexed(root, SKILL.index) == set(skills)
    app.caller.topic_writer.write(NOTE, "After", "The next write.", ACTOR)
    assert indexed(root, NOTE.index) == {*notes, "after"}
    app.close()
    status = subprocess.run(
        ["git", "-C", str(data / "wiki"), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


def test_a_kill_at_every_named_step_loses_nothing(tmp_path: Path, soak: bool) -> None:
    *acknowledged, last = run(tmp_path / "whole", 0)
    assert acknowledged == [str(number) for number in range(len(OPERATIONS))]
    check_memory(tmp_path / "whole", len(OPERATIONS))
    total = int(last.split()[1])
    assert total > 60
    chosen = range(1, total + 1) if soak else sorted(random.Random(5).sample(range(1, total + 1), 5))
    for kill_at in chosen:
        data = tmp_path / f"data-{kill_at}"
        *acknowledged, last = run(data, kill_at)
        assert last.startswith("killed at "), last
        check_memory(data, len(acknowledged))
