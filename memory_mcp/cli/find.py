"""`search` and `recent`: which pages there are to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.explanation import hit_lines, query_lines, scale_lines
from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option, limit_option, scope_options
from memory_mcp.cli.output import (
    print_json,
    print_notes,
    print_scope,
    print_table,
    scope_json,
    scope_names,
)
from memory_mcp.cli.progress import shown_progress
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.pages.page_query import JoinedHits, QueryResult
    from memory_mcp.pages.page_recent import RecentPage
    from memory_mcp.search.answer import Hit, RawHit, ZeroHits

_JOINED = {"global": "Standing preferences", "caller": "About you"}
"""What another scope is called whose hits are joined to those of the project."""


@click.command("search", short_help="Find pages by words or a question.")
@click.argument("query", nargs=-1, required=True)
@limit_option(10)
@scope_options
@click.option("--scopes", multiple=True, metavar="WORKSPACE/PROJECT", help="Search these (repeatable).")
@click.option("--global", "everywhere", is_flag=True, help="Search every project.")
@click.option("--include-expired", is_flag=True, help="Also pages whose time is over.")
@click.option("--pin-first", is_flag=True, help="Pinned pages before all others.")
@click.option("--include-superseded", is_flag=True, help="Also old versions of pages.")
@click.option("--as-of", default="", metavar="TIME", help="What was known then: a date or an RFC 3339 time.")
@click.option("--explain", is_flag=True, help="Say why each page stands where it stands.")
@json_option
def search_command(
    query: tuple[str, ...],
    limit: int,
    workspace: str,
    project: str,
    scopes: tuple[str, ...],
    everywhere: bool,
    include_expired: bool,
    pin_first: bool,
    include_superseded: bool,
    as_of: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Find the pages that answer QUERY, words or a question; "quoted words" are a phrase.

    Standing preferences (the project default/_global) and what is known about the caller are searched too,
    unless the command names a scope.
    """
    app = open_app()
    with shown_progress() as progress:
        found = app.query.query(
            " ".join(query),
            limit=limit,
            workspace=workspace,
            project=project,
            scopes=scopes,
            everywhere=everywhere,
            include_expired=include_expired,
            pin_first=pin_first,
            include_superseded=include_superseded,
            as_of=as_of,
            explain=explain,
            progress=progress,
        )
    wiki = app.data_dir.wiki
    if as_json:
        print_json(
            {
                "scope": scope_json(found.resolved),
                "scopes": None if found.scopes is None else scope_names(found.scopes),
                "as_of": format_time(found.as_of) if found.as_of else None,
                "hits": [_hit_json(hit, wiki) for hit in found.hits],
                **{f"{name}_hits": _joined_json(found, name, wiki) for name in _JOINED},
                "raw_hits": [_raw_json(hit) for hit in found.raw_hits],
                "zero_hits": _zero_json(found.zero_hits, found.streams) if found.zero_hits else None,
                "behind": scope_names(found.behind),
                "notes": list(found.notes),
                "explanation": found.explanation.facts() if found.explanation else None,
                **{
                    f"{each.name}_explanation": each.answer.explanation.own_facts()
                    for each in found.joined
                    if each.answer.explanation and each.hits
                },
            }
        )
        return
    if found.all_hits:
        print_scope(found.resolved)
    _print_hits(found.hits, with_scope=found.resolved is None)
    if not found.hits:
        _print_zero_hits(found)
    if found.explanation and found.hits:
        click.echo()
        _print_dim(query_lines(found.explanation))
    for each in found.joined:
        _print_joined(each, is_alone=not found.hits)
    if any(hit.file_missing for hit in found.all_hits):
        print_notes(
            ["files are missing; their pages are as the index remembers them: see memory-mcp status."]
        )
    if found.behind:
        print_notes([f"the newest edits of {', '.join(scope_names(found.behind))} are not searched yet."])
    print_notes(found.notes)


@click.command("recent", short_help="List the pages that changed last.")
@limit_option(10)
@scope_options
@json_option
def recent_command(limit: int, workspace: str, project: str, as_json: bool) -> None:
    """List the pages that changed last, newest first."""
    app = open_app()
    with shown_progress() as progress:
        found = app.recent.recent(limit, workspace=workspace, project=project, progress=progress)
    if as_json:
        print_json(
            {
                "scope": scope_json(found.resolved),
                "pages": [_recent_json(page) for page in found.pages],
                "counts": {name: count for name, count in asdict(found.counts).items() if count is not None},
                "notes": list(found.notes),
            }
        )
        return
    if found.pages:
        print_scope(found.resolved)
        click.secho(str(found.counts), err=True, dim=True)
        print_table(
            ("changed", "page", "kind", "title"),
            [
                (
                    format_time(page.updated),
                    one_line(page.path if found.resolved else f"{page.scope}/{page.path}"),
                    one_line(page.kind),
                    one_line(page.title),
                )
                for page in found.pages
            ],
        )
    else:
        click.echo(f"No pages yet in {found.resolved or 'any project'}.")
    print_notes(found.notes)


def _print_hits(hits: Sequence[Hit], *, with_scope: bool) -> None:
    for hit in hits:
        path = f"{hit.scope}/{hit.path}" if with_scope else hit.path
        marks = [one_line(hit.kind), *_marks(hit)]
        click.echo(f"{click.style(one_line(path), bold=True)}  {one_line(hit.title)} ({', '.join(marks)})")
        if snippet := one_line(hit.snippet):
            click.echo(f"    {snippet}")
        if hit.details:
            _print_dim(hit_lines(hit.details))


def _print_joined(joined: JoinedHits, *, is_alone: bool) -> None:
    if not joined.hits:
        return
    click.echo(f"\n{_JOINED[joined.name]}:\n")
    _print_hits(joined.hits, with_scope=False)
    if explanation := joined.answer.explanation:
        click.echo()
        _print_dim(query_lines(explanation) if is_alone else scale_lines(explanation))


def _joined_json(found: QueryResult, name: str, wiki: Path) -> list[dict[str, object]]:
    return [_hit_json(hit, wiki) for each in found.joined if each.name == name for hit in each.hits]


def _print_dim(lines: Iterable[str]) -> None:
    for line in lines:
        click.secho(f"    {line}", dim=True)


def _print_zero_hits(found: QueryResult) -> None:
    """What was tried, what else would find something, and what sessions have of it."""
    zero = found.zero_hits
    click.echo(f"No page matches in {_where(found)}.")
    if zero and zero.words:
        click.echo(f"  searched: {one_line(', '.join(zero.words), 200)}")
        ways = {"without the quotes": zero.unquoted, "with --include-expired": zero.expired}
        for scope, count in zero.elsewhere:
            ways[f"with --workspace {scope.workspace} --project {scope.project}"] = count
        for way, count in ways.items():
            if count:
                click.echo(f"  {way}: {'1 page matches' if count == 1 else f'{count} pages match'}")
        if not any(ways.values()):
            old = "" if found.include_superseded else ", or --include-superseded"
            others = "no other project has a page that matches: " if found.scopes else ""
            click.echo(f"  {others}try other words{old}")
    if found.raw_hits:
        click.echo("\nCaptured in agent sessions, and on no page:\n")
    for hit in found.raw_hits:
        facts = f"{one_line(hit.kind)}, {format_time(hit.created_at)}, session {one_line(hit.session_id)}"
        click.echo(f"{click.style(one_line(hit.title), bold=True)}  ({facts})")
        if hit.snippet:
            click.echo(f"    {one_line(hit.snippet)}")


def _marks(hit: Hit) -> list[str]:
    marks = {
        "pinned": hit.pinned,
        "expired": hit.expired,
        "file missing": hit.file_missing,
        "superseded": hit.superseded,
    }
    found = [name for name, holds in marks.items() if holds]
    if hit.window:
        found.append(" ".join(f"{name.removeprefix('valid_')} {t}" for name, t in hit.window.facts().items()))
    return found


def _where(found: QueryResult) -> str:
    if found.as_of:
        return f"{found.resolved} as of {format_time(found.as_of)}"
    if found.resolved:
        return str(found.resolved)
    return "any project" if found.scopes is None else ", ".join(scope_names(found.scopes))


def _hit_json(hit: Hit, wiki: Path) -> dict[str, object]:
    return (
        {
            "workspace": hit.scope.workspace,
            "project": hit.scope.project,
            "path": hit.path,
            "title": hit.title,
            "kind": hit.kind,
            "snippet": hit.snippet,
            "score": hit.score,
            "pinned": hit.pinned,
            "expired": hit.expired,
            "file_missing": hit.file_missing,
            "superseded": hit.superseded,
            "file": str(wiki / str(hit.scope) / hit.path),
        }
        | (hit.window.facts() if hit.window else {})
        | ({"why": hit.details.facts()} if hit.details else {})
    )


def _raw_json(hit: RawHit) -> dict[str, object]:
    return {
        "workspace": hit.scope.workspace,
        "project": hit.scope.project,
        "id": hit.id,
        "session_id": hit.session_id,
        "kind": hit.kind,
        "title": hit.title,
        "snippet": hit.snippet,
        "created_at": format_time(hit.created_at),
    }


def _zero_json(zero: ZeroHits, streams: Sequence[str]) -> dict[str, object]:
    return {
        "words": list(zero.words),
        "streams": list(streams),
        "expired": zero.expired,
        "unquoted": zero.unquoted,
        "elsewhere": [
            {"workspace": scope.workspace, "project": scope.project, "pages": count}
            for scope, count in zero.elsewhere
        ],
    }


def _recent_json(page: RecentPage) -> dict[str, object]:
    return {
        "workspace": page.scope.workspace,
        "project": page.scope.project,
        "path": page.path,
        "title": page.title,
        "kind": page.kind,
        "summary": page.summary,
        "changed": format_time(page.updated),
        "file": str(page.file),
    }
