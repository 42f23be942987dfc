"""Asking Codex which hooks it runs: its answer counts before what its files say."""

import sys

import pytest

from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.installation import Target, plan_hooks
from memory_mcp.doctor import codex_checks
from memory_mcp.doctor.client_checks import find_installed
from memory_mcp.doctor.codex_checks import check_trust
from memory_mcp.model.clock import utc_now

ANSWER = """import sys
for line in sys.stdin:
    if '"hooks/list"' in line:
        print('{"method": "noise", "params": {}}')
        print('no JSON')
        print('{"id": 1, "result": {}}')
        print('{"id": 2, "result": {"data": [{"hooks": [%s]}]}}', flush=True)
"""
HOOK = '{"key": "%s", "command": "%s", "enabled": %s, "trustStatus": "%s"}'
OURS = "memory-mcp hook --event stop --agent codex"


def hook(key="a", command=OURS, enabled="true", trust="trusted"):
    return HOOK % (key, command, enabled, trust)


@pytest.fixture
def check(tmp_path):
    """The findings of somebody whose Codex is this program in Python, None for no program."""
    home, folder = tmp_path / "home", tmp_path / "project"
    for each in (home, folder, tmp_path / "bin"):
        each.mkdir()
    for plan in plan_hooks(CLIENTS["codex"], HookOptions(tmp_path / "data"), Target({}, home)):
        plan.apply(utc_now())

    def run(program):
        if program is not None:
            codex = tmp_path / "bin" / "codex"
            codex.write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
            codex.chmod(0o755)
        installed = find_installed({}, home, folder)
        return [each.text[:34] for each in check_trust(installed, {"PATH": str(tmp_path / "bin")}, folder)]

    return run


def test_what_codex_runs_is_no_finding_whatever_its_files_say(check):
    assert check(ANSWER % ", ".join([hook("a"), hook("b", trust="managed")])) == []


@pytest.mark.parametrize(
    "idle", [hook("b", trust="untrusted"), hook("b", trust="modified"), hook("b", enabled="false")]
)
def test_what_codex_does_not_run_is_a_finding_once(check, idle):
    hooks = [hook("a"), idle, idle, hook("c", command="audit.sh", trust="untrusted")]
    assert check(ANSWER % ", ".join(hooks)) == ["Codex does not run 1 of our hooks,"]


@pytest.mark.parametrize(
    "program", [None, "", "import sys; sys.exit(1)", 'print(\'{"id": 2, "result": 3}\')']
)
def test_where_codex_does_not_answer_its_files_do(check, program):
    assert check(program) == ["Codex does not run 8 of our hooks,"]


def test_a_codex_that_hangs_is_left_behind_with_what_it_started(check, tmp_path, monkeypatch):
    monkeypatch.setattr(codex_checks, "TIMEOUT_SECONDS", 0.3)
    child = f"import time; time.sleep(4); open({str(tmp_path / 'lived')!r}, 'w')"
    program = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\n"
    assert check(f"{program}time.sleep(600)") == ["Codex does not run 8 of our hooks,"]
    assert not (tmp_path / "lived").exists()


def test_the_hooks_of_a_plugin_are_asked_about(check, tmp_path):
    (tmp_path / "home" / ".codex" / "hooks.json").unlink()
    config = tmp_path / "home" / ".codex" / "config.toml"
    config.write_text('[plugins."memory-mcp@x"]\nenabled = true\n', encoding="utf-8")
    assert check(None) == []
    assert check(ANSWER % hook(trust="untrusted")) == ["Codex does not run 1 of our hooks,"]
