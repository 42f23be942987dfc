"""Each fault is found, the command that is printed is run as printed, and the finding is gone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory_mcp.capture.spool import Spool
from memory_mcp.doctor.git_checks import check_git
from memory_mcp.doctor.spool_checks import check_spool
from memory_mcp.store.data_dir import DataDir
from tests.agents import environment, run_command

CLIENTS = ("claude-code", "codex")
CODEX = """#!{python}
import json, pathlib, sys
trusted = pathlib.Path({trusted!r})
if sys.argv[1:] != ["app-server"]:
    trusted.touch()  # the person says yes
    sys.exit()
for line in sys.stdin:
    if json.loads(line).get("method") == "hooks/list":
        hooks = json.loads(pathlib.Path({hooks!r}).read_text())["hooks"]
        told = [
            dict(hook, key=event, enabled=True, trustStatus="trusted" if trusted.exists() else "untrusted")
            for event, groups in hooks.items() for group in groups for hook in group["hooks"]
        ]
        print(json.dumps({{"method": "noise"}}))
        print(json.dumps({{"id": 2, "result": {{"data": [{{"hooks": told}}]}}}}), flush=True)
"""
"""What Codex answers when asked for its hooks, and what its user does when started by hand."""


class Machine:
    """A person's home with both clients set up, who trusts the hooks, and a project."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "importer"
        self.data = root / "data"
        self.holder: subprocess.Popen[bytes] | None = None
        self.trusted = root / "trusted"
        self.programs = root / "bin"

    def set_up(self) -> None:
        for folder in (self.home, self.project, self.programs):
            folder.mkdir()
        self.trusted.touch()
        self.program(
            "codex",
            CODEX.format(
                python=sys.executable,
                trusted=str(self.trusted),
                hooks=str(self.home / ".codex" / "hooks.json"),
            ),
        )
        subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)
        self.run("init")
        for client in CLIENTS:
            self.run("install-mcp", "--client", client, "--apply")
            self.run("install-hooks", "--client", client, "--apply")

    def program(self, name: str, text: str) -> Path:
        file = self.programs / name
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
        return file

    def run(self, *words: str) -> str:
        done = run_command(*words, "--data-dir", str(self.data), home=self.home, folder=self.project)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def write_page(self) -> None:
        body = self.project / "body.md"
        body.write_text("one\n", encoding="utf-8")
        self.run("write-page", "notes/x.md", "--file", str(body))

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
        subprocess.run(["git", *identity, *words], cwd=self.data / "wiki", check=True, capture_output=True)

    def write(self, name: str, text: str) -> Path:
        file = self.data / "wiki" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def findings(self) -> dict[str, str]:
        found = json.loads(self.run("doctor", "--json"))["findings"]
        return {each["code"]: each["command"] for each in found}

    def shell(self, command: str) -> None:
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.project,
            env=environment(self.home),
            capture_output=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        file = self.home / name
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("doctor")


@pytest.fixture
def machine(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Set up once by the real commands, and copied back for every test: the files name their folder."""
    root, original = place / "machine", place / "original"
    monkeypatch.setenv("PATH", f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}")
    if not original.exists():
        root.mkdir()
        Machine(root).set_up()
        root.rename(original)
    shutil.copytree(original, root, symlinks=True)
    machine = Machine(root)
    yield machine
    if machine.holder is not None:
        machine.holder.kill()
        machine.holder.communicate()
    shutil.rmtree(root)


def open_data_dir(machine: Machine) -> None:
    machine.data.chmod(0o755)


def broken_config(machine: Machine) -> None:
    (machine.data / "config.toml").write_text("[capture\n", encoding="utf-8")


def no_repository(machine: Machine) -> None:
    (machine.data / "wiki" / ".git").rename(machine.data / "moved")


def broken_index(machine: Machine) -> None:
    (machine.data / "index" / "current").write_text("v9-gone\n", encoding="utf-8")


def broken_marker(machine: Machine) -> None:
    (machine.project / ".memory-mcp.toml").write_text("workspace = 3\n", encoding="utf-8")


def spool_waits(machine: Machine) -> None:
    created = int(time.time() * 1000) - 3_600_000
    entry = {"v": 1, "key": "a" * 32, "created": "2026-11-30T11:20:09.120Z", "kind": "user-prompt"}
    Spool(str(machine.data / "spool")).put(
        {**entry, "agent": "codex", "native_id": "x", "cwd": str(machine.project)}, created
    )


def spool_dead(machine: Machine) -> None:
    dead = machine.data / "spool" / "dead"
    dead.mkdir(parents=True)
    (dead / f"{1:013d}-{'b' * 32}.json").write_text("torn", encoding="utf-8")


def capture_off(machine: Machine) -> None:
    machine.run("capture", "off")


def no_entry(machine: Machine) -> None:
    machine.edit(".claude.json", lambda _: "{}\n")


def dead_entry(machine: Machine) -> None:
    machine.edit(
        ".claude.json", lambda text: json.dumps(_with(json.loads(text), "command", "/gone/memory-mcp"))
    )


def other_store(machine: Machine) -> None:
    machine.edit(".codex/config.toml", lambda text: text.replace(str(machine.data), "/other/store"))


def no_hooks(machine: Machine) -> None:
    (machine.home / ".codex" / "hooks.json").unlink()


def dead_hooks(machine: Machine) -> None:
    hook = "/gone/memory-mcp hook --event stop --agent claude-code"
    machine.edit(".claude/settings.json", lambda text: json.dumps(_with_hook(json.loads(text), hook)))


def hooks_elsewhere(machine: Machine) -> None:
    machine.edit(".codex/hooks.json", lambda text: text.replace(str(machine.data), "/other/store"))


def hooks_twice(machine: Machine) -> None:
    machine.run("install-hooks", "--client", "claude-code", "--for-project", "--apply")


def hooks_twice_in_one_file(machine: Machine) -> None:
    def double(text: str) -> str:
        found = json.loads(text)
        found["hooks"]["Stop"] *= 2
        return json.dumps(found)

    machine.edit(".codex/hooks.json", double)


def interrupted_change(machine: Machine) -> None:
    (machine.data / "state" / "journal.json").write_text("{", encoding="utf-8")


def lock_held(machine: Machine) -> None:
    code = (
        "import portalocker, sys, time, json, os\n"
        f"file = open({str(machine.data / 'locks' / 'writer.lock')!r}, 'a+b')\n"
        "portalocker.lock(file, portalocker.LOCK_EX)\n"
        f"holder = {{'pid': os.getpid(), 'operation': 'x', 'since': time.time() - 3600}}\n"
        f"open({str(machine.data / 'locks' / 'writer.json')!r}, 'w').write(json.dumps(holder))\n"
        "print('held', flush=True)\n"
        "time.sleep(600)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    machine.holder = holder


def no_store(machine: Machine) -> None:
    machine.data.rename(machine.home / "moved")


def broken_format(machine: Machine) -> None:
    (machine.data / "format").write_text("one\n", encoding="utf-8")


def broken_settings(machine: Machine) -> None:
    (machine.data / "config.toml").write_text("[server]\ntools = ['wikki']\n", encoding="utf-8")


def broken_policy(machine: Machine) -> None:
    text = "[capture]\nignore_paths = 3\n"
    (machine.project / ".memory-mcp.toml").write_text(text, encoding="utf-8")


def no_spool(machine: Machine) -> None:
    (machine.data / "spool").write_text("", encoding="utf-8")


def git_unfinished(machine: Machine) -> None:
    machine.write("x.md", "one\n")
    machine.git("add", "x.md")
    machine.git("commit", "-m", "one")
    machine.git("branch", "other")
    machine.write("x.md", "two\n")
    machine.git("commit", "-am", "two")
    machine.git("switch", "-q", "other")
    machine.write("x.md", "three\n")
    machine.git("commit", "-am", "three")
    with pytest.raises(subprocess.CalledProcessError):
        machine.git("rebase", "main")


def git_conflict(machine: Machine) -> None:
    git_unfinished(machine)
    machine.git("rebase", "--abort")
    with pytest.raises(subprocess.CalledProcessError):
        machine.git("merge", "main")


def git_detached(machine: Machine) -> None:
    machine.git("switch", "--detach")


def git_locked(machine: Machine) -> None:
    lock = machine.data / "wiki" / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (1, 1))


def git_refuses(machine: Machine) -> None:
    (machine.data / "wiki" / ".git" / "index").write_bytes(b"no index")


def unsaved_edits(machine: Machine) -> None:
    machine.write_page()
    file = next((machine.data / "wiki").rglob("x.md"))
    file.write_text("two\n", encoding="utf-8")
    os.utime(file, (1, 1))


def no_user_name(machine: Machine) -> None:
    machine.git("remote", "add", "origin", "/somewhere")
    machine.git("config", "user.email", "ana@example.org")


def no_user_email(machine: Machine) -> None:
    machine.git("remote", "add", "origin", "/somewhere")
    machine.git("config", "user.name", "Ana")


def shared_caller(machine: Machine) -> None:
    """Of the caller that Claude Code works for; Codex has another."""
    machine.run("install-mcp", "--client", "codex", "--caller", "bo", "--apply")
    machine.run("install-hooks", "--client", "codex", "--caller", "bo", "--apply")
    machine.run("install-hooks", "--client", "claude-code", "--caller", "bo", "--apply")
    for name in ("Ana", "Bo"):
        machine.write("_callers/default/memory/USER.md", f"{name}\n")
        machine.git("add", ".")
        machine.git("-c", f"user.name={name}", "-c", f"user.email={name}@example.org", "commit", "-m", "x")


def no_client(machine: Machine) -> None:
    for client in CLIENTS:
        machine.run("uninstall", "--client", client, "--apply")
    machine.run("install-hooks", "--client", "claude-code", "--apply")
    (machine.home / ".claude" / "settings.json").write_text("{}", encoding="utf-8")


def foreign_entry(machine: Machine) -> None:
    machine.edit(".claude.json", lambda text: json.dumps(_with(json.loads(text), "args", ["other"])))


def other_version(machine: Machine) -> None:
    old = machine.program("memory-mcp", "#!/bin/sh\necho memory-mcp 0.0.1\n")
    machine.edit(
        ".claude.json", lambda text: json.dumps(_with(json.loads(text), "command", str(old), ["serve"]))
    )


def dead_entry_that_starts(machine: Machine) -> None:
    torn = machine.program("memory-mcp", "#!/bin/sh\nexit 1\n")
    machine.edit(
        ".claude.json", lambda text: json.dumps(_with(json.loads(text), "command", str(torn), ["serve"]))
    )


def hooks_twice_by_plugin(machine: Machine) -> None:
    def enable(text: str) -> str:
        return json.dumps({**json.loads(text), "enabledPlugins": {"memory-mcp@market": True}})

    machine.edit(".claude/settings.json", enable)


def hooks_untrusted(machine: Machine) -> None:
    machine.trusted.unlink()


def sessions_missing(machine: Machine) -> None:
    """The hooks are there for an hour, and of a session that began after them nothing is."""
    machine.write_page()
    noted = machine.data / "state" / "hooks-installed.json"
    files = json.loads(noted.read_text(encoding="utf-8"))["files"]
    now = datetime.now(timezone.utc)
    then = f"{now - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    noted.write_text(json.dumps({"v": 1, "files": dict.fromkeys(files, then)}), encoding="utf-8")
    folder = machine.home / ".claude" / "projects" / "-importer"
    folder.mkdir(parents=True)
    prompt = {
        "type": "user",
        "isSidechain": False,
        "message": {"role": "user", "content": "Make the importer retry"},
        "timestamp": f"{now - timedelta(minutes=30):%Y-%m-%dT%H:%M:%S.000Z}",
        "cwd": str(machine.project),
        "sessionId": "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10",
    }
    (folder / "x.jsonl").write_text(f"{json.dumps(prompt)}\n", encoding="utf-8")


FAULTS = {
    "no-store": [no_store],
    "open-data-dir": [open_data_dir],
    "broken-format": [broken_format],
    "broken-config": [broken_config, broken_settings],
    "interrupted-change": [interrupted_change],
    "lock-held": [lock_held],
    "broken-index": [broken_index],
    "broken-marker": [broken_marker],
    "broken-policy": [broken_policy],
    "no-repository": [no_repository],
    "git-unfinished": [git_unfinished],
    "git-conflict": [git_conflict],
    "git-detached": [git_detached],
    "git-locked": [git_locked],
    "git-refuses": [git_refuses],
    "unsaved-edits": [unsaved_edits],
    "no-user-name": [no_user_name],
    "no-user-email": [no_user_email],
    "no-spool": [no_spool],
    "spool-waits": [spool_waits],
    "spool-dead": [spool_dead],
    "capture-off": [capture_off],
    "no-client": [no_client],
    "no-entry": [no_entry],
    "foreign-entry": [foreign_entry],
    "dead-entry": [dead_entry, dead_entry_that_starts],
    "other-version": [other_version],
    "other-store": [other_store],
    "no-hooks": [no_hooks],
    "dead-hooks": [dead_hooks],
    "hooks-elsewhere": [hooks_elsewhere],
    "hooks-twice": [hooks_twice, hooks_twice_in_one_file, hooks_twice_by_plugin],
    "hooks-untrusted": [hooks_untrusted],
    "shared-caller": [shared_caller],
    "sessions-missing": [sessions_missing],
}


def _with(
    found: dict[str, dict[str, dict[str, object]]], key: str, value: object, args: list[str] | None = None
) -> object:
    found["mcpServers"]["memory-mcp"][key] = value
    if args is not None:
        found["mcpServers"]["memory-mcp"]["args"] = args
    return found


def _with_hook(found: dict[str, dict[str, list[object]]], command: str) -> object:
    found["hooks"]["Stop"] = [{"matcher": "", "hooks": [{"type": "command", "command": command}]}]
    return found


def test_nothing_is_found_where_nothing_is_wrong(machine: Machine) -> None:
    assert machine.findings() == {}


@pytest.mark.parametrize(
    ("code", "fault"),
    [(code, fault) for code, faults in FAULTS.items() for fault in faults],
    ids=[fault.__name__ for faults in FAULTS.values() for fault in faults],
)
def test_the_command_that_is_printed_mends_what_was_found(
    machine: Machine, code: str, fault: Callable[[Machine], None]
) -> None:
    fault(machine)
    before = _files(machine.data)
    found = machine.findings()
    assert list(found) == [code]
    assert _files(machine.data) == before
    machine.shell(found[code])
    if machine.holder is not None:
        machine.holder.wait(10)
    left = machine.findings()
    assert code not in left
    assert set(left) <= {"no-hooks"}  # where the clients knew nothing, one command does not teach them all


def _files(folder: Path) -> list[str]:
    return sorted(str(file) for file in folder.rglob("*"))


ELSEWHERE = {
    "closed-data-dir": "takes another user",
    "closed-spool": "takes another user too",
    "later-format": "takes a later version",
    "no-git": "takes the system's own installer",
}
"""What is found below, but not mended: a test must not install anything."""


def test_every_code_is_injected_here_and_named_in_the_guide() -> None:
    root = Path(__file__).parents[2]
    source = "".join(file.read_text("utf-8") for file in (root / "memory_mcp" / "doctor").glob("*.py"))
    codes = {*re.findall(r'Finding\(\s*"([a-z-]+)"', source), "no-user-name", "no-user-email"}
    assert codes == {*FAULTS, *ELSEWHERE}
    guide = (root / "docs" / "guide.md").read_text("utf-8")
    section = guide.partition("`doctor` changes nothing")[2].partition("| what you see")[0]
    assert codes <= set(re.findall(r"`([a-z-]+)`", section))


def test_a_store_of_a_later_version_is_named(machine: Machine) -> None:
    (machine.data / "format").write_text("99\n", encoding="utf-8")
    assert machine.findings()["later-format"].endswith("-m pip install --upgrade memory-mcp")


def test_a_machine_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [each.code for each in check_git(DataDir(tmp_path))] == ["no-git"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_dir_that_cannot_be_written_is_mended(machine: Machine) -> None:
    machine.data.chmod(0o500)
    found = machine.findings()
    assert "closed-data-dir" in found
    machine.shell(found["closed-data-dir"])
    assert machine.findings() == {}


def test_a_spool_that_nobody_can_write_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_dir = DataDir(tmp_path)
    data_dir.spool.mkdir()
    assert list(check_spool(data_dir, tmp_path)) == []
    monkeypatch.setattr(os, "access", lambda path, _: path != data_dir.spool)
    [found] = check_spool(data_dir, tmp_path)
    assert (found.code, found.command) == ("closed-spool", ("chmod", "700", str(data_dir.spool)))


def test_a_lock_that_was_taken_just_now_is_not_blamed_on_its_last_holder(machine: Machine) -> None:
    lock_held(machine)
    holder = {"pid": 2**22 + 1, "operation": "x", "since": 0}  # above the largest that Linux gives
    (machine.data / "locks" / "writer.json").write_text(json.dumps(holder), encoding="utf-8")
    assert machine.findings() == {}
