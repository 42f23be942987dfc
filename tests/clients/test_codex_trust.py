"""Whether Codex runs our hooks; the hashes are those that Codex 0.171 printed for these very hooks."""

import json
from pathlib import Path

import pytest

from memory_mcp.clients.codex_trust import untrusted_hooks

FIRST = {"matcher": "Bash", "hooks": [{"type": "command", "command": "audit.sh"}]}
TOOL = {
    "type": "command",
    "command": "/opt/bin/memory-mcp hook --event pre-tool-use --agent codex --data-dir '/home/ana/mé moire'",
    "timeout": 10,
}
STOP = {"type": "command", "command": "/opt/bin/memory-mcp hook --event stop --agent codex"}
START = {
    "type": "command",
    "command": "/opt/bin/memory-mcp hook --event session-start --agent codex",
    "statusMessage": "x",
}
HOOKS = {
    "PreToolUse": [FIRST, {"matcher": "", "hooks": [TOOL]}],
    "Stop": [{"matcher": "", "hooks": [STOP]}],
    "SessionStart": [{"hooks": [START]}],
}
HASHES = {
    "pre_tool_use:1:0": "102c2774c0d112dc3fdbdca8d010dd51e254c0e2a8984bb51ef1e41f0b58c04c",
    "session_start:0:0": "0a3268530cd292cbb9b25477daa908b28c7732c8edf1223801ebb1c2a4477061",
    "stop:0:0": "e7f546144baf62204491ee99ac3fd251f13e0c3be5cbf6add10aa0bed04d2a81",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "hooks.json"


def state(file: Path, places=HASHES, more: str = "") -> str:
    """What Codex writes when its user trusts the hooks in these places."""
    return "".join(
        f'[hooks.state."{file}:{place}"]\ntrusted_hash = "sha256:{HASHES[place]}"\n{more}' for place in places
    )


def test_hooks_that_nobody_trusted_are_named(file):
    assert untrusted_hooks(file, json.dumps({"hooks": HOOKS}), "") == ["PreToolUse", "Stop", "SessionStart"]


def test_trusted_hooks_run(file):
    assert untrusted_hooks(file, json.dumps({"hooks": HOOKS}), state(file)) == []
    assert untrusted_hooks(file, json.dumps({"hooks": HOOKS}), state(file, ["stop:0:0"])) == [
        "PreToolUse",
        "SessionStart",
    ]


def test_a_hook_that_its_user_turned_off_does_not_run(file):
    left = untrusted_hooks(file, json.dumps({"hooks": HOOKS}), state(file, more="enabled = false\n"))
    assert left == ["PreToolUse", "Stop", "SessionStart"]


def test_a_changed_command_and_a_changed_place_need_trust_again(file):
    changed = {**STOP, "command": f"{STOP['command']} --capture-assistant"}
    hooks = {**HOOKS, "Stop": [{"matcher": "", "hooks": [changed]}], "PreToolUse": HOOKS["PreToolUse"][1:]}
    assert untrusted_hooks(file, json.dumps({"hooks": hooks}), state(file)) == ["PreToolUse", "Stop"]


def test_a_linked_folder_is_known_by_its_real_path(file, tmp_path):
    linked = tmp_path / "link"
    linked.symlink_to(tmp_path)
    assert untrusted_hooks(linked / file.name, json.dumps({"hooks": HOOKS}), state(file)) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "[" * 100_000])
def test_a_file_without_hooks_has_none_to_trust(file, text):
    assert untrusted_hooks(file, text, "") == []


@pytest.mark.parametrize("config", ["[", "hooks = 1", "[hooks]\nstate = []", "[hooks.state]\na = 1"])
def test_a_config_that_names_no_trust_trusts_nothing(file, config):
    hooks = json.dumps({"hooks": {"Stop": HOOKS["Stop"]}})
    assert untrusted_hooks(file, hooks, config) == ["Stop"]
