"""Which sessions that a client keeps should have been recorded, and which were."""

import json
from datetime import datetime, timedelta, timezone

import pytest

from memory_mcp.capture.hook_event import take
from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.installation import Target, plan_hooks
from memory_mcp.doctor.client_checks import find_installed
from memory_mcp.doctor.session_checks import check_sessions
from memory_mcp.sessions.capture_off import turn_off
from memory_mcp.sessions.hooks_installed import hooks_installed, note_hooks
from memory_mcp.store.data_dir import DataDir

ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
NOW = datetime.now(timezone.utc).replace(microsecond=0)


class Person:
    """Claude Code with hooks that are an hour old, and a session of half an hour ago that nobody recorded."""

    def __init__(self, root):
        self.root = root
        self.data = DataDir(root / "data")
        self.home = root / "home"
        self.project = self.home / "importer"
        self.project.mkdir(parents=True)
        (self.data.wiki / "default" / "importer").mkdir(parents=True)
        target = Target({}, self.home)
        [plan] = plan_hooks(CLIENTS["claude-code"], HookOptions(self.data.root), target)
        plan.apply(NOW)
        self.hooks = plan.file
        note_hooks(self.data.state, [plan.file], NOW - timedelta(hours=1))
        self.keep(self.project)

    def keep(self, cwd, minutes=30, session=ID):
        folder = self.home / ".claude" / "projects" / "x"
        folder.mkdir(parents=True, exist_ok=True)
        prompt = {
            "type": "user",
            "message": {"role": "user", "content": "Make it retry"},
            "timestamp": f"{NOW - timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%S.000Z}",
            "cwd": str(cwd),
            "sessionId": session,
        }
        (folder / f"{session}.jsonl").write_text(f"{json.dumps(prompt)}\n", encoding="utf-8")

    def missed(self):
        installed = find_installed({}, self.home, self.project)
        found = list(check_sessions(self.data, installed, {}, self.home, NOW))
        return [" ".join(each.text.split()[:6]) for each in found]


MISSED = ["1 of 1 sessions of Claude"]


@pytest.fixture
def person(tmp_path):
    person = Person(tmp_path)
    assert person.missed() == MISSED  # the control of every test below
    return person


def test_a_session_is_here_once_anything_of_it_waits_in_the_spool_or_was_folded(person):
    payload = {"session_id": ID, "cwd": str(person.project), "prompt": "Make it retry"}
    words = ["--event", "user-prompt", "--agent", "claude-code", "--data-dir", str(person.data.root)]
    assert take(words, json.dumps(payload).encode(), {"HOME": str(person.home)}).is_recorded
    assert person.missed() == []
    for file in person.data.spool.iterdir():
        file.unlink()
    folded = person.data.raw / "default" / "importer" / "sessions" / f"{ID}.jsonl"
    folded.parent.mkdir(parents=True)
    folded.touch()
    assert person.missed() == []


@pytest.mark.parametrize("minutes", [0, 61, 30 * 24 * 60])
def test_what_began_this_moment_or_before_the_hooks_or_long_ago_is_not_expected(person, minutes):
    person.keep(person.project, minutes)
    assert person.missed() == []


def test_what_happens_in_no_project_of_this_store_is_not_expected(person):
    person.keep(person.home)
    assert person.missed() == []
    person.keep(person.home / "another")
    assert person.missed() == []


def test_what_a_person_excluded_is_not_expected(person):
    config = person.data.config_file
    config.write_text('[capture]\nmode = "allowlist"\n', encoding="utf-8")
    assert person.missed() == []
    (person.project / ".memory-mcp.toml").write_text('workspace = "default"\n', encoding="utf-8")
    assert person.missed() == MISSED
    turn_off(person.data.state, person.project)
    assert person.missed() == []


def test_hooks_of_one_project_are_expected_to_record_that_project_alone(person):
    person.hooks.write_text("{}", encoding="utf-8")
    target = Target({}, person.home, person.project)
    [plan] = plan_hooks(CLIENTS["claude-code"], HookOptions(person.data.root), target)
    plan.apply(NOW)
    note_hooks(person.data.state, [plan.file], NOW - timedelta(hours=1))
    assert person.missed() == MISSED
    (person.data.wiki / "default" / "other").mkdir()
    person.keep(person.home / "other")
    assert person.missed() == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 3}', '{"files": {"x": "yesterday"}}'])
def test_nothing_is_expected_of_hooks_of_which_nobody_knows_since_when(person, text):
    (person.data.state / "hooks-installed.json").write_text(text, encoding="utf-8")
    assert hooks_installed(person.data.state) == {}
    assert person.missed() == []


def test_the_time_of_each_file_is_kept_when_another_is_noted(person):
    note_hooks(person.data.state, [person.home / "b"], NOW)
    expected = {str(person.hooks): NOW - timedelta(hours=1), str(person.home / "b"): NOW}
    assert hooks_installed(person.data.state) == expected
