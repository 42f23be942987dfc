"""`capture`: recording in a folder or not; `fold`, `finalize-session`: taking in what was recorded."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import print_json
from memory_mcp.errors import NotFound

# ruff: noqa: PLC0415 - `--help` needs none of it

FOLDER = click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
FOLD_WAIT_SECONDS = 10.0


@click.group("capture", short_help="Turn recording off and on for a folder.")
def capture_command() -> None:
    """Whether sessions in a folder are recorded. Turning it off holds for everything below the folder."""


@capture_command.command("off")
@FOLDER
def off_command(folder: Path | None) -> None:
    """Record nothing in FOLDER, this one if none is given, until it is turned on again."""
    from memory_mcp.sessions.capture_off import turn_off

    app = open_app()
    place = (folder or app.settings.start_folder).resolve()
    if not place.is_dir():
        raise NotFound(f"{place} is no folder: name one that is there, or none for this one.")
    with app.lock.hold("capture off"):
        is_new = turn_off(app.data_dir.state, place)
    click.echo(f"{place}: nothing is recorded{' any more' if is_new else ', as before'}.")


@capture_command.command("on")
@FOLDER
def on_command(folder: Path | None) -> None:
    """Record in FOLDER again."""
    from memory_mcp.sessions.capture_off import turn_on, which_is_off

    app = open_app()
    place = (folder or app.settings.start_folder).resolve()
    with app.lock.hold("capture on"):
        turn_on(app.data_dir.state, place)
    above = which_is_off(app.data_dir.state, place)
    if above:
        click.echo(f"{place}: still off, because of {above}; turn it on there.")
    else:
        click.echo(f"{place}: sessions are recorded.")


@capture_command.command("status")
@FOLDER
@json_option
def status_command(folder: Path | None, as_json: bool) -> None:
    """Say whether sessions in FOLDER are recorded, and where else they are not."""
    from memory_mcp.sessions.capture_off import folders_off, which_is_off

    app = open_app()
    place = (folder or app.settings.start_folder).resolve()
    off = which_is_off(app.data_dir.state, place)
    if as_json:
        print_json({"folder": str(place), "recorded": not off, "off": folders_off(app.data_dir.state)})
        return
    click.echo(f"{place}: {'nothing is recorded' if off else 'sessions are recorded'}.")
    for each in folders_off(app.data_dir.state):
        click.echo(f"off: {each}")


@click.command("finalize-session", short_help="End a session whose client never did.")
@click.option("--agent", default="", metavar="NAME", help="Only sessions of this client.")
@click.option("--session-id", default="", metavar="ID", help="This one instead of the newest that is open.")
@click.option("--all", "every", is_flag=True, help="Every one that is open.")
@click.option("--reopen", is_flag=True, help="End the named one anew, though it was ended.")
@scope_options
@json_option
def finalize_session_command(
    agent: str, session_id: str, every: bool, reopen: bool, workspace: str, project: str, as_json: bool
) -> None:
    """End the newest open session of a project: its page and its handoff are made from what was recorded."""
    app = open_app()
    app.continuity.spool_fold.fold(wait=FOLD_WAIT_SECONDS)
    scope = app.scopes.resolve_pages(workspace, project).scope
    ended = app.continuity.session_closer.finalize(
        scope, agent=agent, session_id=session_id, every=every, reopen=reopen
    )
    if as_json:
        print_json({"workspace": scope.workspace, "project": scope.project, "finalized": ended})
    elif ended:
        click.echo("\n".join(f"ended {each}" for each in ended))
    else:
        click.echo(f"No session of {scope} is open.")


@click.command("fold", short_help="Take in what hooks recorded.")
@json_option
def fold_command(as_json: bool) -> None:
    """Make sessions, pages and handoffs of what waits in the spool. Servers and hooks do it by themselves."""
    folded = open_app().continuity.spool_fold.fold(wait=FOLD_WAIT_SECONDS)
    if as_json:
        print_json(
            {
                "events": folded.events,
                "sessions": folded.sessions,
                "buried": folded.buried,
                "remaining": folded.remaining,
            }
        )
    else:
        click.echo(f"{folded.events} events of {folded.sessions} sessions; {folded.remaining} left.")
