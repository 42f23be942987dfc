"""How a client is told to start the server."""

import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.clients.entry import server_entry


def test_the_entry_names_the_script_beside_the_interpreter(tmp_path, monkeypatch):
    (tmp_path / "memory-mcp").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    entry = server_entry(None)
    assert (entry.command, entry.args) == (str(tmp_path / "memory-mcp"), ("serve",))


def test_without_a_script_the_entry_names_the_interpreter(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    entry = server_entry(None)
    assert entry.command == str(tmp_path / "python")
    assert entry.args[-3:] == ("-m", "memory_mcp", "serve")


def test_the_entry_carries_a_data_dir_that_the_server_would_not_find():
    assert server_entry(Path("/else where")).args[-3:] == ("serve", "--data-dir", "/else where")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="python -P came with 3.11")
def test_a_module_of_the_users_project_does_not_stand_in_for_ours(tmp_path, monkeypatch):
    (tmp_path / "click.py").write_text("print('hijacked')", encoding="utf-8")
    real = sys.executable
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    args = server_entry(None).args
    code = f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); import click; print(click.__file__)"
    switches = args[: args.index("-m")]
    done = subprocess.run(
        [real, *switches, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "hijacked" not in done.stdout
