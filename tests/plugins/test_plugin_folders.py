"""The plugin folders are what the product's own lists say, and nothing else."""

import json
import shlex
from pathlib import Path

import pytest

from memory_mcp.clients.hook_command import is_our_hook
from plugins.build import ROOT, plugin_files

CLIENTS = ("claude-code", "codex")


def committed(*folders: str) -> set[str]:
    return {
        file.relative_to(ROOT).as_posix()
        for folder in folders
        for file in (ROOT / folder).rglob("*")
        if file.is_file()
    }


def test_the_folders_hold_what_is_built():
    files = plugin_files()
    assert committed(".claude-plugin", ".agents", *(f"plugins/{each}" for each in CLIENTS)) == set(files)
    for path, text in files.items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: run plugins/build.py"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_plugin_names_no_path_of_a_machine(client):
    hooks = json.loads(plugin_files()[f"plugins/{client}/hooks/hooks.json"])["hooks"]
    commands = [hook["command"] for groups in hooks.values() for group in groups for hook in group["hooks"]]
    assert all(is_our_hook(each) and shlex.split(each)[0] == "memory-mcp" for each in commands)
    assert not any("/" in each for each in commands)
    assert len(commands) == len(hooks)


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_manifest_names_is_there(client):
    folder = Path("plugins") / client
    [manifest] = [path for path in plugin_files() if Path(path).match(f"{folder}/.*-plugin/plugin.json")]
    for part in ("skills", "mcpServers", "hooks"):
        named = json.loads(plugin_files()[manifest]).get(part)
        assert named is None or (ROOT / folder / named).exists()
    assert (ROOT / folder / ".mcp.json").is_file()
    assert (ROOT / folder / "hooks" / "hooks.json").is_file()
