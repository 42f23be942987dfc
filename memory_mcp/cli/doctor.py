"""`doctor`: what keeps the memory from working here."""

from __future__ import annotations

import os
from pathlib import Path

import click

from memory_mcp import __version__
from memory_mcp.cli.options import given_data_dir, json_option
from memory_mcp.cli.output import print_json
from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import utc_now


@click.command("doctor", short_help="Find what keeps the memory from working, and how to mend it.")
@json_option
def doctor_command(as_json: bool) -> int:
    """Check the store, what hooks recorded, and the clients' files; nothing is changed.

    Each finding names the command that mends it. Exits 1 when there is one.
    """
    from memory_mcp.doctor.doctor import Examined, examine  # noqa: PLC0415 - `--help` needs none of it
    from memory_mcp.store.data_dir import DataDir  # noqa: PLC0415

    home = Path(os.path.abspath(os.environ.get("HOME") or os.path.expanduser("~")))
    root, broken = _settings(home)
    findings = examine(Examined(DataDir(root), os.environ, home, Path.cwd(), broken, __version__, utc_now()))
    if as_json:
        listed = [{"code": each.code, "text": each.text, "command": each.command_line} for each in findings]
        print_json({"data_dir": str(root), "findings": listed})
    elif not findings:
        click.echo(f"Nothing is wrong with the memory in {root}.")
    else:
        for each in findings:
            click.echo(f"{each.code}: {each.text}\n    {each.command_line}")
    return 1 if findings else 0


def _settings(home: Path) -> tuple[Path, str]:
    """The data dir, and why its `config.toml` cannot be used, "" if it can."""
    from memory_mcp.config import find_data_dir, load_settings  # noqa: PLC0415

    flag = given_data_dir(click.get_current_context())
    root = find_data_dir(flag, os.environ, Path.cwd(), home)
    try:
        load_settings(str(root), {"HOME": str(home)}, Path.cwd())
    except InvalidInput as error:
        return root, str(error)
    return root, ""
