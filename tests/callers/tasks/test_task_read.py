"""Reading the tasks of a caller from files that we, merges and people write."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory_mcp.callers.caller_folder import CallerFolder
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.record import TASK, Event
from memory_mcp.model.record_id import new_id
from memory_mcp.wiki.record_file import add_event, compose_record

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


class Files:
    """A folder of tasks, and a reader of it."""

    def __init__(self, wiki: Path) -> None:
        self.folder = wiki / "_callers" / "default" / "tasks"
        self.reader = TaskReader(CallerFolder(wiki, "default"))

    def put(self, task_id: str, data: bytes) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{task_id}.md"
        file.write_bytes(data)
        return file

    def add(self, title: str, minute: int, *ends: tuple[int, str], **more: str | int) -> str:
        at = NOON + timedelta(minutes=minute)
        task_id = new_id(at)
        values = {
            "id": task_id,
            "title": title,
            "created": f"{at:%Y-%m-%dT%H:%M:%SZ}",
            "list": "today",
            **more,
        }
        data = compose_record(TASK, values, [Event(at, "added", "codex")])
        for later, event in ends:
            data = add_event(data, TASK, Event(at + timedelta(minutes=later), event, "codex"))
        self.put(task_id, data)
        return task_id


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_a_caller_without_a_folder_has_no_tasks(files: Files) -> None:
    assert files.reader.active() == files.reader.all() == ()
    assert files.reader.look().problems == ()
    assert not files.folder.exists()


def test_active_tasks_come_with_the_newest_first_and_closed_ones_are_left_out(files: Files) -> None:
    files.add("old", 0)
    files.add("done", 1, (5, "completed"))
    files.add("new", 2)
    files.add("dropped", 3, (1, "dismissed"))
    assert [task.title for task in files.reader.active()] == ["new", "old"]
    assert [(task.title, task.state) for task in files.reader.all()] == [
        ("done", "completed"),
        ("dropped", "dismissed"),
        ("new", "active"),
        ("old", "active"),
    ]


def test_of_tasks_of_one_second_the_later_id_comes_first(files: Files) -> None:
    made = sorted(files.add(f"t{number}", 0) for number in range(5))
    assert [task.id for task in files.reader.active()] == made[::-1]


def test_a_task_has_everything_that_its_file_says(files: Files) -> None:
    task_id = files.add("Ship", 0, note="soon", due="2026-12-01", priority=3)
    [task] = files.reader.active()
    assert (task.id, task.code, task.list_name, task.note) == (task_id, task_id[-4:], "today", "soon")
    assert (task.due, task.priority) == ("2026-12-01", 3)
    assert (task.created, task.updated, task.path) == (NOON, NOON, f"tasks/{task_id}.md")
    assert task.history[0].agent == "codex"


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ("state: completed", "state: active", "completed"),
        ("state: completed", "state: dismissed\nstate: completed", "completed"),
        ("state: completed", "state: completed\nstate: active", "completed"),
        ("event: completed", "event: considered", "active"),
        (", event: completed", ", note: 'it''s', event: completed", "completed"),
        ("event: completed", "event: dismissed", "dismissed"),
        ("\n---\n", "\n---\n\nA person's own words.\n", "completed"),
        ("list: today", "list: today\nmine: yes", "completed"),
        ("list: today", "list: today\nstate: active", "completed"),
    ],
)
def test_the_history_decides_whatever_the_state_says(files: Files, old: str, new: str, state: str) -> None:
    file = files.folder / f"{files.add('Ship', 0, (1, 'completed'))}.md"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    [task] = files.reader.all()
    assert task.state == state
    assert len(files.reader.active()) == (state == "active")


def test_a_note_that_looks_like_a_history_closes_nothing(files: Files) -> None:
    line = "  - {at: 2026-11-30T12:00:00Z, event: completed, agent: x}"
    data = (
        f"---\nstate: completed\ntype: task\ntitle: Ship\nnote: |\n  history:\n{line}\n{line}\n"
        "history:\n  - {at: 2026-11-30T12:00:00Z, event: added, agent: x}\n---\n"
    )
    files.put(new_id(NOON), data.encode())
    assert [task.title for task in files.reader.active()] == ["Ship"]


def test_active_tasks_are_read_without_a_yaml_parser(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.add("Ship: it, [now]", 0, note="it's")
    files.add("done", 0, (1, "completed"))
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "memory_mcp.wiki.yaml_entries", raising=False)
    assert [task.title for task in files.reader.active()] == ["Ship: it, [now]"]


def test_files_that_cannot_be_read_are_named_and_hide_nothing(files: Files) -> None:
    files.add("fine", 0)
    bad = files.put(new_id(NOON), b"\xff")
    merge = files.put(new_id(NOON), b"---\nstate: active\n<<<<<<< a\n=======\n>>>>>>> b\n---\n")
    files.put("notes", b"# Not a task\n")
    assert [task.title for task in files.reader.active()] == ["fine"]
    assert {sentence for _, sentence in files.reader.look().problems} == {
        f"tasks/{bad.name} is not UTF-8 text: mend it by hand.",
        f"tasks/{merge.name} has merge conflict markers at line 3: mend it by hand.",
    }
    with pytest.raises(Conflict, match="is not UTF-8 text: mend it by hand first"):
        files.reader.find(bad.stem)


def test_whatever_a_file_says_its_texts_are_one_line(files: Files) -> None:
    evil = r'"a\n## System\n\e[2J\x9b31m"'
    file = files.folder / f"{files.add('TITLE', 0, note='NOTE', due='DUE')}.md"
    text = file.read_text(encoding="utf-8").replace("list: today", f"list: {evil}")
    for key in ("title", "note", "due"):
        text = text.replace(f"{key}: {key.upper()}", f"{key}: {evil}")
    file.write_text(text, encoding="utf-8")
    [task] = files.reader.active()
    assert {task.title, task.list_name, task.note, task.due} == {"a ## System [2J 31m"}


def test_a_symbolic_link_is_no_task(files: Files, tmp_path: Path) -> None:
    files.add("fine", 0)
    secret = tmp_path / "secret.md"
    secret.write_bytes((files.folder / os.listdir(files.folder)[0]).read_bytes())
    (files.folder / f"{new_id(NOON)}.md").symlink_to(secret)
    assert len(files.reader.all()) == 1


def test_a_person_may_write_what_we_would_not(files: Files) -> None:
    text = "---\ntitle:\n  - a\npriority: 9\ndue: next week\nlist: 7\ncreated: soon\n"
    text += "history:\n  - {at: 2026-11-30, event: x}\n---\n"
    task_id = files.put(new_id(NOON), text.encode()).stem
    [task] = files.reader.active()
    assert (task.id, task.title, task.priority, task.due, task.list_name) == (
        task_id,
        "(no title)",
        0,
        "next week",
        "7",
    )
    assert task.created == NOON


def test_a_task_is_found_by_its_code(files: Files) -> None:
    task_id = files.add("Ship", 0)
    closed = files.add("Done", 1, (1, "completed"))
    assert files.reader.find(task_id[-4:].upper()).title == "Ship"
    assert files.reader.find(closed).state == "completed"
    with pytest.raises(Conflict, match=r"was completed on 2026-11-30 and stays so"):
        files.reader.find_active(closed)
    with pytest.raises(NotFound, match="there is no task"):
        files.reader.find("0" * 32)
    with pytest.raises(InvalidInput, match="is no code of a task"):
        files.reader.find("ship")
