"""Text, tables and JSON."""

import os
import pty
import subprocess
import sys

from memory_mcp.cli.output import print_json, print_table
from memory_mcp.model.plain_text import one_line

TABLE = (
    "from memory_mcp.cli.output import print_table; print_table(('a', 'bb'), [('[red]x', 'é'), ('yyy', 'z')])"
)


def test_columns_are_aligned_and_nothing_trails(capsys):
    print_table(("a", "bb"), [("x", "long"), ("yyy", "z")])
    assert capsys.readouterr().out == "a    bb\nx    long\nyyy  z\n"


def test_a_terminal_gets_a_table_whose_cells_are_plain_text(place):
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "dumb"}
    subprocess.run([sys.executable, "-c", TABLE], stdout=theirs, env=env, check=True)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "[red]x" in shown
    assert "─" in shown


def test_text_of_pages_cannot_command_a_terminal():
    assert one_line("a\x1b[2J\nb\u009b1m\tc ") == "a [2J b 1m c"


def test_json_leaves_out_what_is_unknown_and_keeps_text_readable(capsys):
    print_json({"a": None, "b": "日本", "c": []})
    assert capsys.readouterr().out == '{\n  "b": "日本",\n  "c": []\n}\n'
