"""`embed`: the vectors by which pages are found by meaning."""

from __future__ import annotations

import time

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.cli.progress import shown_progress


@click.command("embed", short_help="Compute the vectors of pages that have none.")
@click.option("--force", is_flag=True, help="Compute all anew.")
@click.option("--dry-run", is_flag=True, help="Only say how much there is to do.")
@json_option
def embed_command(force: bool, dry_run: bool, as_json: bool) -> None:
    """Compute the vectors of pages that have none, so that they are found by meaning.

    Needs the extra `memory-mcp[vectors]`. Without this command the server and the searches do the same,
    little by little.
    """
    app = open_app()
    started = time.monotonic()
    with shown_progress() as progress:
        done = app.vectors.embed(force=force, dry_run=dry_run, progress=progress)
    seconds = time.monotonic() - started
    if as_json:
        print_json(
            {
                "dry_run": dry_run,
                "pages": done.pages,
                "passages": done.passages,
                "failed": done.failed,
                "seconds": round(seconds, 3),
            }
        )
        return
    pages = "1 page" if done.pages == 1 else f"{done.pages:,} pages"
    passages = "1 passage" if done.passages == 1 else f"{done.passages:,} passages"
    if dry_run:
        click.echo(f"to do: {pages}, {passages}")
        return
    click.echo(f"embedded {pages}, {passages} in {seconds:.1f} s")
    if done.failed:
        click.echo(f"{done.failed:,} failed; memory-mcp status says which and why")
