"""`briefing` and `explore`: how a project stands, and coming back to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import print_json, print_notes, print_scope, print_table, scope_json, scope_names
from memory_mcp.cli.progress import shown_progress
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.briefing.briefing import Briefing, BriefingPage

_LISTS = {
    "rules": "Rules",
    "slots": "Slots",
    "pinned": "Pinned",
    "settled": "Settled",
    "recent": "Changed last",
}

recent_option = click.option(
    "--recent",
    "recent_limit",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="How many of the pages that changed last.",
)


@click.command("briefing", short_help="Show how a project stands.")
@recent_option
@click.option("--settled-first", is_flag=True, help="Also rules and decisions by what they rest on.")
@scope_options
@json_option
def briefing_command(
    recent_limit: int, settled_first: bool, workspace: str, project: str, as_json: bool
) -> None:
    """Show the rules, slots, pinned and recent pages of a project, what waits there and what happened."""
    app = open_app()
    with shown_progress() as progress:
        briefing = app.continuity.briefing.read(
            recent_limit,
            settled_first=settled_first,
            workspace=workspace,
            project=project,
            progress=progress,
        )
    if as_json:
        print_json(_json(briefing))
    else:
        print_scope(briefing.resolved)
        _print(briefing)


@click.command("explore", short_help="Come back to a project.")
@click.argument("focus", nargs=-1)
@recent_option
@scope_options
@json_option
def explore_command(
    focus: tuple[str, ...], recent_limit: int, workspace: str, project: str, as_json: bool
) -> None:
    """Show how long ago work stopped, how things stand, what is known of FOCUS, and what to ask next."""
    app = open_app()
    with shown_progress() as progress:
        explored = app.continuity.explorer.explore(
            " ".join(focus), recent_limit, workspace=workspace, project=project, progress=progress
        )
    if as_json:
        passages = [
            {"path": hit.path, "title": hit.title, "passage": hit.snippet} for hit in explored.passages
        ]
        print_json(
            {
                "gap": explored.gap._asdict(),
                "briefing": _json(explored.briefing),
                "passages": passages,
                "follow_ups": list(explored.follow_ups),
            }
        )
        return
    print_scope(explored.briefing.resolved)
    click.echo(explored.gap.description)
    _print(explored.briefing)
    for hit in explored.passages:
        click.echo(f"\n{click.style(one_line(hit.title), bold=True)}  ({one_line(hit.path)})")
        click.echo(f"    {one_line(hit.snippet)}")
    if explored.follow_ups:
        click.echo("\nAsk next:")
    for query in explored.follow_ups:
        click.echo(f"  {one_line(query)}")


def _print(briefing: Briefing) -> None:
    activity = briefing.activity
    click.echo(
        f"{briefing.pages:,} pages, {activity.sessions:,} sessions, {activity.observations:,} observations; "
        f"waiting: {briefing.handoffs} handoffs, {briefing.messages} messages"
    )
    for span in activity.recent:
        click.echo(
            f"last {span.days} days: {span.sessions} sessions, {span.observations} observations, "
            f"{span.pages} pages changed"
        )
    for words, scopes in (("linked from", briefing.linked_from), ("links to", briefing.links_to)):
        if scopes:
            click.echo(f"{words} {', '.join(scope_names(scopes))}")
    for name, heading in _LISTS.items():
        _print_list(heading, getattr(briefing, name))
    print_notes([*briefing.disputed, *briefing.notes])


def _print_list(heading: str, pages: Sequence[BriefingPage]) -> None:
    if not pages:
        return
    click.echo(f"\n{heading}")
    rows = [
        (
            one_line(page.title, 80),
            one_line(page.path),
            page.slot_kind or one_line(page.kind),
            format_time(page.updated) if page.updated else "",
        )
        for page in pages
    ]
    print_table(("title", "path", "kind", "changed"), rows)


def _json(briefing: Briefing) -> dict[str, object]:
    activity = briefing.activity
    return {
        "scope": scope_json(briefing.resolved),
        "counts": {
            "pages": briefing.pages,
            "sessions": activity.sessions,
            "observations": activity.observations,
        },
        "activity": [span._asdict() for span in activity.recent],
        "last_observation_at": format_time(activity.last_at) if activity.last_at else None,
        "pending_handoffs": briefing.handoffs,
        "pending_messages": briefing.messages,
        "linked_from": scope_names(briefing.linked_from),
        "links_to": scope_names(briefing.links_to),
        **{name: [_page_json(page) for page in getattr(briefing, name)] for name in _LISTS},
        "claimed_twice": list(briefing.disputed),
        "notes": list(briefing.notes),
    }


def _page_json(page: BriefingPage) -> dict[str, object]:
    facts: dict[str, object] = {"path": page.path, "title": page.title, "kind": page.kind}
    facts |= {"slot_kind": page.slot_kind} if page.slot_kind else {}
    facts |= {"changed": format_time(page.updated)} if page.updated else {}
    return facts | ({"evidence": page.evidence} if page.evidence else {})
