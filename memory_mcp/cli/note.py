"""`note`: what is known beyond the profile."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.callers.topics.topic_kind import NOTE
from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.cli.topic import topic_group
from memory_mcp.model.plain_text import one_line

note_command = topic_group(NOTE, "What is known beyond the profile, one file a topic.")


@note_command.command("import", short_help="Take in another memory, unaltered.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@json_option
def import_command(path: Path, dry_run: bool, as_json: bool) -> None:
    """Make notes of PATH: Claude Code's memory folder of a project, or the JSONL of the server-memory server.

    Nothing is altered there. What cannot be taken is listed with the reason, and so is what looks like a
    secret, with its line. A note that exists is kept.
    """
    report = open_app().caller.memory_importer.import_path(path, ACTOR, dry_run=dry_run)
    if as_json:
        print_json(
            {
                "dry_run": dry_run,
                "imported": list(report.imported),
                "unchanged": list(report.unchanged),
                "skipped": [{"source": source, "reason": reason} for source, reason in report.skipped],
                "secrets": [
                    {"source": source, "line": line, "kind": kind} for source, line, kind in report.secrets
                ],
            }
        )
        return
    for source, reason in report.skipped:
        click.echo(f"skipped {one_line(source)}: {one_line(reason)}")
    for source, line, kind in report.secrets:
        click.echo(f"secret? {one_line(source)}:{line}: looks like a secret ({kind})")
    click.echo(
        f"{'would import' if dry_run else 'imported'} {len(report.imported)} notes; "
        f"{len(report.unchanged)} there already, {len(report.skipped)} skipped"
    )
