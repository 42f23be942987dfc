"""Finding the command, exit codes, and what a start costs."""

import os
import subprocess
import sys

import pytest

from memory_mcp import __version__
from memory_mcp.cli.main import COMMANDS

HEAVY = {
    "mcp",
    "pydantic",
    "whoosh",
    "git",
    "rich",
    "yaml",
    "tomlkit",
    "portalocker",
    "platformdirs",
    "anyio",
}


@pytest.mark.parametrize("args", [["--version"], ["--help"], ["search", "--help"], ["completions", "bash"]])
def test_a_command_that_needs_no_store_imports_nothing_heavy(place, args):
    code = (
        "import sys\n"
        "from memory_mcp.cli.main import main\n"
        f"sys.argv = ['memory-mcp', *{args}]\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.split())


def test_the_version_is_printed(memory):
    assert memory("--version").out == f"memory-mcp {__version__}\n"


def test_help_lists_every_command_with_a_line(memory):
    out = memory("--help").out
    for name in COMMANDS:
        line = next(line for line in out.splitlines() if line.split()[:1] == [name])
        assert len(line.split()) > 3
        assert not line.endswith("...")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_ends_well(memory, name):
    done = memory(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert "--data-dir" in done.out


@pytest.mark.parametrize(
    "args",
    [
        ["nonsense"],
        ["search"],
        ["search", "x", "--limit", "0"],
        ["search", "x", "--bad"],
        ["recent", "-n", "x"],
    ],
)
def test_wrong_usage_is_exit_code_2_and_makes_no_store(memory, place, args):
    done = memory(*args)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err
    assert not (place / "data").exists()


def test_an_error_of_the_users_is_one_sentence_and_exit_code_1(memory, place):
    (place / "file").touch()
    done = memory("status", "--data-dir", str(place / "file"))
    assert done.code == 1
    assert done.err == f"error: the data dir {place / 'file'} is a file: name a folder with --data-dir.\n"


def test_a_wrong_setting_is_a_sentence(memory, monkeypatch):
    monkeypatch.setenv("MEMORY_MCP_STORE_LOCK_TIMEOUT", "soon")
    done = memory("status")
    assert done.code == 1
    assert done.err.startswith("error: MEMORY_MCP_STORE_LOCK_TIMEOUT = 'soon'")


def test_a_bug_is_shown_with_its_traceback_and_exit_code_2(memory, monkeypatch):
    monkeypatch.setattr("memory_mcp.config.load_settings", lambda *_: 1 / 0)
    done = memory("status")
    assert done.code == 2
    assert done.err.endswith("ZeroDivisionError: division by zero\n")


def test_an_interrupt_is_told_in_a_sentence(memory, monkeypatch):
    def press_ctrl_c(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("memory_mcp.config.load_settings", press_ctrl_c)
    done = memory("status")
    assert done.code == 130
    assert done.err.strip() == "interrupted; what is done stays, and the command can be run again."


@pytest.mark.parametrize("place_of_option", ["before", "after"])
def test_the_data_dir_is_named_before_or_after_the_command(memory, place, place_of_option):
    option = ("--data-dir", str(place / "other"))
    args = (*option, "init") if place_of_option == "before" else ("init", *option)
    assert memory(*args, "--json").json["data_dir"] == str(place / "other")


def test_python_m_is_the_same_command(process):
    assert process("--version").stdout.decode() == f"memory-mcp {__version__}\n"


@pytest.mark.parametrize("lines", [1, 100_000])
def test_a_reader_that_goes_away_ends_the_command_quietly(place, lines):
    code = (
        "import sys, click\n"
        "from memory_mcp.cli import main\n"
        "@click.command()\n"
        "def cli():\n"
        "    sys.stdin.read()\n"
        f"    for _ in range({lines}): sys.stdout.write('x' * 80)\n"
        "main.cli = cli\n"
        "main.main()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as command:
        command.stdout.close()
        command.stdin.close()
        assert command.stderr.read() == b""
        assert command.wait(10) == 1


def test_arguments_and_file_names_are_utf8_whatever_the_locale(process, wiki):
    ascii_only = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    written = process("write-page", "notes/日本.md", input="# 日本\n".encode(), env=ascii_only, stdin=None)
    assert written.returncode == 0, written.stderr
    assert (wiki / "default/app/notes/日本.md").is_file()
    found = process("search", "日本", env=ascii_only)
    assert found.stdout.decode("utf-8").startswith("notes/日本.md")


def test_output_is_utf8_whatever_the_terminal_takes(process):
    done = process("read-page", "naïve-日本.md", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 1
    assert "naïve-日本.md" in done.stderr.decode("utf-8")
