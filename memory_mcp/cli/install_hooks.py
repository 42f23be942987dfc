"""`install-hooks`: letting a client tell us what happens in its sessions."""

from __future__ import annotations

import os

import click

from memory_mcp.cli.open_app import read_settings
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.model.caller import DEFAULT_CALLER
from memory_mcp.model.clock import utc_now

SHARED = (
    "What is recorded stays on this machine, in raw/. Pages of sessions, handoffs and the project's log are "
    "in the wiki: whoever can read the repository that you push it to can read them."
)


@click.command("install-hooks", short_help="Record the sessions of a client.")
@click.option("--client", "name", type=click.Choice(["claude-code", "codex"]), required=True)
@click.option("--apply", is_flag=True, help="Edit the client's file; a copy of it stays beside it.")
@click.option("--recall", is_flag=True, help="Add the passages that matter to what you write.")
@click.option("--no-capture-prompts", is_flag=True, help="Do not record what you write.")
@click.option("--capture-assistant", is_flag=True, help="Pass on the end of each answer.")
@json_option
def install_hooks_command(
    name: str, apply: bool, recall: bool, no_capture_prompts: bool, capture_assistant: bool, as_json: bool
) -> None:
    """Print the hooks for a client; with --apply put them into the client's own file."""
    from memory_mcp.clients.client import CLIENTS  # noqa: PLC0415 - `--help` needs no client
    from memory_mcp.clients.hook_command import HookOptions  # noqa: PLC0415
    from memory_mcp.clients.hook_groups import add_hooks  # noqa: PLC0415

    client = CLIENTS[name]
    settings = read_settings()
    options = HookOptions(
        settings.data_dir,
        "" if settings.caller == DEFAULT_CALLER else settings.caller,
        recall,
        not no_capture_prompts,
        capture_assistant,
    )
    file = client.hooks_file(os.environ, settings.home)
    edited = client.install_hooks(options, os.environ, settings.home, utc_now()) if apply else None
    if as_json:
        print_json(
            {
                "client": client.name,
                "file": str(file),
                "outcome": edited.outcome if edited else "printed",
                "backup": str(edited.backup) if edited and edited.backup else None,
            }
        )
    elif edited is None:
        click.echo(f"In {file}:\n")
        click.echo(add_hooks("", client.name, client.hook_events, options))
    else:
        click.echo(f"{edited.outcome} {file}")
        if edited.backup:
            click.echo(f"what it held before: {edited.backup}")
        click.echo(SHARED)
