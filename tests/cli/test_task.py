"""`memory-mcp task`: a person's own list."""

import json


def added(memory, *args):
    return memory("task", "add", *args, "--json").json


def test_a_task_is_added_listed_and_completed(memory, wiki):
    done = memory("task", "add", "Ship it", "--list", "work", "--due", "2999-12-01", "--priority", "1")
    assert done.code == 0
    first, line = done.out.splitlines()
    code = first.split()[-1].rstrip(".")
    assert line == f"- [{code}] work: Ship it (due 2999-12-01) (priority 1)"
    [task] = memory("task", "list", "--json").json["tasks"]
    assert (task["task_id"], task["list_name"], task["due"], task["priority"]) == (
        code,
        "work",
        "2999-12-01",
        1,
    )
    assert task["file"] == str(wiki / "_callers" / "default" / task["path"])
    assert memory("task", "complete", code).out.startswith(f"Completed task {code}.")
    assert memory("task", "list").out == "No active tasks.\n"
    assert "completed" in memory("task", "list", "--all").out
    text = (wiki / "_callers" / "default" / task["path"]).read_text(encoding="utf-8")
    assert "event: completed, agent: cli, machine: " in text


def test_a_person_dismisses_without_being_asked(memory):
    code = added(memory, "Ship it")["task_id"]
    gone = memory("task", "dismiss", code.upper(), "--reason", "not needed", "--json").json
    assert (gone["state"], gone["task_id"]) == ("dismissed", code)
    again = memory("task", "dismiss", code)
    assert again.code == 1
    assert again.err.startswith(f"error: task {code} was dismissed on ")


def test_callers_do_not_see_each_others_tasks(memory):
    code = added(memory, "Ship it")["task_id"]
    assert memory("--caller", "ana", "task", "list").out == "No active tasks.\n"
    refused = memory("task", "complete", code, "--caller", "ana")
    assert refused.code == 1
    assert f"there is no task {code}" in refused.err


def test_an_overdue_task_stands_first(memory):
    added(memory, "Late", "--due", "2020-01-01")
    added(memory, "New")
    titles = [task["title"] for task in memory("task", "list", "--json").json["tasks"]]
    assert titles == ["Late", "New"]


def test_a_wrong_call_changes_nothing(memory, unchanged):
    added(memory, "Ship it")
    unchanged()
    for args, says in [
        (("add", " "), "title is blank"),
        (("add", "x", "--due", "soon"), "due = 'soon' is no time"),
        (("complete", "ffff"), "there is no task ffff"),
        (("dismiss", "the first"), "is no code of a task"),
    ]:
        done = memory("task", *args)
        assert done.code == 1
        assert says in done.err
        assert len(done.err.splitlines()) == 1
    assert memory("task", "add", "x", "--priority", "4").code == 2


def test_a_file_that_is_no_task_is_a_note_beside_the_list(memory, wiki):
    task = added(memory, "Ship it")
    (wiki / "_callers" / "default" / task["path"]).write_bytes(b"\xff")
    done = memory("task", "list")
    assert done.out == "No active tasks.\n"
    assert done.err == f"note: {task['path']} is not UTF-8 text: mend it by hand.\n"
    assert json.loads(memory("task", "list", "--json").out)["problems"]
