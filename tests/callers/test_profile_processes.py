"""Processes that write the profile at once, or are killed while they do, lose nothing."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.config import load_settings
from memory_mcp.model.caller_text import NOTHING

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("profile_worker.py")


def start(data, writes, kill_at=""):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MEMORY_MCP_STORE_LOCK_TIMEOUT": "300"}
    return subprocess.Popen(
        [sys.executable, str(WORKER), str(data), json.dumps(writes), kill_at],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )


def acknowledged(process):
    with process:
        return process.stdout.read().splitlines()


def open_app(data):
    return App(load_settings(str(data), os.environ, data))


def git(data, *arguments):
    return subprocess.run(
        ["git", "-C", str(data / "wiki"), *arguments], capture_output=True, text=True, check=True
    ).stdout


def test_processes_that_write_two_sections_at_once_lose_none_of_them(tmp_path, soak):
    count = 60 if soak else 8
    titles = ["Profile", "Constraints"]
    workers = [start(tmp_path, [[title, f"{title} {number}"] for number in range(count)]) for title in titles]
    for worker in workers:
        assert acknowledged(worker) == [str(number) for number in range(count)]
    app = open_app(tmp_path)
    sections = app.caller.profile.show().profile.sections
    app.close()
    history = git(tmp_path, "log", "-p", "--format=", "--", "_callers/default/memory/USER.md")
    for title in titles:
        assert sections[title] == f"{title} {count - 1}"
        assert all(f"+{title} {number}\n" in history for number in range(count))
    assert git(tmp_path, "status", "--porcelain") == ""


@pytest.mark.parametrize("step", ["journal.written", "file.renamed", "git.ref-move"])
def test_a_kill_at_the_first_write_leaves_all_files_of_the_caller_or_none(tmp_path, step):
    worker = start(tmp_path, [["Profile", "likes tea"]], step)
    assert acknowledged(worker) == []
    assert worker.returncode == -signal.SIGKILL
    app = open_app(tmp_path)
    app.changes.repair_if_due()
    folder = app.caller.folder.root
    files = sorted(path.name for path in folder.rglob("*") if path.is_file())
    assert files in ([], ["MEMORY.md", "SKILLS.md", "USER.md", "caller.json", "log.md"])
    assert app.caller.profile.show().text in (
        EMPTY_PROFILE,
        EMPTY_PROFILE.replace(NOTHING, "likes tea", 1),
    )
    app.close()
    assert git(tmp_path, "status", "--porcelain") == ""
