"""`log`: what happened, one line an event."""

from __future__ import annotations

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, limit_option
from memory_mcp.cli.output import REDACTED, print_json, print_notes
from memory_mcp.model.plain_text import one_line


@click.group("log", short_help="What happened, one line an event.")
def log_command() -> None:
    """The log of the person for whom the agents work."""


@log_command.command("add", short_help="Add an entry of today.")
@click.argument("op")
@click.argument("detail")
@json_option
def add_command(op: str, detail: str, as_json: bool) -> None:
    """Add an entry: OP says what kind of event, such as decision_made, and DETAIL what happened."""
    logged = open_app().caller.log.append(op, detail, ACTOR)
    if as_json:
        print_json(
            {
                "path": logged.path,
                "file": str(logged.file),
                "line": logged.line,
                "logged": logged.is_new,
                "commit": logged.commit,
                "redacted": logged.redacted,
            }
        )
        return
    click.echo(logged.line)
    already = [] if logged.is_new else ["it was logged today already."]
    print_notes([*already, *([REDACTED] if logged.redacted else [])])


@log_command.command("show", short_help="Print the last entries.")
@limit_option(20)
@json_option
def show_command(limit: int, as_json: bool) -> None:
    """Print the last entries, the newest last."""
    entries = open_app().caller.log.read(limit)
    if as_json:
        print_json({"entries": [{"day": e.day, "op": e.op, "detail": e.detail} for e in entries]})
        return
    if not entries:
        click.echo("Nothing was logged.")
    for entry in entries:
        click.echo(f"{entry.day}  {one_line(entry.op)}  {one_line(entry.detail)}")
