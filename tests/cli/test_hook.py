"""`memory-mcp hook` as a process: it never blocks the agent, and records whatever can be recorded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.capture.hook_arguments import _FLAGS, _VALUES
from memory_mcp.capture.hook_event import take
from memory_mcp.capture.spool import Spool
from memory_mcp.cli.hook import _default_data_dir
from memory_mcp.cli.hook import _go_on as go_on
from memory_mcp.config import Settings, find_data_dir
from memory_mcp.model.actor import Actor

ROOT = Path(__file__).parents[2]
SESSION = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"


def command(event, *words, agent="claude-code"):
    return [sys.executable, "-m", "memory_mcp", "hook", "--event", event, "--agent", agent, *words]


def environment(tmp_path):
    return {**os.environ, "PYTHONPATH": str(ROOT), "MEMORY_MCP_DATA_DIR": str(tmp_path / "data")}


def run(tmp_path, event, data=None, *words, agent="claude-code", **fields):
    """The process, which has ended with exit code 0."""
    if data is None:
        data = json.dumps({"session_id": SESSION, "cwd": str(tmp_path), **fields}).encode()
    done = subprocess.run(
        command(event, *words, agent=agent),
        input=data,
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        timeout=120,
    )
    assert done.returncode == 0
    return done


def entries(tmp_path):
    spool = Spool(str(tmp_path / "data" / "spool"))
    return [spool.read(name) for name in spool.names()]


def test_an_event_is_recorded_and_the_client_answered(tmp_path):
    done = run(tmp_path, "UserPromptSubmit", prompt="Make it retry")
    assert (done.stdout, done.stderr) == (b"{}\n", b"")
    [entry] = entries(tmp_path)
    assert (entry["event"], entry["body"]) == ("user-prompt", "Make it retry")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", b"not JSON"),
        (b"\xef\xbb\xbf{", b"not JSON"),
        (b"[" * 200_000, b"not JSON"),
        (b"7", b"not an object"),
        (b"{}", b"names no session"),
        (b'{"session_id": ["a"], "cwd": {}, "prompt": 7}', b"names no session"),
    ],
)
@pytest.mark.parametrize(("agent", "answer"), [("codex", b"{}\n"), ("kimi-code", b"")])
def test_bad_input_is_answered_as_the_client_expects(tmp_path, data, said, agent, answer):
    done = run(tmp_path, "UserPromptSubmit", data, agent=agent)
    assert done.stdout == answer
    assert done.stderr.startswith(b"memory-mcp: nothing was recorded: ")
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("event", ["session-start", "session-end", "user-prompt", "stop"])
def test_a_broken_config_stops_the_recording_and_never_the_agent(tmp_path, event):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "config.toml").write_text("[sanitize\n", encoding="utf-8")
    done = run(tmp_path, event, prompt="dismiss that")
    assert done.stdout == b"{}\n"
    assert b"config.toml is not valid TOML" in done.stderr
    assert entries(tmp_path) == []


@pytest.mark.parametrize("event", ["session-start", "session-end", "user-prompt"])
def test_a_data_dir_that_is_a_file_never_stops_the_agent(tmp_path, event):
    (tmp_path / "data").write_text("", encoding="utf-8")
    done = run(tmp_path, event, prompt="yes, dismiss task ab12")
    assert done.stdout == b"{}\n"
    assert b"memory-mcp: the event was not recorded: Not a directory" in done.stderr


def test_a_client_that_reads_nothing_is_no_error(tmp_path):
    process = subprocess.Popen(
        command("stop"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    process.stdout.close()
    process.stderr.close()
    process.stdin.write(b"no json")
    process.stdin.close()
    assert process.wait(60) == 0


@pytest.mark.parametrize("closed", ["0", "1", "2", "012"])
def test_streams_that_are_closed_are_no_error(tmp_path, closed):
    line = " ".join(f"{number}{'<' if number == '0' else '>'}&-" for number in closed)
    words = " ".join(command("stop"))
    done = subprocess.run(f"{words} {line}", shell=True, input=b"{}", env=environment(tmp_path), timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize(
    "event", ["user-prompt", "pre-tool-use", "post-tool-use", "stop", "pre-compact", "notification", "x"]
)
def test_a_hook_that_only_records_imports_what_its_baseline_does_and_a_few_small_modules(tmp_path, event):
    script = "import sys; from memory_mcp.__main__ import main; sys.argv[0] = 'memory-mcp'; main()"
    words = ["hook", "--agent", "claude-code", "--event", event]
    payload = {"session_id": SESSION, "cwd": str(tmp_path), "prompt": "hello", "tool_name": "Bash"}
    data = json.dumps({**payload, "tool_use_id": "t1", "tool_response": "ok"}).encode()
    more = imported(["-c", script, *words], data, tmp_path)
    more -= imported(["-c", "import json, os, re, hashlib"], b"", tmp_path)
    ours = {name for name in more if name.startswith("memory_mcp")}
    assert more - ours <= {"gc", "__future__", "time"}
    assert {name.split(".")[1] for name in ours - {"memory_mcp"}} <= {"__main__", "cli", "capture"}
    assert len(entries(tmp_path)) == 1


def imported(words, data, tmp_path):
    words = [sys.executable, "-X", "importtime", *words]
    done = subprocess.run(words, input=data, capture_output=True, env=environment(tmp_path), timeout=60)
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    return {line.split("|")[-1].strip() for line in lines if line.startswith("import time:")}


def test_the_help_names_every_option_that_is_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "memory_mcp", "hook", "--help"],
        capture_output=True,
        encoding="utf-8",
        env=environment(tmp_path),
        timeout=60,
    )
    assert all(f"--{name}" in done.stdout for name in (*_FLAGS, *_VALUES))


def test_a_hook_that_cannot_even_read_still_answers_in_the_form_of_its_client(tmp_path):
    line = f"{' '.join(command('UserPromptSubmit', agent='kimi-code'))} <&-"
    done = subprocess.run(line, shell=True, capture_output=True, env=environment(tmp_path), timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"memory-mcp: the hook failed: OSError\n"


def test_the_policy_is_told_and_nothing_else_happens(tmp_path):
    done = run(tmp_path, "session-start", None, "--check-capture")
    told = json.loads(done.stdout)
    assert (told["disposition"], told["admits_capture"], told["marker_present"]) == ("keep", True, False)
    assert not (tmp_path / "data").exists()


def test_options_before_the_name_of_the_command_count_too(tmp_path):
    words = [sys.executable, "-m", "memory_mcp", "--data-dir", str(tmp_path / "other"), "hook"]
    words += ["--event", "stop", "--agent", "codex"]
    data = json.dumps({"session_id": SESSION}).encode()
    done = subprocess.run(words, input=data, capture_output=True, env=environment(tmp_path), timeout=60)
    assert (done.returncode, done.stdout) == (0, b"{}\n")
    assert len(Spool(str(tmp_path / "other" / "spool")).names()) == 1


def test_the_word_of_the_person_dismisses_a_task_in_this_turn_and_no_other(tmp_path):
    app = App(
        Settings(
            data_dir=tmp_path / "data", start_folder=tmp_path, home=tmp_path / "home", vectors_enabled=False
        )
    )
    task = app.caller.task_writer.add("Tidy the desk", "today", Actor("cli")).task

    def turn(event, text="", **more):
        payload = {"session_id": SESSION, "cwd": str(tmp_path), "prompt": text, **more}
        words = ["--event", event, "--agent", "claude-code"]
        go_on(take(words, json.dumps(payload).encode(), environment(tmp_path)))
        found = app.caller.turns.confirmation(task, SESSION)
        return found is not None and found.task_id == task.id

    confirming = f"yes, dismiss task {task.code}"
    assert not turn("session-start")
    assert app.caller.turns.hears(SESSION)
    assert not turn("user-prompt", "should I dismiss it?")
    assert not turn("user-prompt", confirming, agent_id="a1", agent_type="default")  # an agent wrote it
    assert turn("user-prompt", confirming)
    assert turn("post-tool-use")
    assert not turn("user-prompt", "something else")
    assert turn("user-prompt", confirming)
    assert not turn("stop")
    assert turn("user-prompt", confirming)
    assert not turn("session-end")
    app.close()


@pytest.mark.parametrize("xdg", [None, "", "share", "/tmp/share"])
def test_without_a_named_store_a_hook_records_into_that_of_the_server(tmp_path, monkeypatch, xdg):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if xdg is not None:
        monkeypatch.setenv("XDG_DATA_HOME", xdg)
    assert Path(_default_data_dir()) == find_data_dir(None, {}, tmp_path, tmp_path)
