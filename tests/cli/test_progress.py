"""The progress bar: on long work, while a person watches, on stderr."""

import os
import subprocess
import sys

import pytest

WORK = """
import sys, time
from memory_mcp.cli import progress
progress.DELAY_SECONDS = {delay}
with progress.shown_progress() as show:
    for done in range(1, 4):
        time.sleep(0.02)
        show(done, 3, "pages")
print("answer")
"""


def run(code: str, *, watched: bool) -> tuple[str, str]:
    """What the program printed on stdout, and on stderr, which is a terminal or a pipe."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty() if watched else os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    ) as command:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 10_000)
            except OSError:  # how Linux tells the end of a terminal
                break
            if not part:
                break
            shown += part
        os.close(ours)
        assert command.stdout is not None
        return command.stdout.read().decode(), shown.decode()


def test_long_work_shows_a_bar_to_a_person(place):
    out, err = run(WORK.format(delay=0), watched=True)
    assert out == "answer\n"
    assert "pages" in err
    assert "3/3" in err


def test_short_work_shows_nothing(place):
    assert run(WORK.format(delay=60), watched=True) == ("answer\n", "")


def test_a_pipe_gets_no_bar(place):
    assert run(WORK.format(delay=0), watched=False) == ("answer\n", "")
