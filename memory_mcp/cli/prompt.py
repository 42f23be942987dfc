"""The command `prompt`: what a session starts with."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.errors import InvalidInput
from memory_mcp.store.files import disk_errors


@click.command("prompt", short_help="Print what an agent's session starts with.")
@click.option(
    "--identity",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A text that says who the agent is, put before everything else.",
)
@click.option("--request", default="", metavar="TEXT", help="What the user said; if vague, with candidates.")
@json_option
def prompt_command(identity: Path | None, request: str, as_json: bool) -> None:
    """Print what an agent's session starts with: rules, profile, notes, skills, open tasks."""
    built = open_app().session_prompt.build(_read(identity), request=request)
    if as_json:
        print_json({"version": built.version, "text": built.text})
    else:
        click.echo(built.text)


def _read(identity: Path | None) -> str:
    if identity is None:
        return ""
    with disk_errors(identity, "read"):
        data = identity.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{identity} is not UTF-8 (byte {error.start}): convert it first.") from None
