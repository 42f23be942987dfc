"""`import`: taking in a folder of markdown."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import print_json, scope_json
from memory_mcp.cli.progress import shown_progress
from memory_mcp.model.plain_text import one_line


@click.command("import", short_help="Take in a folder of markdown, unaltered.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Overwrite pages that say something else.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@scope_options
@json_option
def import_command(
    folder: Path, replace: bool, dry_run: bool, workspace: str, project: str, as_json: bool
) -> None:
    """Copy every markdown file below FOLDER, an Obsidian vault or a docs tree, into the project.

    The files are taken byte for byte. What cannot be taken is listed with the reason, and so is what looks
    like a secret in what was taken, with its line.
    """
    app = open_app()
    with shown_progress() as progress:
        report = app.importer.import_folder(
            folder,
            ACTOR,
            workspace=workspace,
            project=project,
            replace=replace,
            dry_run=dry_run,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "scope": scope_json(report.resolved),
                "dry_run": dry_run,
                "imported": list(report.imported),
                "unchanged": list(report.unchanged),
                "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
                "secrets": [
                    {"path": path, "line": line, "kind": kind} for path, line, kind in report.secrets
                ],
            }
        )
        return
    for path, reason in report.skipped:
        click.echo(f"skipped {one_line(path)}: {one_line(reason)}")
    for path, line, kind in report.secrets:
        click.echo(f"secret? {one_line(path)}:{line}: looks like a secret ({kind})")
    click.echo(
        f"{'would import' if dry_run else 'imported'} {len(report.imported)} pages into {report.resolved}; "
        f"{len(report.unchanged)} there already, {len(report.skipped)} skipped"
    )
