"""Which tasks the first words of a session complete, or want to drop."""

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.tasks.reconcile import MAX_TEXT_CHARS, reconcile
from memory_mcp.callers.tasks.task import Task

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def task(code: str, title: str, note: str = "", state: str = "active") -> Task:
    task_id = f"019ad4b2-6c1e-7a30-9f11-5d2c80b7{code}"
    return Task(task_id, code, "today", title, state, NOON, f"tasks/{task_id}.md", note)


SHIP = task("3003", "Ship it")
DOCS = task("4004", "Write the docs", "for version 2")
ABC = task("5005", "abc")
HOOK = task("6006", "Ship webhook")
HANDLER = task("7007", "Ship webhook handler")


def result(text: str, *tasks: Task, closed: tuple[Task, ...] = ()) -> tuple[str, list[str]]:
    found = reconcile(
        text, tasks or (SHIP, DOCS, ABC), [each.id for each in (*(tasks or (SHIP, DOCS, ABC)), *closed)]
    )
    return found.kind, [each.code for each in found.tasks]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("task #3003 is done", "3003"),
        ("Task 3003 done!", "3003"),
        ("task 5d2c-80b7-3003 is finished", "3003"),
        ("I'm done with ship it", "3003"),
        ("SHIP-IT: completed", "3003"),
        ("Hi! ship it is wrapped up. What is next?", "3003"),
        ("the thing for version 2 is closed out", "4004"),
        ("Write the docs is done, I did not forget", None),
    ],
)
def test_a_task_that_the_text_reports_as_done_is_completed(text: str, code: str) -> None:
    assert result(text) == (("completed", [code]) if code else ("none", []))


@pytest.mark.parametrize(
    "text",
    [
        "I don't have ship it finished",
        "I don’t have ship it finished",
        "ship it isn't done",
        "task 9009 done",
        "finished abc",
        "ship it and write the docs are done",
        "never finished ship it",
        "I didn't finish, but ship it completed",
        "ship it is almost done",
        "ship it has yet to be closed",
        "is ship it done?",
        "tell me when ship it is done",
        "Done.",
        "fixed",
        "the bug is fixed",
        "shipping is done",
        "it is done, ship the docs",
        "ship it",
        "task 003 is done",
        "task added, all done",
        "",
        " \n",
        "👍",
    ],
)
def test_what_is_not_plainly_done_changes_nothing(text: str) -> None:
    assert result(text) == ("none", [])


def test_titles_inside_one_another_are_ambiguous() -> None:
    assert result("ship webhook handler is done", HOOK, HANDLER) == ("none", [])
    assert result("ship webhook is done", HOOK, HANDLER) == ("completed", ["6006"])
    assert result("task 7007, ship webhook handler, is done", HOOK, HANDLER) == ("completed", ["7007"])


def test_two_codes_of_one_text_are_ambiguous() -> None:
    assert result("task 3003 is done and task 4004 is done") == ("none", [])


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("cancel task 3003", ["3003"]),
        ("skip ship it and it is done", ["3003"]),
        ("we don’t need ship it", ["3003"]),
        ("we don't need ship it", ["3003"]),
        ("I no longer need to write the docs", ["4004"]),
        ("drop ship it and write the docs", ["3003", "4004"]),
        ("stop working on ship it", ["3003"]),
        ("can we forget ship it?", ["3003"]),
    ],
)
def test_a_wish_to_drop_a_task_is_asked_about_and_wins_over_done(text: str, codes: list[str]) -> None:
    assert result(text) == ("dismiss_confirmation", codes)


@pytest.mark.parametrize(
    "text", ["don't forget ship it", "never skip ship it", "you must not cancel task 3003"]
)
def test_a_wish_to_keep_a_task_is_no_wish_to_drop_it(text: str) -> None:
    assert result(text) == ("none", [])


def test_words_of_the_title_are_not_taken_for_what_became_of_the_task() -> None:
    drop = task("8008", "Drop the old table")
    fixed = task("9009", "Make the header fixed")
    assert result("drop the old table is done", drop) == ("completed", ["8008"])
    assert result("let us look at: drop the old table", drop) == ("none", [])
    assert result("make the header fixed", fixed) == ("none", [])


def test_a_code_that_several_tasks_end_with_names_none() -> None:
    other = task("3003", "Other")
    twin = Task(
        **{
            **{name: getattr(other, name) for name in other.__slots__},
            "id": "019ad4b2-6c1e-7a30-9f11-5d2c80c03003",
        }
    )
    assert result("task 3003 is done", closed=(twin,)) == ("none", [])


def test_titles_in_other_scripts_are_found() -> None:
    assert result("Отправить письмо — done", task("1a1a", "Отправить письмо")) == ("completed", ["1a1a"])


def test_a_pasted_text_is_no_report() -> None:
    assert result("ship it is done " + "x " * MAX_TEXT_CHARS) == ("none", [])


def test_without_tasks_nothing_is_compared() -> None:
    assert reconcile("task 3003 is done", (), ()).kind == "none"


WORDS = ["ship", "it", "is", "not", "done", "task", "3003", "#3003", "cancel", "?", ".", "don't"]


@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_has_an_answer_that_names_open_tasks(text: str) -> None:
    found = reconcile(text, (SHIP, DOCS), [SHIP.id, DOCS.id])
    assert set(found.tasks) <= {SHIP, DOCS}
    assert (found.kind == "none") == (not found.tasks)
    assert found.kind != "completed" or len(found.tasks) == 1
