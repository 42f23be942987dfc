"""`install-mcp`: telling a client how to start the server."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import click

from memory_mcp.cli.open_app import read_settings
from memory_mcp.cli.options import given_caller, given_data_dir, json_option
from memory_mcp.cli.output import print_json
from memory_mcp.config import Settings, load_settings
from memory_mcp.model.caller import DEFAULT_CALLER
from memory_mcp.model.clock import utc_now


@click.command("install-mcp", short_help="Add the server to a client's configuration.")
@click.option("--client", "name", type=click.Choice(["claude-code", "codex"]), required=True)
@click.option("--apply", is_flag=True, help="Edit the client's file; a copy of it stays beside it.")
@json_option
def install_mcp_command(name: str, apply: bool, as_json: bool) -> None:
    """Print the entry for a client; with --apply put it into the client's own file.

    Everything else in the file stays as it is, byte for byte, and a second run changes nothing.
    """
    from memory_mcp.clients.client import CLIENTS  # noqa: PLC0415 - `--help` needs no client
    from memory_mcp.clients.entry import NAME, server_entry  # noqa: PLC0415

    client = CLIENTS[name]
    settings = read_settings()
    entry = server_entry(
        None if found_without_help(settings) else settings.data_dir,
        None if settings.caller == DEFAULT_CALLER else settings.caller,
    )
    file = client.config_file(os.environ, settings.home)
    edited = client.install(entry, os.environ, settings.home, utc_now()) if apply else None
    if as_json:
        print_json(
            {
                "client": client.name,
                "file": str(file),
                "server": NAME,
                "command": entry.command,
                "args": list(entry.args),
                "outcome": edited.outcome if edited else "printed",
                "backup": str(edited.backup) if edited and edited.backup else None,
            }
        )
    elif edited is None:
        click.echo(f"In {file}:\n")
        click.echo(client.snippet(entry))
        click.echo(f"This puts it there:\n{apply_command(client.name, *_given_options())}")
    elif edited.outcome == "unchanged":
        click.echo(f"{client.title} has the entry already: {file}")
    else:
        click.echo(f"{edited.outcome} {file}")
        if edited.backup:
            click.echo(f"what it held before: {edited.backup}")
        click.echo(f"The next session of {client.title} has the memory.")


def apply_command(client: str, *options: str) -> str:
    """The command line that edits the client's file, as one can type it here, with `options` if any."""
    from memory_mcp.clients.entry import program  # noqa: PLC0415 - `--help` needs no client

    words = program()
    if shutil.which("memory-mcp") == words[0]:
        words = ("memory-mcp",)
    return shlex.join((*words, "install-mcp", "--client", client, *options, "--apply"))


def _given_options() -> list[str]:
    """What this command was told by options, for the next one."""
    ctx = click.get_current_context()
    given = {"--data-dir": given_data_dir(ctx), "--caller": given_caller(ctx)}
    return [word for option, value in given.items() if value is not None for word in (option, value)]


def found_without_help(settings: Settings) -> bool:
    """Whether a server that is told nothing finds this data dir, whatever environment its client passes."""
    bare = {"HOME": str(settings.home)}
    moved = bool(os.environ.get("XDG_DATA_HOME"))
    return not moved and settings.data_dir == load_settings(None, bare, Path.cwd()).data_dir
