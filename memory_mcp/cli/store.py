"""`init`, `status` and `reindex`: the store as a whole."""

from __future__ import annotations

import time

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import print_json, print_notes, scope_json, scope_names
from memory_mcp.cli.progress import shown_progress
from memory_mcp.model.plain_text import one_line


@click.command("init", short_help="Make the store, and say where it is.")
@json_option
def init_command(as_json: bool) -> None:
    """Make the data dir and the wiki's git repository where they are missing, and say where they are.

    Nothing else needs this: the store is also made by the first write.
    """
    app = open_app()
    with app.lock.hold("init"):
        app.changes.prepare()
    data_dir = app.data_dir
    if as_json:
        print_json(
            {
                "data_dir": str(data_dir.root),
                "wiki": str(data_dir.wiki),
                "config_file": str(data_dir.config_file),
            }
        )
        return
    click.echo(f"data dir  {data_dir.root}")
    click.echo(f"wiki      {data_dir.wiki}  (markdown in git: grep it, open it in an editor, push it)")
    click.echo(f"settings  {data_dir.config_file}  (optional)")


@click.command("status", short_help="Show the store, its counts and its problems.")
@scope_options
@json_option
def status_command(workspace: str, project: str, as_json: bool) -> None:
    """Show where the memory lies, what it holds, and what a person should mend."""
    app = open_app()
    with shown_progress() as progress:
        status = app.status.report(workspace=workspace, project=project, progress=progress)
    if as_json:
        print_json(
            {
                "version": status.version,
                "data_dir": str(status.data_dir),
                "scope": scope_json(status.resolved),
                "folder": str(status.folder),
                "exists": status.exists,
                "scopes": scope_names(status.scopes),
                "counts": dict(status.counts),
                "git": dict(status.git),
                "problems": list(status.problems),
                "notes": list(status.notes),
            }
        )
        return
    click.echo(f"memory-mcp {status.version}")
    click.echo(f"data dir   {status.data_dir}")
    click.echo(f"scope      {status.resolved}")
    click.echo(f"folder     {status.folder}{'' if status.exists else '  (no page yet)'}")
    click.echo(f"projects   {', '.join(scope_names(status.scopes)) or 'none yet'}")
    for name, count in status.counts.items():
        click.echo(f"{name.replace('_', ' ')}: {count}")
    for name, value in status.git.items():
        click.echo(f"git {name.replace('_', ' ')}: {value}")
    for problem in status.problems:
        click.echo(f"problem: {one_line(problem)}")
    print_notes(status.notes)


@click.command("reindex", short_help="Build the search index anew from the files.")
@json_option
def reindex_command(as_json: bool) -> None:
    """Build the search index anew from the files; also after files were meant to vanish in bulk."""
    app = open_app()
    started = time.monotonic()
    with shown_progress() as progress:
        pages = app.reindex(progress)
    seconds = time.monotonic() - started
    if as_json:
        print_json({"pages": pages, "seconds": round(seconds, 3)})
    else:
        click.echo(f"indexed {'1 page' if pages == 1 else f'{pages:,} pages'} in {seconds:.1f} s")
