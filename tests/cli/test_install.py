"""`install-mcp`, from the arguments to the client's own file."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = {"claude-code": ".claude.json", "codex": ".codex/config.toml"}


def entry_of(client: str, text: str) -> dict:
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]["memory-mcp"]
    return json.loads(text)["mcpServers"]["memory-mcp"]


@pytest.fixture(params=FILES)
def client(request) -> str:
    return request.param


@pytest.fixture
def file(client, monkeypatch) -> Path:
    """The client's own file, which does not exist."""
    monkeypatch.delenv("MEMORY_MCP_DATA_DIR", raising=False)
    return Path(os.environ["HOME"]) / FILES[client]


def test_without_apply_the_entry_and_its_file_are_printed_and_nothing_is_made(place, memory, client, file):
    done = memory("install-mcp", "--client", client)
    assert done.code == 0
    assert str(file) in done.out
    assert '"serve"' in done.out
    assert not file.exists()
    assert not (place / "data").exists()


def test_the_next_command_has_the_options_of_this_one(place, memory, client, file):
    options = ("--data-dir", str(place / "data"), "--caller", "telegram:1")
    printed = memory(*options, "install-mcp", "--client", client)
    command = shlex.split(printed.out.splitlines()[-1])
    at = command.index("install-mcp")
    assert memory(*command[at:]).code == 0
    entry = entry_of(client, file.read_text(encoding="utf-8"))
    assert entry["args"][-3:] == ["serve", "--caller", "telegram:1"]
    assert entry["env"]["MEMORY_MCP_DATA_DIR"] == str(place / "data")


def test_apply_makes_a_file_that_is_missing(place, memory, client, file):
    done = memory("install-mcp", "--client", client, "--apply", "--json").json
    assert (done["client"], done["server"]) == (client, "memory-mcp")
    assert done["files"][0] == {"file": str(file), "outcome": "created"}
    entry = entry_of(client, file.read_text(encoding="utf-8"))
    assert [entry["command"], entry["args"]] == [done["command"], done["args"]]
    assert os.path.isabs(entry["command"])
    assert entry["args"][-1] == "serve"


def test_apply_twice_changes_nothing_the_second_time(place, memory, client, file):
    memory("install-mcp", "--client", client, "--apply")
    before = file.read_bytes()
    done = memory("install-mcp", "--client", client, "--apply")
    assert done.code == 0
    assert f"unchanged {file}" in done.out
    assert file.read_bytes() == before
    assert os.listdir(file.parent).count(file.name) == 1


def test_apply_names_the_backup_of_what_was_there(place, memory, client, file):
    file.parent.mkdir(exist_ok=True)
    old = b'{"numStartups": 3}' if client == "claude-code" else b'model = "gpt" # mine\r\n'
    file.write_bytes(old)
    done = memory("install-mcp", "--client", client, "--apply", "--json").json["files"][0]
    assert done["outcome"] == "updated"
    assert Path(done["backup"]).parent == file.parent
    assert Path(done["backup"]).read_bytes() == old


def test_a_broken_file_is_a_sentence_and_stays(place, memory, client, file):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b'{"a": 1,')
    done = memory("install-mcp", "--client", client, "--apply")
    assert done.code == 1
    assert done.err.startswith(f"error: {file} cannot be edited and was left as it is: ")
    assert done.err.count("\n") == 1
    assert file.read_bytes() == b'{"a": 1,'
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("how", ["flag", "variable", "data home"])
def test_the_entry_carries_the_data_dir(place, memory, client, file, monkeypatch, how):
    args = []
    if how == "flag":
        args = ["--data-dir", "../over here"]
        wanted = str(place / "over here")
    elif how == "variable":
        wanted = str(place / "there")
        monkeypatch.setenv("MEMORY_MCP_DATA_DIR", wanted)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", str(place / "share"))
        wanted = str(place / "share" / "memory-mcp")
    done = memory("install-mcp", "--client", client, "--apply", *args)
    assert done.code == 0, done.err
    assert entry_of(client, file.read_text(encoding="utf-8"))["env"] == {"MEMORY_MCP_DATA_DIR": wanted}


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_the_entry_carries_a_caller_that_is_not_the_default(memory, client, file, monkeypatch, how):
    if how == "variable":
        monkeypatch.setenv("MEMORY_MCP_CALLER", "telegram:123")
    args = ["--caller", "telegram:123"] if how == "flag" else []
    done = memory("install-mcp", "--client", client, "--apply", *args)
    assert done.code == 0, done.err
    assert entry_of(client, file.read_text(encoding="utf-8"))["args"][-2:] == ["--caller", "telegram:123"]


def test_an_unknown_client_is_wrong_usage(memory):
    done = memory("install-mcp", "--client", "emacs")
    assert done.code == 2
    assert "'claude-code', 'codex'" in done.err


HOOKS = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


@pytest.fixture
def hooks(client) -> Path:
    """The file of the client's hooks."""
    return Path(os.environ["HOME"]) / HOOKS[client]


def commands(file: Path) -> dict[str, list[str]]:
    found = json.loads(file.read_text(encoding="utf-8"))["hooks"]
    return {
        event: [hook["command"] for group in groups for hook in group["hooks"]]
        for event, groups in found.items()
    }


def test_hooks_carry_the_data_dir_and_one_stands_for_each_event(place, memory, client, hooks):
    assert memory("install-hooks", "--client", client, "--apply", "--data-dir", str(place / "d")).code == 0
    found = commands(hooks)
    assert {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"} <= set(
        found
    )
    for words in (shlex.split(command) for [command] in found.values()):
        assert words[words.index("--data-dir") + 1] == str(place / "d")
        assert words[words.index("--agent") + 1] == client


def test_hooks_of_others_stay_and_ours_come_once(memory, client, hooks):
    hooks.parent.mkdir(exist_ok=True)
    foreign = {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "audit.sh hook --event x --agent y"}],
    }
    hooks.write_text(json.dumps({"hooks": {"PreToolUse": [foreign], "Foreign": [foreign]}}), encoding="utf-8")
    memory("install-hooks", "--client", client, "--apply")
    first = hooks.read_bytes()
    assert memory("install-hooks", "--client", client, "--apply").out.startswith("unchanged")
    assert hooks.read_bytes() == first
    found = commands(hooks)
    assert found["Foreign"] == ["audit.sh hook --event x --agent y"]
    assert len(found["PreToolUse"]) == 2
    assert memory("uninstall", "--client", client, "--apply").code == 0
    assert commands(hooks) == {
        "PreToolUse": ["audit.sh hook --event x --agent y"],
        "Foreign": ["audit.sh hook --event x --agent y"],
    }


def test_a_later_installation_keeps_what_an_earlier_one_chose(memory, client, hooks):
    memory("install-hooks", "--client", client, "--apply", "--recall", "--capture-assistant")
    memory("install-hooks", "--client", client, "--apply")
    assert "--recall" in commands(hooks)["UserPromptSubmit"][0]
    assert "--capture-assistant" in commands(hooks)["Stop"][0]
    memory("install-hooks", "--client", client, "--apply", "--no-recall", "--no-capture-prompts")
    assert "UserPromptSubmit" not in commands(hooks)
    memory("install-hooks", "--client", client, "--apply")
    assert "UserPromptSubmit" not in commands(hooks)


def test_without_apply_no_hook_is_written(memory, client, hooks):
    done = memory("install-hooks", "--client", client)
    assert done.code == 0
    assert "--event session-start" in done.out
    assert not hooks.exists()


def test_everything_of_ours_goes_again(place, memory, client, file, hooks):
    memory("install-mcp", "--client", client, "--apply")
    memory("install-hooks", "--client", client, "--apply")
    shown = memory("uninstall", "--client", client)
    assert "memory-mcp" in shown.out
    assert "memory-mcp" in file.read_text(encoding="utf-8")
    assert memory("uninstall", "--client", client, "--apply").code == 0
    assert not file.exists()
    assert not hooks.exists()


def test_a_file_that_cannot_be_edited_leaves_the_others_as_they_are(memory, client, file, hooks):
    memory("install-mcp", "--client", client, "--apply")
    memory("install-hooks", "--client", client, "--apply")
    hooks.write_text(f"// mine\n{hooks.read_text(encoding='utf-8')}", encoding="utf-8")
    before = file.read_bytes(), hooks.read_bytes()
    done = memory("uninstall", "--client", client, "--apply")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: {hooks} cannot be edited and was left as it is: ")
    assert done.err.endswith("; mend it, then run the command again.\n")
    assert (file.read_bytes(), hooks.read_bytes()) == before


def test_for_one_project_its_own_files_are_edited(place, memory, client, file, monkeypatch):
    monkeypatch.chdir(place)
    assert memory("install-mcp", "--client", client, "--for-project", "--apply").code == 0
    assert memory("install-hooks", "--client", client, "--for-project", "--apply").code == 0
    assert not file.exists()
    made = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    wanted = {
        "claude-code": {".mcp.json", ".claude/settings.local.json"},
        "codex": {".codex/config.toml", ".codex/hooks.json"},
    }
    assert wanted[client] <= made
