"""Tasks as lines."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_snapshot import MAX_SNAPSHOT_CHARS, snapshot_of, task_line
from tests.memory import CODEX, Memory

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
TASK = Task(
    "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4", "e9c4", "today", "Ship task tools", "active", NOON, "tasks/x.md"
)


def text_of(*tasks: Task, limit: int = 12) -> str:
    return snapshot_of(tasks, NOON, "", limit).text


def test_a_plain_task_is_one_line_with_its_note() -> None:
    noted = replace(TASK, note="note text")
    assert text_of(TASK, noted) == (
        "## Active tasks\n- [e9c4] today: Ship task tools\n- [e9c4] today: Ship task tools — note text"
    )


def test_without_tasks_there_is_one_line_that_says_so() -> None:
    assert text_of() == "## Active tasks\n- None."


def test_what_is_more_than_the_limit_is_counted() -> None:
    tasks = [replace(TASK, id=f"{number}", title=f"t{number}") for number in range(5)]
    assert text_of(*tasks, limit=3).splitlines()[1:] == [
        "- [e9c4] today: t0",
        "- [e9c4] today: t1",
        "- [e9c4] today: t2",
        "- ... 2 more active task(s).",
    ]


def test_overdue_tasks_stand_first_and_are_marked() -> None:
    late = replace(TASK, id="1", due="2026-11-29", priority=2)
    later = replace(TASK, id="2", due="2026-12-01")
    assert text_of(later, TASK, late).splitlines()[1:] == [
        "- [e9c4] today: Ship task tools (overdue since 2026-11-29) (priority 2)",
        "- [e9c4] today: Ship task tools (due 2026-12-01)",
        "- [e9c4] today: Ship task tools",
    ]


def test_a_closed_task_is_not_overdue() -> None:
    closed = replace(TASK, due="2026-11-29", state="completed")
    assert task_line(closed, NOON, "") == "- [e9c4] today: Ship task tools (due 2026-11-29)"


def test_long_tasks_stay_within_what_an_answer_may_have() -> None:
    tasks = [replace(TASK, id=f"{number}", title="t" * 300, note="n" * 1000) for number in range(100)]
    found = snapshot_of(tasks, NOON, "", 100)
    assert len(found.text) < MAX_SNAPSHOT_CHARS + 100
    assert found.text.endswith(f"- ... {100 - len(found.tasks)} more active task(s).")
    assert found.total == 100
    assert len(found.tasks) > 10


def test_a_snapshot_is_of_now_and_survives_a_broken_profile(memory: Memory) -> None:
    app = memory.app
    app.caller.task_writer.add("Ship", "today", CODEX, due="2026-11-30")
    assert "(due 2026-11-30)" in app.caller.task_snapshots.snapshot().text
    memory.now = memory.now.replace(day=1, month=12)
    (memory.wiki / "_callers/default/memory/USER.md").write_bytes(b"\xff")
    assert "(overdue since 2026-11-30)" in app.caller.task_snapshots.snapshot().text
