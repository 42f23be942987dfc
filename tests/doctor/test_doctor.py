"""Each fault is found, the command that is printed is run as printed, and the finding is gone."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_mcp.capture.spool import Spool
from tests.agents import environment, run_command

CLIENTS = ("claude-code", "codex")


class Machine:
    """A person's home with both clients set up, and a project."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "importer"
        self.data = root / "data"
        self.home.mkdir()
        self.project.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)
        self.run("init")
        for client in CLIENTS:
            self.run("install-mcp", "--client", client, "--apply")
            self.run("install-hooks", "--client", client, "--apply")

    def run(self, *words: str) -> str:
        done = run_command(*words, "--data-dir", str(self.data), home=self.home, folder=self.project)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

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


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


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
    Spool(str(machine.data / "spool")).put({**entry, "native_id": "x", "cwd": str(machine.project)}, created)


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
    import sys

    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    machine.holder = holder  # type: ignore[attr-defined]


FAULTS = [
    open_data_dir,
    broken_config,
    no_repository,
    broken_index,
    broken_marker,
    spool_waits,
    spool_dead,
    capture_off,
    no_entry,
    dead_entry,
    other_store,
    no_hooks,
    dead_hooks,
    hooks_elsewhere,
    hooks_twice,
    hooks_twice_in_one_file,
    interrupted_change,
    lock_held,
]


def _with(found: dict[str, dict[str, dict[str, object]]], key: str, value: str) -> object:
    found["mcpServers"]["memory-mcp"][key] = value
    return found


def _with_hook(found: dict[str, dict[str, list[object]]], command: str) -> object:
    found["hooks"]["Stop"] = [{"matcher": "", "hooks": [{"type": "command", "command": command}]}]
    return found


def test_nothing_is_found_where_nothing_is_wrong(machine: Machine) -> None:
    assert machine.findings() == {}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_command_that_is_printed_mends_what_was_found(
    machine: Machine, fault: Callable[[Machine], None]
) -> None:
    fault(machine)
    before = sorted(os.listdir(machine.data))
    found = machine.findings()
    code = fault.__name__.removesuffix("_in_one_file").replace("_", "-")
    assert list(found) == [code]
    assert sorted(os.listdir(machine.data)) == before
    machine.shell(found[code])
    if (holder := getattr(machine, "holder", None)) is not None:
        holder.wait(10)
        holder.stdout.close()
    assert machine.findings() == {}
