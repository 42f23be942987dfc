"""Every client: its entry gets in once, others stay, and only ours goes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.hook_command import HookOptions, is_our_hook
from memory_mcp.clients.installation import (
    Target,
    plan_hooks,
    plan_instructions,
    plan_removal,
    plan_servers,
    plan_skills,
)
from memory_mcp.clients.installed import installed_server
from memory_mcp.clients.json_text import load_json, load_jsonc, set_json_value
from memory_mcp.model.clock import utc_now

ENTRY = ServerEntry("/opt/bin/memory-mcp", ("serve",), {"MEMORY_MCP_DATA_DIR": "/m"})
WITH_COMMENTS = ("gemini-cli", "opencode", "vscode", "zed")
JSONC = """// mine
{
  "theme": "dark", // at night
  /* others */
  "%s": {
    "other": { "command": "x", }, // keep
  },
}
"""


@pytest.fixture(params=CLIENTS.values(), ids=lambda client: client.name)
def client(request):
    return request.param


def test_the_entry_gets_in_once_and_is_read_back(client):
    text = client.servers.add("", ENTRY)
    assert client.servers.add(text, ENTRY) == text
    assert installed_server(client, text) == ENTRY
    left = client.servers.remove(text)
    assert installed_server(client, left) is None


@pytest.mark.parametrize("name", WITH_COMMENTS)
def test_comments_and_other_servers_stay(name):
    client = CLIENTS[name]
    text = JSONC % client.servers.keys[0]
    added = client.servers.add(text, ENTRY)
    for line in ("// mine", "// at night", "/* others */", "// keep"):
        assert line in added
    found = load_jsonc(added)
    assert found["theme"] == "dark"
    assert set(found[client.servers.keys[0]]) == {"other", "memory-mcp"}
    assert client.servers.add(added, ENTRY) == added
    assert load_jsonc(client.servers.remove(added)) == load_jsonc(text)


def test_installing_and_removing_leaves_the_home_as_it_was(client, tmp_path: Path):
    target = Target({}, tmp_path)
    plan = [
        *plan_servers(client, ENTRY, target),
        *plan_hooks(client, HookOptions(tmp_path), target),
        *plan_instructions(client, target, compact=False),
        *plan_skills(client, target),
    ]
    assert {each.apply(utc_now()).outcome for each in plan} <= {"created", "updated"}
    assert {each.apply(utc_now()).outcome for each in plan} == {"unchanged"}
    for backup in tmp_path.rglob("*.bak"):
        backup.unlink()
    assert {each.apply(utc_now()).outcome for each in plan_removal(client, target)} == {"removed"}
    assert list(tmp_path.iterdir()) == []


def test_files_and_folders_of_others_stay(client, tmp_path: Path):
    target = Target({}, tmp_path)
    plan = [*plan_servers(client, ENTRY, target), *plan_skills(client, target)]
    for each in plan:
        each.apply(utc_now())
    others = []
    for each in plan_skills(client, target)[:2]:
        others += [each.file.with_name("notes.md"), each.file.parent.with_name("mine") / "SKILL.md"]
    for file in others:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"mine \xff")
    for each in plan_removal(client, target):
        each.apply(utc_now())
    assert sorted(file for file in tmp_path.rglob("*") if file.is_file()) == sorted(set(others))


def test_a_link_stays_when_nothing_is_left_behind_it(tmp_path: Path):
    client, target = CLIENTS["claude-code"], Target({}, tmp_path)
    (tmp_path / ".claude.json").symlink_to(tmp_path / "dotfile.json")
    for each in plan_servers(client, ENTRY, target):
        each.apply(utc_now())
    for each in plan_removal(client, target):
        each.apply(utc_now())
    assert (tmp_path / ".claude.json").is_symlink()
    assert (tmp_path / "dotfile.json").read_text(encoding="utf-8").split() == ["{}"]


def test_a_hook_of_each_event_is_ours_and_none_of_others(client, tmp_path: Path):
    if client.hooks is None:
        return
    text = client.hooks.add("", HookOptions(tmp_path))
    assert client.hooks.add(text, HookOptions(tmp_path)) == text
    commands = [each for each in _strings(load_jsonc(text)) if " hook " in each]
    assert commands
    assert all(is_our_hook(each) and f"--agent {client.name}" in each for each in commands)
    assert not is_our_hook("audit.sh hook --event stop --agent codex")


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


@pytest.mark.parametrize(
    "text", ['{"a": "// no comment", "b": [1, 2,],}', '{/* { */ "a": {"b": "}"} // }\n}']
)
def test_comments_and_strings_are_told_apart(text):
    assert load_jsonc(set_json_value(text, ("new",), 1)) == {**load_jsonc(text), "new": 1}


def test_a_strict_text_with_comments_is_refused():
    with pytest.raises(ValueError):
        load_json('{"a": 1} // no')
