"""`commit`, `checkpoints` and `restore-page`: the wiki's history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, limit_option, scope_options
from memory_mcp.cli.output import print_json, print_scope, print_table, scope_json
from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.store.git_history import CommitInfo


@click.command("commit", short_help="Commit what was edited by hand.")
@scope_options
@click.option("--all", "everywhere", is_flag=True, help="In every project.")
@json_option
def commit_command(workspace: str, project: str, everywhere: bool, as_json: bool) -> None:
    """Commit what was edited by hand in the project, in the name of the person that git knows."""
    if everywhere and (workspace or project):
        raise InvalidInput("--all excludes --workspace and --project: give one way to choose the scope.")
    app = open_app()
    resolved = None if everywhere else app.scopes.resolve_read(workspace, project)
    paths = app.changes.commit_hand_edits(str(resolved.scope) if resolved else "")
    if as_json:
        print_json({"scope": scope_json(resolved), "committed": paths})
        return
    for path in paths:
        click.echo(f"committed {one_line(path)}")
    if not paths:
        click.echo(f"nothing to commit in {resolved or 'any project'}")


@click.command("checkpoints", short_help="List the commits of a project or a page.")
@click.option("--path", default="", help="Only those that changed this page.")
@limit_option(20)
@scope_options
@json_option
def checkpoints_command(path: str, limit: int, workspace: str, project: str, as_json: bool) -> None:
    """List the last commits of the project, newest first."""
    resolved, commits = open_app().history.checkpoints(limit, path=path, workspace=workspace, project=project)
    if as_json:
        print_json({"scope": scope_json(resolved), "checkpoints": [_commit_json(each) for each in commits]})
    elif commits:
        print_scope(resolved)
        print_table(
            ("commit", "time", "by", "what"),
            [
                (
                    each.commit[:12],
                    format_time(each.time),
                    one_line(each.actor or each.author),
                    one_line(each.subject),
                )
                for each in commits
            ],
        )
    else:
        click.echo(f"no commits of {path or 'any page'} in {resolved}")


@click.command("restore-page", short_help="Bring back an old version of a page.")
@click.argument("path")
@click.option(
    "--from", "source", default="", metavar="COMMIT", help="Else the last commit that held the page."
)
@scope_options
@json_option
def restore_page_command(path: str, source: str, workspace: str, project: str, as_json: bool) -> None:
    """Give the page at PATH the text that it had at a commit; itself a commit that can be undone."""
    restored = open_app().history.restore(path, source, ACTOR, workspace=workspace, project=project)
    if as_json:
        print_json(
            {
                "scope": scope_json(restored.resolved),
                "path": restored.path,
                "file": str(restored.file),
                "source": restored.source,
                "restored": restored.restored,
                "version": restored.version,
                "commit": restored.commit,
            }
        )
    elif restored.restored:
        click.echo(f"restored {restored.path} from {restored.source[:12]} in {restored.resolved}")
        click.echo(restored.file)
    else:
        click.echo(f"{restored.path} is as it was at {restored.source[:12]}; nothing was changed")


def _commit_json(each: CommitInfo) -> dict[str, object]:
    known = {
        "commit": each.commit,
        "time": format_time(each.time),
        "author": each.author,
        "subject": each.subject,
        "operation": each.operation,
        "actor": each.actor,
        "session": each.session,
        "paths": list(each.paths),
    }
    return {key: value for key, value in known.items() if value != ""}
