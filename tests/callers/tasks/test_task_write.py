"""Adding, completing and dismissing tasks, over real files and git."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_write import WrittenTask
from memory_mcp.errors import InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.record import TASK
from memory_mcp.wiki.record_file import parse_record
from tests.memory import CLAUDE, CODEX, Memory


def add(memory: Memory, title: str = "Ship the importer", **more: str) -> Task:
    return memory.app.caller.task_writer.add(title, "today", CODEX, **more).task


def dismiss(memory: Memory, task: Task, reason: str = "") -> WrittenTask:
    confirmation = Confirmation(task.id, "command")
    return memory.app.caller.task_writer.dismiss(task.code, CLAUDE, confirmation, reason=reason)


def log_of(memory: Memory) -> list[str]:
    file = memory.wiki / "_callers/default/memory/log.md"
    return file.read_text(encoding="utf-8").splitlines()[2:]


def test_a_task_is_one_record_and_one_commit(memory: Memory) -> None:
    written = memory.app.caller.task_writer.add(
        " Ship\tthe  importer ",
        " to\nday ",
        CODEX,
        note="  with\nretry ",
        due="2026-12-01",
        priority=2,
    )
    task = written.task
    machine = (memory.data / "state" / "machine").read_text(encoding="utf-8").strip()
    created = f"{task.created:%Y-%m-%dT%H:%M:%SZ}"
    assert written.file.read_text(encoding="utf-8") == (
        "---\n"
        "state: active\n"
        "type: task\n"
        f"id: {task.id}\n"
        "title: Ship the importer\n"
        f"created: {created}\n"
        "list: to day\n"
        "note: with retry\n"
        "due: 2026-12-01\n"
        "priority: 2\n"
        f"session: {CODEX.session}\n"
        "history:\n"
        f"  - {{at: {created}, event: added, agent: codex, session: {CODEX.session}, machine: {machine}}}\n"
        "---\n"
    )
    assert written.file == memory.wiki / "_callers" / "default" / "tasks" / f"{task.id}.md"
    assert memory.operations()[-1] == "task-add"
    assert memory.git("rev-parse", "HEAD") == written.commit
    assert memory.app.caller.tasks.active() == (task,)
    assert memory.git("status", "--porcelain") == ""


def test_what_is_blank_is_left_out_of_the_record(memory: Memory) -> None:
    task = memory.app.caller.task_writer.add("Ship", "today", Actor("cli"), note=" \n ").task
    text = (memory.wiki / "_callers/default" / task.path).read_text(encoding="utf-8")
    keys = [line.partition(":")[0] for line in text.splitlines()[1:-1]]
    assert keys[:-1] == ["state", "type", "id", "title", "created", "list", "history"]
    assert "session" not in text


def test_a_completed_task_says_who_did_it_and_the_log_tells_of_it(memory: Memory) -> None:
    task = add(memory)
    done = memory.app.caller.task_writer.complete(task.code.upper(), CLAUDE).task
    assert (done.state, done.history[-1].event, done.history[-1].agent) == (
        "completed",
        "completed",
        "claude-code",
    )
    assert done.history[-1].session == CLAUDE.session
    assert memory.app.caller.tasks.active() == ()
    assert memory.app.caller.tasks.all() == (done,)
    assert log_of(memory) == [f"## [2026-11-30] task_completed | [{task.code}] Ship the importer"]
    assert memory.operations()[-1] == "task-complete"


def test_a_dismissed_task_says_why(memory: Memory) -> None:
    task = add(memory)
    gone = dismiss(memory, task, " not\nneeded ").task
    assert (gone.state, gone.history[-1].reason) == ("dismissed", "not needed")
    assert log_of(memory) == [
        f"## [2026-11-30] task_dismissed | [{task.code}] Ship the importer (not needed)"
    ]
    assert memory.operations()[-1] == "task-dismiss"


def test_the_end_of_a_task_changes_only_its_state_and_its_history(memory: Memory) -> None:
    task = add(memory)
    file = memory.wiki / "_callers/default" / task.path
    text = file.read_text(encoding="utf-8").replace("list: today\n", "list: today\nmine:   x  # keep\n")
    file.write_text(f"{text}\nMy own words.\n", encoding="utf-8")
    memory.app.caller.task_writer.complete(task.id, CODEX)
    old = [line for line in f"{text}\nMy own words.\n".splitlines() if not line.startswith("state")]
    new = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("state")]
    assert [line for line in new if line not in old] == [line for line in new if "event: completed" in line]
    assert [line for line in new if line in old] == old


def test_secrets_do_not_get_into_a_task(memory: Memory) -> None:
    token = "ghp_" + "a1B2" * 9
    task = add(memory, f"Rotate {token}", note=f"it is {token}")
    dismiss(memory, task, f"was {token}")
    for file in (memory.wiki / "_callers").rglob("*.md"):
        assert token not in file.read_text(encoding="utf-8")


def test_a_terminal_state_is_final(memory: Memory) -> None:
    done, gone = add(memory), add(memory, "Write the docs")
    memory.app.caller.task_writer.complete(done.code, CODEX)
    dismiss(memory, gone)
    for task in (done, gone):
        for call in (
            lambda t=task: memory.app.caller.task_writer.complete(t.code, CODEX),
            lambda t=task: dismiss(memory, t),
        ):
            sentence = memory.refusal(call)
            assert f"task {task.code} was " in sentence
            assert "stays so: add a new task" in sentence


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"title": " \n"}, "title is blank: say in a few words"),
        ({"title": "x" * 301}, "title has 301 characters; the limit is 300"),
        ({"list_name": "\t"}, "list_name is blank: name a list"),
        ({"list_name": "x" * 101}, "list_name has 101 characters; the limit is 100"),
        ({"note": "x" * 1001}, "note has 1,001 characters; the limit is 1,000"),
        ({"due": "soon"}, "due = 'soon' is no time"),
        ({"priority": 4}, "priority = 4 is out of range"),
        ({"priority": -1}, "priority = -1 is out of range"),
    ],
)
def test_a_task_that_breaks_a_rule_is_refused(memory: Memory, given: dict[str, object], says: str) -> None:
    add(memory)
    values = {"title": "Ship", "list_name": "today", "actor": CODEX, **given}
    assert says in memory.refusal(lambda: memory.app.caller.task_writer.add(**values))


def test_the_longest_texts_are_kept_whole(memory: Memory) -> None:
    task = memory.app.caller.task_writer.add("t" * 300, "l" * 100, CODEX, note="n" * 1000).task
    assert (len(task.title), len(task.list_name), len(task.note)) == (300, 100, 1000)
    assert len(dismiss(memory, task, "r" * 500).task.history[-1].reason) == 500
    other = add(memory)
    assert "reason has 501 characters" in memory.refusal(lambda: dismiss(memory, other, "r" * 501))


def test_a_code_that_names_no_task_of_this_caller_is_refused(memory: Memory) -> None:
    task = add(memory)
    writer = memory.app.caller.task_writer
    for code in ("", "9c4", "the importer", "../x", task.id + "0"):
        assert "is no code of a task" in memory.refusal(lambda code=code: writer.complete(code, CODEX))
    assert "there is no task" in memory.refusal(lambda: writer.complete(f"{'0' * 28}{task.code}", CODEX))
    other = memory.open(caller="ana")
    assert "there is no task" in memory.refusal(lambda: other.caller.task_writer.complete(task.code, CODEX))
    confirmation = Confirmation(task.id, "command")
    assert "there is no task" in memory.refusal(
        lambda: other.caller.task_writer.dismiss(task.id, CODEX, confirmation)
    )
    assert not (memory.wiki / "_callers" / "ana").exists()


def test_an_end_that_two_tasks_share_is_refused(memory: Memory) -> None:
    task = add(memory)
    file = memory.wiki / "_callers/default" / task.path
    twin = task.id[:-5] + ("0" if task.id[-5] != "0" else "1") + task.id[-4:]
    file.with_name(f"{twin}.md").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    sentence = memory.refusal(lambda: memory.app.caller.task_writer.complete(task.id[-4:], CODEX))
    assert "could be each of 2 tasks" in sentence
    assert memory.app.caller.task_writer.complete(task.id[-5:], CODEX).task.id == task.id


def test_a_confirmation_is_for_one_task(memory: Memory) -> None:
    task, other = add(memory), add(memory, "Write the docs")
    confirmation = Confirmation(other.id, "answer")
    with pytest.raises(InvalidInput, match="the confirmation is for another task"):
        memory.app.caller.task_writer.dismiss(task.code, CODEX, confirmation)
    assert len(memory.app.caller.tasks.active()) == 2


@pytest.mark.parametrize(
    "damage", [b"\xff", b"---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n---\n", b"no task\n"]
)
def test_a_file_that_is_no_task_is_left_to_a_person(memory: Memory, damage: bytes) -> None:
    task = add(memory)
    (memory.wiki / "_callers/default" / task.path).write_bytes(damage)
    sentence = memory.refusal(lambda: memory.app.caller.task_writer.complete(task.code, CODEX))
    assert f"tasks/{task.id}.md " in sentence
    assert "mend it by hand first" in sentence


def clone(memory: Memory, name: str) -> Memory:
    """Another machine with the same wiki."""
    root = memory.root / name
    root.mkdir()
    subprocess.run(["git", "clone", "-q", str(memory.wiki), str(root / "data" / "wiki")], check=True)
    other = Memory(root)
    other.now = memory.now
    return other


def pull(here: Memory, there: Memory, way: str) -> None:
    here.git("pull", "-q", "--no-edit", way, str(there.wiki), "HEAD")


@pytest.mark.parametrize("way", ["--no-rebase", "--rebase"])
@pytest.mark.parametrize("later_first", [False, True])
def test_two_clones_that_end_one_task_merge_and_the_earlier_end_holds(
    memory: Memory, later_first: bool, way: str
) -> None:
    both, same = add(memory), add(memory, "Write the docs")
    there = clone(memory, "laptop")
    memory.app.caller.task_writer.complete(both.code, CODEX)
    memory.app.caller.task_writer.complete(same.code, CODEX)
    there.now = memory.now
    dismiss(there, both, "not needed")
    there.app.caller.task_writer.complete(same.code, CLAUDE)
    only_there = add(there, "Only there")
    first, second = (there, memory) if later_first else (memory, there)
    pull(first, second, way)
    pull(second, first, way)
    for side in (memory, there):
        assert side.git("status", "--porcelain") == ""
        states = {task.id: (task.state, len(task.history)) for task in side.app.caller.tasks.all()}
        assert states == {both.id: ("completed", 3), same.id: ("completed", 3), only_there.id: ("active", 1)}
        assert len([line for line in log_of(side) if both.code in line]) == 2
    text = (memory.wiki / "_callers/default" / both.path).read_bytes()
    assert sorted(parse_record(text).states) == ["completed", "dismissed"]
    add(memory, "The next writer")
    text = (memory.wiki / "_callers/default" / both.path).read_bytes()
    assert parse_record(text).states == ("completed",)
    assert text.count(b"event:") == 3
    machines = {event.machine for task in memory.app.caller.tasks.all() for event in task.history}
    assert len(machines) == 2
    for app in there.opened:
        app.close()


def test_of_two_processes_that_end_one_task_at_once_exactly_one_wins(memory: Memory) -> None:
    task = add(memory)
    command = [sys.executable, "-m", "memory_mcp", "--data-dir", str(memory.data), "task"]
    ways = [["complete", task.code], ["dismiss", task.code], ["complete", task.code]]
    running = [
        subprocess.Popen(
            [*command, *way], cwd=Path(__file__).parents[3], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for way in ways
    ]
    results = [(process.communicate(timeout=60), process.returncode) for process in running]
    assert sorted(code for _, code in results) == [0, 1, 1]
    for (_, error), code in results:
        assert code == 0 or b"and stays so" in error
    [ended] = memory.app.caller.tasks.all()
    assert [event.event in TASK.events[1:] for event in ended.history] == [False, True]
    assert len(log_of(memory)) == 1
