"""What a person says in a turn, and what it does to the tasks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_mcp.app import App
from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.turn import TurnStart
from memory_mcp.errors import Busy, InvalidInput
from memory_mcp.model.actor import Actor
from tests.memory import CODEX, Memory

HOST = Actor("host", "s1")


def add(memory: Memory, title: str = "Ship it", note: str = "") -> Task:
    return memory.app.caller.task_writer.add(title, "today", CODEX, note=note).task


def begin(memory: Memory, text: str, session: str = "s1", app: App | None = None) -> TurnStart:
    return (app or memory.app).caller.turns.begin(text, session, Actor("host", session))


def confirmed(memory: Memory, task: Task, session: str = "s1", app: App | None = None) -> bool:
    """Whether another process of the session takes the task's dismissal for confirmed."""
    return (app or memory.open()).caller.turns.confirmation(task, session) == Confirmation(task.id, "turn")


def test_the_text_of_the_present_turn_confirms_the_task_that_it_names(memory: Memory) -> None:
    task, other = add(memory), add(memory, "Write the docs")
    assert begin(memory, f"Yes, dismiss task {task.code}") == TurnStart()
    assert confirmed(memory, task)
    assert not confirmed(memory, other)
    assert task in memory.app.caller.tasks.active()


def test_a_longer_end_of_the_id_names_the_same_task(memory: Memory) -> None:
    task = add(memory)
    begin(memory, f"yes, dismiss task {task.id[-12:]}")
    assert confirmed(memory, task)


def test_a_longer_code_that_ends_like_the_tasks_is_another_one(memory: Memory) -> None:
    task = add(memory)
    other = ("0" if task.id[-5] != "0" else "1") + task.id[-4:]
    begin(memory, f"yes, dismiss task {other}")
    assert not confirmed(memory, task)


@pytest.mark.parametrize("cut", [slice(-3, None), slice(0, 8), slice(-4, -1)])
def test_a_part_that_is_no_unique_end_confirms_nothing(memory: Memory, cut: slice) -> None:
    task = add(memory)
    begin(memory, f"yes, dismiss task {task.id[cut]}")
    assert not confirmed(memory, task)


def test_a_code_that_became_ambiguous_confirms_nothing(memory: Memory) -> None:
    task = add(memory)
    begin(memory, f"yes, dismiss task {task.id[-4:]}")
    file = memory.wiki / "_callers/default" / task.path
    twin = task.id[:-5] + ("0" if task.id[-5] != "0" else "1") + task.id[-4:]
    file.with_name(f"{twin}.md").write_bytes(file.read_bytes())
    assert not confirmed(memory, task)


def test_a_confirmation_counts_for_one_turn_of_one_session_and_one_caller(memory: Memory) -> None:
    task = add(memory)
    yes = f"yes, dismiss task {task.code}"
    begin(memory, yes)
    assert not confirmed(memory, task, "s2")
    assert not confirmed(memory, task, "")
    assert not confirmed(memory, task, app=memory.open(caller="ana"))
    begin(memory, "thank you")
    assert not confirmed(memory, task)
    begin(memory, yes)
    memory.app.caller.turns.end("s1")
    assert not confirmed(memory, task)
    begin(memory, yes)
    begin(memory, "another conversation", "s2")
    memory.app.caller.turns.end("s2")
    assert confirmed(memory, task)


def test_a_turn_that_nobody_ended_is_over_after_an_hour(memory: Memory) -> None:
    task = add(memory)
    begin(memory, f"yes, dismiss task {task.code}")
    memory.now += timedelta(minutes=59)
    assert confirmed(memory, task)
    memory.now += timedelta(minutes=1)
    assert not confirmed(memory, task)


def test_a_turn_of_the_future_confirms_nothing(memory: Memory) -> None:
    task = add(memory)
    begin(memory, f"yes, dismiss task {task.code}")
    memory.now -= timedelta(minutes=5)
    assert not confirmed(memory, task)


@pytest.mark.parametrize(
    ("session", "says"),
    [
        ("", "session is blank: give the id of the conversation"),
        (" \n", "session is blank: give the id of the conversation"),
        ("two words", "session = 'two words' is no id of a session: give one word"),
        ("x" * 129, "is no id of a session"),
    ],
)
def test_a_turn_of_nobodys_session_is_refused(memory: Memory, session: str, says: str) -> None:
    for call in (lambda: begin(memory, "hello", session), lambda: memory.app.caller.turns.end(session)):
        with pytest.raises(InvalidInput, match=says):
            call()
    assert not (memory.data / "state" / "turns").exists()


def test_the_end_of_a_turn_that_never_began_is_no_error(memory: Memory) -> None:
    memory.app.caller.turns.end("s1")
    assert not (memory.data / "state" / "turns").exists()


def test_the_first_words_of_a_session_complete_a_task(memory: Memory) -> None:
    task = add(memory, note="with retry")
    start = begin(memory, "Hi! Ship it is done.")
    assert (start.kind, [each.state for each in start.tasks]) == ("completed", ["completed"])
    assert start.text == (
        "## Boundary task reconciliation\n"
        "- The user reported this task as done, and it was completed: "
        f"[{task.code}] today: Ship it — with retry.\n"
        "- Do not ask whether it is done, and do not complete it again."
    )
    [done] = memory.app.caller.tasks.all()
    assert done.history[-1].agent == "host"
    log = (memory.wiki / "_callers/default/memory/log.md").read_text(encoding="utf-8")
    assert log.endswith(f"task_completed | [{task.code}] Ship it (the user said so when the session began)\n")


def test_only_the_first_words_of_a_session_are_compared(memory: Memory) -> None:
    add(memory)
    assert begin(memory, "good morning").kind == "none"
    assert begin(memory, "ship it is done").kind == "none"
    memory.app.caller.turns.end("s1")
    assert begin(memory, "ship it is done").kind == "none"
    assert begin(memory, "ship it is done", "s2").kind == "completed"


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
def test_a_blank_turn_leaves_the_comparison_to_the_next(memory: Memory, blank: str) -> None:
    add(memory)
    begin(memory, blank)
    memory.app.caller.turns.end("s1")
    assert begin(memory, "ship it is done").kind == "completed"


def test_a_store_that_is_locked_leaves_the_comparison_to_the_next_turn(memory: Memory) -> None:
    add(memory)
    hasty = memory.open(lock_timeout=0.05)
    with memory.app.lock.hold("test"), pytest.raises(Busy):
        begin(memory, "ship it is done", app=hasty)
    assert begin(memory, "now ship it is done", app=hasty).kind == "completed"


def test_a_wish_to_drop_tasks_changes_nothing_and_asks(memory: Memory) -> None:
    one, two = add(memory, note="with retry"), add(memory, "Write the docs")
    start = begin(memory, "skip ship it")
    assert (start.kind, [task.code for task in start.tasks]) == ("dismiss_confirmation", [one.code])
    assert start.text.splitlines()[1:] == [
        f"- [{one.code}] today: Ship it — with retry",
        f"To dismiss it, reply: yes, dismiss task {one.code}",
    ]
    both = begin(memory, "drop ship it and write the docs", "s2")
    assert both.text.splitlines()[1:3] == [
        f"- [{two.code}] today: Write the docs",
        start.text.splitlines()[1],
    ]
    assert both.text.splitlines()[-1].startswith("To dismiss one of them, reply with its code")
    assert len(memory.app.caller.tasks.active()) == 2
    assert not confirmed(memory, one)
    begin(memory, start.text.rpartition(": ")[2])
    assert confirmed(memory, one)


def test_a_confirmation_may_be_the_first_words_of_a_session(memory: Memory) -> None:
    task = add(memory)
    assert begin(memory, f"yes, dismiss task {task.code}").kind == "none"
    assert confirmed(memory, task)


def test_a_task_that_another_process_closed_meanwhile_is_not_reported(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = add(memory)
    stale = memory.app.caller.tasks.active()
    memory.app.caller.task_writer.complete(task.code, CODEX)
    monkeypatch.setattr(memory.app.caller.tasks, "active", lambda: stale)
    assert begin(memory, "ship it is done") == TurnStart()
