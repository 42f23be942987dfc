"""Shell completion."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_command(memory, shell):
    done = memory("completions", shell)
    assert done.code == 0
    assert f"_MEMORY_MCP_COMPLETE={shell}_complete" in done.out


def test_another_shell_is_wrong_usage(memory):
    assert memory("completions", "csh").code == 2


def test_the_commands_answer_what_the_script_asks(place):
    env = {
        **os.environ,
        "_MEMORY_MCP_COMPLETE": "bash_complete",
        "COMP_WORDS": "memory-mcp re",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "memory_mcp"], env=env, capture_output=True, text=True, check=True
    )
    assert [line.split(",")[1] for line in done.stdout.splitlines()] == [
        "recent",
        "read-page",
        "reindex",
        "restore-page",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_accepts_the_script(memory, shell):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} on this machine")
    script = memory("completions", shell).out
    checked = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
