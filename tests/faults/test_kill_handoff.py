"""A process killed while it hands work over: it is handed over whole, or not at all, and to one session."""

from __future__ import annotations

import random
import re
from pathlib import Path

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft
from tests.faults.test_kill import git, open_app, start
from tests.faults.worker import SCOPE

CLAIMANT = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
OTHER = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"
THERE = {"workspace": "acme", "project": "warehouse"}
OPERATIONS = [
    ["write", "notes/a.md", "# A\n"],
    ["handoff", "begin", "Go on here."],
    ["handoff", "accept", CLAIMANT],
    ["handoff", "begin", "No more."],
    ["handoff", "cancel"],
]
STATES = [
    {},
    {},
    {"Go on here.": "open"},
    {"Go on here.": "accepted"},
    {"Go on here.": "accepted", "No more.": "open"},
    {"Go on here.": "accepted", "No more.": "cancelled"},
]
"""What the handoffs may be after so many operations."""
LOGGED = re.compile(r"\] (handoff-[a-z]+) \|")


def acknowledged(data: Path, operations: list[list[str]], kill_at: int) -> tuple[list[str], str]:
    with start(data, operations, kill_at) as process:
        assert process.stdout is not None
        *lines, last = process.stdout.read().splitlines()
    return [line for line in lines if line.isdigit()], last


def check(data: Path, count: int) -> None:
    app = open_app(data)
    app.changes.repair_if_due()
    handoffs = app.continuity.handoffs
    if not (data / "wiki" / "acme" / "importer").exists():
        app.close()
        return
    found = {each.draft.summary: each for each in handoffs.look(closed=True, **SCOPE).handoffs}
    assert {text: each.state for text, each in found.items()} in STATES[count : count + 2]
    logs = "".join(file.read_text(encoding="utf-8") for file in (data / "wiki").rglob("log-*.md"))
    assert sorted(LOGGED.findall(logs)) == sorted(
        event
        for each in found.values()
        for event in ["handoff-begin", f"handoff-{each.state}"]
        if event != "handoff-open"
    )
    assert git(data, "status", "--porcelain") == ""
    taken = found.get("Go on here.")
    if taken is not None and taken.state == "accepted":
        again = handoffs.accept(taken.id, Receiver("worker", CLAIMANT), **SCOPE)
        assert (again.status, again.handoff and again.handoff.draft.summary) == (
            "consumed_by_hook",
            "Go on here.",
        )
        other = handoffs.accept("", Receiver("worker", OTHER), **SCOPE)
        assert other.handoff is None or other.handoff.id != taken.id
    app.close()


def test_a_kill_at_every_named_step_leaves_a_handoff_whole(tmp_path: Path, soak: bool) -> None:
    done, last = acknowledged(tmp_path / "whole", OPERATIONS, 0)
    assert len(done) == len(OPERATIONS)
    total = int(last.split()[1])
    check(tmp_path / "whole", len(OPERATIONS))
    assert total > 40
    chosen = range(1, total + 1) if soak else sorted(random.Random(5).sample(range(1, total + 1), 4))
    for kill_at in chosen:
        data = tmp_path / f"data-{kill_at}"
        done, last = acknowledged(data, OPERATIONS, kill_at)
        assert last.startswith("killed at "), last
        check(data, len(done))


def test_a_kill_while_a_message_is_taken_loses_it_for_nobody(tmp_path: Path, soak: bool) -> None:
    data = tmp_path / "whole"
    prepare(data)
    _, last = acknowledged(data, [["message", "pop", CLAIMANT]], 0)
    total = int(last.split()[1])
    steps = range(1, total + 1)
    for kill_at in steps if soak else sorted(random.Random(7).sample(steps, 2)):
        data = tmp_path / f"data-{kill_at}"
        code = prepare(data)
        _, last = acknowledged(data, [["message", "pop", CLAIMANT]], kill_at)
        assert last.startswith("killed at "), last
        app = open_app(data)
        app.changes.repair_if_due()
        messages = app.continuity.messages
        again = messages.pop(code, Actor("worker", CLAIMANT), **THERE)
        assert again.message is not None
        assert again.message.body == "Retry."
        assert messages.pop("", Actor("worker", OTHER), **THERE).message is None
        app.close()


def prepare(data: Path) -> str:
    """A message waits; its code."""
    app = open_app(data)
    for project in ("importer", "warehouse"):
        app.writer.write(PageDraft("a.md", "# A\n"), Actor("worker"), workspace="acme", project=project)
    sent = app.continuity.messages.send("acme", "warehouse", "Retry.", Actor("worker"), **SCOPE)
    app.close()
    return sent.code


def test_of_eight_processes_one_gets_the_handoff_and_one_the_message(tmp_path: Path) -> None:
    data = tmp_path / "data"
    prepare(data)
    app = open_app(data)
    app.continuity.handoffs.begin(HandoffDraft("", "Go on."), Actor("worker"), **SCOPE)
    app.close()
    sessions = [f"{number:08x}-77aa-4b1f-8a30-1f1f6a2f0c11" for number in range(8)]
    operations = [[["handoff", "accept", each], ["message", "pop", each]] for each in sessions]
    workers = [start(data, each, 0) for each in operations]
    answers = []
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            answers += worker.stdout.read().splitlines()
    assert answers.count("claimed") == 1
    assert answers.count("none_pending") == 7
    assert answers.count("Retry.") == 1
    assert answers.count("nothing") == 7
