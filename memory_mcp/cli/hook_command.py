"""The command `hook` for the help: clients run `hook` without the command line, see `memory_mcp.__main__`."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from memory_mcp.cli.hook import run_hook


@click.command("hook", short_help="Record an event of a client; its hooks run this.")
@click.option(
    "--event",
    metavar="NAME",
    expose_value=False,
    help="What happened, by any client's name; else the payload's.",
)
@click.option("--agent", metavar="NAME", expose_value=False, help="The client, such as claude-code or codex.")
@click.option(
    "--recall", is_flag=True, expose_value=False, help="Add to a prompt what the memory knows about it."
)
@click.option(
    "--no-capture-prompts", is_flag=True, expose_value=False, help="Record nothing of what the user writes."
)
@click.option(
    "--capture-assistant",
    is_flag=True,
    expose_value=False,
    help="Record the beginning of the agent's answers, where [capture] assistant allows it too.",
)
@click.option(
    "--extension", metavar="NAMESPACE", expose_value=False, help="The namespace of an event that is your own."
)
@click.option("--source-event", metavar="NAME", expose_value=False, help="Your own name of that event.")
@click.option("--check-capture", is_flag=True, expose_value=False, help="Only say what would be recorded.")
def hook_command() -> NoReturn:
    """Record the event that a client describes in JSON on stdin, and answer as the client expects.

    It always exits with 0. install-hooks writes the commands that clients run.
    """
    arguments = sys.argv[1:]
    arguments.remove("hook")
    run_hook(arguments)
