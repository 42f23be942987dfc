"""What doctor says of each client, by its files."""

import sys

import pytest

from memory_mcp import __version__
from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.entry import ServerEntry, program, server_entry
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.installation import Target, plan_hooks, plan_servers
from memory_mcp.doctor import program_version
from memory_mcp.doctor.client_checks import check_clients, find_installed
from memory_mcp.model.clock import utc_now


class Person:
    """A person's home, a project, and what doctor says of both."""

    def __init__(self, root):
        self.data, self.home, self.project = root / "data", root / "home", root / "project"
        self.home.mkdir()
        self.project.mkdir()

    def install(self, client, *, servers=True, hooks=True, project=False, entry=None):
        target = Target({}, self.home, self.project if project else None)
        plan = []
        if servers:
            plan += plan_servers(CLIENTS[client], entry or server_entry(self.data), target)
        if hooks:
            plan += plan_hooks(CLIENTS[client], HookOptions(self.data), target)
        for each in plan:
            each.apply(utc_now())

    def findings(self):
        installed = find_installed({}, self.home, self.project)
        found = check_clients(installed, self.data, {}, self.home, __version__)
        return [
            (each.code, " ".join(each.command[len(program()) :]).split(" --data-dir")[0]) for each in found
        ]

    def codes(self):
        return [code for code, _ in self.findings()]


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_that_was_just_set_up_has_nothing_wrong(person, client):
    person.install(client)
    assert person.findings() == []


@pytest.mark.parametrize("client", [name for name, client in CLIENTS.items() if client.hooks])
def test_a_client_lacks_its_hooks_or_its_server(person, client):
    person.install(client, hooks=False)
    assert person.findings() == [("no-hooks", f"install-hooks --client {client} --apply")]
    person.install(client)
    assert person.findings() == []


def test_what_is_installed_for_a_project_is_looked_at_and_mended_there(person):
    person.install("claude-code", servers=False, project=True)
    assert person.findings() == [("no-entry", "install-mcp --client claude-code --for-project --apply")]
    person.install("claude-code", hooks=False, project=True)
    assert person.findings() == []
    person.install("claude-code", servers=False)
    assert person.findings() == [("hooks-twice", "uninstall --client claude-code --for-project --apply")]


def test_nobody_who_has_no_client_is_told_to_install_one(person):
    assert person.findings() == []
    (person.home / ".codex").mkdir()
    assert person.findings() == [("no-client", "install-mcp --client codex --apply")]


def test_the_program_that_a_repository_names_is_not_run(person, tmp_path):
    trap = tmp_path / "memory-mcp"
    trap.write_text(f"#!{sys.executable}\nopen({str(tmp_path / 'sprung')!r}, 'w')\n", encoding="utf-8")
    trap.chmod(0o755)
    person.install("claude-code", entry=ServerEntry(str(trap), ("serve",)), project=True)
    assert person.findings() == []
    assert not (tmp_path / "sprung").exists()
    person.install("claude-code", entry=ServerEntry(str(trap), ("serve",)), hooks=False)
    assert person.codes() == ["dead-entry"]
    assert (tmp_path / "sprung").exists()


def test_a_repository_cannot_stand_in_for_the_program_that_the_user_named(person, monkeypatch):
    trap = f"open({str(person.home / 'sprung')!r}, 'w')"
    for name in ("memory_mcp.py", "memory-mcp"):
        file = person.project / name
        file.write_text(f"#!{sys.executable}\n{trap}\n", encoding="utf-8")
        file.chmod(0o755)
    monkeypatch.chdir(person.project)
    for entry in (
        ServerEntry(sys.executable, ("-m", "memory_mcp", "serve")),
        ServerEntry("./memory-mcp", ("serve",)),
    ):
        person.install("claude-code", entry=entry, hooks=False)
        assert set(person.codes()) <= {"dead-entry", "no-hooks", "other-version"}
        assert not (person.home / "sprung").exists()


def test_a_program_that_hangs_is_left_behind(person, tmp_path, monkeypatch):
    monkeypatch.setattr(program_version, "TIMEOUT_SECONDS", 0.2)
    hanging = tmp_path / "memory-mcp"
    waits = f"import time; time.sleep(5); open({str(tmp_path / 'lived')!r}, 'w')"
    hanging.write_text(f"#!{sys.executable}\n{waits}\n", encoding="utf-8")
    hanging.chmod(0o755)
    person.install("claude-code", entry=ServerEntry(str(hanging), ("serve",)))
    assert person.codes() == ["dead-entry"]
    assert not (tmp_path / "lived").exists()


def test_a_plugin_brings_both_and_a_plugin_that_is_off_brings_nothing(person):
    settings = person.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"enabledPlugins": {"memory-mcp@x": true}}', encoding="utf-8")
    assert person.findings() == []
    person.install("claude-code")
    assert person.findings() == [("hooks-twice", "uninstall --client claude-code --apply")]
    settings.write_text(settings.read_text().replace('"memory-mcp@x": true', '"memory-mcp@x": false'))
    assert person.findings() == []


def test_a_plugin_of_codex_is_known_too(person):
    config = person.home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('[plugins."memory-mcp@x"]\nenabled = true\n', encoding="utf-8")
    assert person.findings() == []
    person.install("codex", servers=False)
    assert person.codes() == ["hooks-twice"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"hooks": 3}', '{"hooks": {"Stop": 3}}', '{"enabledPlugins": []}', "\0"]
)
def test_files_that_cannot_be_read_hold_nothing_of_ours(person, text):
    for name in (".claude.json", ".claude/settings.json", ".codex/hooks.json", ".codex/config.toml"):
        file = person.home / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert person.codes() == ["no-client"]
