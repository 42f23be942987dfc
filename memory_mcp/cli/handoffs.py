"""`handoffs`: the work that waits for the next session of a project."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import print_json, print_notes, print_scope, print_table, scope_json
from memory_mcp.continuity.disputes import dispute_sentence
from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.continuity.handoff import Handoff
    from memory_mcp.continuity.handoff_service import ListedHandoffs, WrittenHandoff


@click.command("handoffs", short_help="List, show, cancel or expire handoffs.")
@click.option("--all", "closed", is_flag=True, help="Also those that were claimed, cancelled or expired.")
@click.option("--show", "code", default="", metavar="CODE", help="Print what one says; it stays unclaimed.")
@click.option("--cancel", "cancelled", default="", metavar="CODE", help="Withdraw one.")
@click.option("--expire-all", is_flag=True, help="Let all that are open expire; needs --confirm.")
@click.option("--confirm", is_flag=True, help="Do it; without this, --expire-all only lists them.")
@click.option(
    "--older-than-days",
    type=click.IntRange(0, 3650),
    default=None,
    help="Only those that old, with --expire-all.",
)
@scope_options
@json_option
def handoffs_command(
    closed: bool,
    code: str,
    cancelled: str,
    expire_all: bool,
    confirm: bool,
    older_than_days: int | None,
    workspace: str,
    project: str,
    as_json: bool,
) -> None:
    """List the handoffs of a project, oldest first, without what they say."""
    if sum(map(bool, (closed, code, cancelled, expire_all))) > 1:
        raise InvalidInput("--all, --show, --cancel and --expire-all exclude each other: give one of them.")
    if not expire_all and (confirm or older_than_days is not None):
        raise InvalidInput("--confirm and --older-than-days belong to --expire-all: give that as well.")
    handoffs = open_app().continuity.handoffs
    if cancelled:
        _print_cancelled(*handoffs.cancel(cancelled, ACTOR, workspace=workspace, project=project), as_json)
    elif code:
        click.echo(handoffs.text(code, workspace=workspace, project=project))
    elif expire_all and confirm:
        age = timedelta(days=older_than_days or 0)
        gone = handoffs.expire_all(ACTOR, older_than=age, workspace=workspace, project=project)
        if as_json:
            print_json({"expired": [each.id for each in gone]})
        else:
            click.echo(f"{len(gone)} expired.")
    else:
        age = timedelta(days=older_than_days or 0)
        listed = handoffs.look(workspace=workspace, project=project, closed=closed, older_than=age)
        _print(listed, as_json=as_json)
        if expire_all:
            print_notes([f"{len(listed.handoffs)} would expire; run it again with --confirm"])


def _print_cancelled(written: WrittenHandoff, was_open: bool, as_json: bool) -> None:
    if as_json:
        print_json({"code": written.code, "cancelled": was_open, "state": written.handoff.state})
    elif was_open:
        click.echo(f"Cancelled handoff {written.code}.")
    else:
        click.echo(f"Handoff {written.code} is {written.handoff.state} already.")


def _print(listed: ListedHandoffs, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "scope": scope_json(listed.resolved),
                "handoffs": [_json(each, listed.codes[each.id]) for each in listed.handoffs],
                "disputed": [each.id for each in listed.disputed],
                "problems": list(listed.problems),
            }
        )
        return
    print_scope(listed.resolved)
    if listed.handoffs:
        print_table(
            ("code", "state", "origin", "agent", "updated", "dir", "id"),
            [
                (
                    listed.codes[each.id],
                    each.state,
                    each.origin,
                    one_line(each.agent),
                    format_time(each.updated),
                    one_line(each.draft.dir),
                    each.id,
                )
                for each in listed.handoffs
            ],
        )
    else:
        click.echo("No handoff waits.")
    disputed = [
        dispute_sentence("handoff", listed.codes[each.id], each.decided_by, each.rivals)
        for each in listed.disputed
    ]
    print_notes([*disputed, *listed.problems])


def _json(handoff: Handoff, code: str) -> dict[str, object]:
    return {
        "id": handoff.id,
        "code": code,
        "state": handoff.state,
        "origin": handoff.origin,
        "title": handoff.draft.title,
        "agent": handoff.agent,
        "session": handoff.session,
        "created": format_time(handoff.created),
        "updated": format_time(handoff.updated),
        "dir": handoff.draft.dir,
        "branch": handoff.draft.branch,
    }
