"""How a client is told to start the server."""

import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.clients.entry import is_our_server, server_entry


def test_the_entry_names_the_script_beside_the_interpreter(tmp_path, monkeypatch):
    (tmp_path / "memory-mcp").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    entry = server_entry(Path("/m"))
    assert (entry.command, entry.args) == (str(tmp_path / "memory-mcp"), ("serve",))


def test_without_a_script_the_entry_names_the_interpreter(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    entry = server_entry(Path("/m"))
    assert entry.command == str(tmp_path / "python")
    assert entry.args[-3:] == ("-m", "memory_mcp", "serve")


def test_the_entry_carries_the_data_dir_in_its_environment():
    assert server_entry(Path("/else where")).env == {"MEMORY_MCP_DATA_DIR": "/else where"}


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        (["/opt/bin/memory-mcp", "serve"], True),
        (["C:\\bin\\memory-mcp.exe", "serve", "--caller", "x"], True),
        (["python3", "-P", "-m", "memory_mcp", "serve"], True),
        (["npx", "-y", "memory-mcp-js", "serve"], False),
        (["memory-mcp"], False),
        (["memory-mcp", 3, "serve"], False),
        ([None], False),
    ],
)
def test_our_server_is_told_from_others(words, ours):
    assert is_our_server(words) == ours


@pytest.mark.skipif(sys.version_info < (3, 11), reason="python -P came with 3.11")
def test_a_module_of_the_users_project_does_not_stand_in_for_ours(tmp_path, monkeypatch):
    (tmp_path / "click.py").write_text("print('hijacked')", encoding="utf-8")
    real = sys.executable
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    args = server_entry(Path("/m")).args
    code = f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); import click; print(click.__file__)"
    switches = args[: args.index("-m")]
    done = subprocess.run(
        [real, *switches, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "hijacked" not in done.stdout
