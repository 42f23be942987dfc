"""The command `prompt`: what a session starts with."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.cli.text_input import read_input


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
    who = read_input(identity, "identity") if identity else ""
    built = open_app().caller.prompt.build(who, request=request)
    if as_json:
        print_json({"version": built.version, "text": built.text})
    else:
        click.echo(built.text)
