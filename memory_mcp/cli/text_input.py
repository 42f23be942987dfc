"""The text that a command takes from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from memory_mcp.errors import InvalidInput
from memory_mcp.store.files import disk_errors


def read_input(source: Path | None, what: str) -> str:
    """The text of the file `source`, else of standard input; a person is told to type the `what`.

    Raises:
        InvalidInput: it is not UTF-8.
        Unavailable: the file cannot be read.
    """
    if source is None:
        if sys.stdin.isatty():
            click.echo(f"Type the {what}; end it with Ctrl-D on a line of its own.", err=True)
        name, data = "standard input", sys.stdin.buffer.read()
    else:
        with disk_errors(source, "read"):
            name, data = str(source), source.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"the {what} in {name} is not UTF-8 (byte {error.start}): convert it first."
        ) from None
