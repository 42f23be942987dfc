"""`read-page`, `write-page` and `delete-page`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import REDACTED, print_json, print_notes, print_scope, scope_json
from memory_mcp.cli.progress import shown_progress
from memory_mcp.cli.text_input import read_input
from memory_mcp.model.page import RELATIONS, TIERS
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.files import disk_errors

if TYPE_CHECKING:
    from memory_mcp.pages.page_read import LinkedPage, PageView
    from memory_mcp.search.index.link_graph import Related


@click.command("read-page", short_help="Print a page.")
@click.argument("path", required=False, default="")
@click.option("--query", default="", metavar="TEXT", help="Read the page that matches this best.")
@scope_options
@click.option(
    "--related-depth",
    type=click.IntRange(0, 3),
    default=0,
    help="Also name the pages that many links away, at most 3.",
)
@json_option
def read_page_command(
    path: str, query: str, workspace: str, project: str, related_depth: int, as_json: bool
) -> None:
    """Print the page at PATH, byte for byte; with --json what it says and its links both ways.

    What is not the page (its scope, related pages, notes) goes to stderr.
    """
    app = open_app()
    with shown_progress() as progress:
        page = app.reader.read(
            path=path,
            query=query,
            workspace=workspace,
            project=project,
            related_depth=related_depth,
            progress=progress,
        )
    if as_json:
        print_json(_page_json(page))
        return
    print_scope(page.resolved)
    with disk_errors(page.file, "read"):
        click.echo(page.file.read_bytes(), nl=False)
    for each in page.related:
        way = f"{each.relation} {each.direction}".lstrip()
        place = each.path if each.scope == page.resolved.scope else f"{each.scope}/{each.path}"
        facts = one_line(f"{place}  {each.title} ({each.kind}, {way}, depth {each.depth})")
        click.echo(f"related: {facts}", err=True)
    print_notes([*page.problems, *page.notes])


@click.command("write-page", short_help="Create or replace a page.")
@click.argument("path")
@click.option(
    "--file", "source", type=click.Path(path_type=Path), help="Take the body from this file, not from stdin."
)
@click.option("--title", default=None, help="Else the first heading, else the file's name.")
@click.option("--kind", default="", help="Else what the folder says (decisions/ holds decisions).")
@click.option("--tier", default="", help=f"One of {', '.join(TIERS)}.")
@click.option("--tag", "tags", multiple=True, help="A tag (repeatable).")
@click.option("--pinned", is_flag=True, help="Keep it, and show it first to those who ask for pins.")
@click.option("--entity", "entities", multiple=True, help="A name the page is about (repeatable).")
@click.option("--abstract", default="", help="What the page says, in a sentence or two.")
@click.option("--expires-at", default="", metavar="TIME", help="A date, or a time in RFC 3339.")
@click.option("--causes", multiple=True, metavar="PAGE", help="A page whose subject this causes.")
@click.option("--fixes", multiple=True, metavar="PAGE", help="A page whose subject this fixes.")
@click.option("--contradicts", multiple=True, metavar="PAGE", help="A page that this contradicts.")
@click.option(
    "--if-match", default="", metavar="VERSION", help="Write only over this version (see read-page --json)."
)
@scope_options
@click.option(
    "--scope",
    "standing",
    type=click.Choice(["global"]),
    help="global: write to the standing preferences, which every project sees.",
)
@json_option
def write_page_command(
    path: str,
    source: Path | None,
    title: str | None,
    kind: str,
    tier: str,
    tags: tuple[str, ...],
    pinned: bool,
    entities: tuple[str, ...],
    abstract: str,
    expires_at: str,
    causes: tuple[str, ...],
    fixes: tuple[str, ...],
    contradicts: tuple[str, ...],
    if_match: str,
    workspace: str,
    project: str,
    standing: str | None,
    as_json: bool,
) -> None:
    """Create or replace the page at PATH with the text of --file or of standard input.

    Everything about the page is given anew: an option that is left out is not taken from the old page.
    """
    from memory_mcp.pages.page_write import PageDraft  # noqa: PLC0415 - `--help` needs no service

    app = open_app()
    relations = dict(zip(RELATIONS, (causes, fixes, contradicts), strict=True))
    draft = PageDraft(
        path=path,
        body=read_input(source, "page"),
        title=title,
        kind=kind,
        tier=tier,
        tags=tags,
        pinned=pinned,
        entities=entities,
        abstract=abstract,
        expires_at=expires_at,
        relations={name: targets for name, targets in relations.items() if targets},
    )
    written = app.writer.write(
        draft, ACTOR, workspace=workspace, project=project, standing=standing is not None, if_match=if_match
    )
    if as_json:
        print_json(
            {
                "scope": scope_json(written.resolved),
                "path": written.path,
                "file": str(written.file),
                "outcome": written.outcome,
                "version": written.version,
                "commit": written.commit,
                "redacted": written.redacted,
            }
        )
        return
    click.echo(f"{written.outcome} {written.path} in {written.resolved}")
    click.echo(written.file)
    if written.redacted:
        print_notes([REDACTED])


@click.command("delete-page", short_help="Delete a page; git keeps it.")
@click.argument("path")
@scope_options
@json_option
def delete_page_command(path: str, workspace: str, project: str, as_json: bool) -> None:
    """Delete the page at PATH; `memory-mcp restore-page PATH` brings it back."""
    deleted = open_app().deleter.delete(path, ACTOR, workspace=workspace, project=project)
    if as_json:
        print_json(
            {
                "scope": scope_json(deleted.resolved),
                "path": deleted.path,
                "deleted": deleted.deleted,
                "commit": deleted.commit,
            }
        )
    elif deleted.deleted:
        click.echo(f"deleted {deleted.path} in {deleted.resolved}")
        click.echo(f"`memory-mcp restore-page {deleted.path}` brings it back")
    else:
        click.echo(f"there is no page {deleted.path} in {deleted.resolved}; nothing was changed")


def _page_json(page: PageView) -> dict[str, object]:
    return {
        "scope": scope_json(page.resolved),
        "path": page.path,
        "file": str(page.file),
        "version": page.version,
        "title": page.title,
        "kind": page.kind,
        "tier": page.meta.tier,
        "tags": list(page.meta.tags),
        "pinned": page.meta.pinned,
        "frontmatter": dict(page.front),
        "body": page.body,
        "links": [_linked_json(link) for link in page.links],
        "backlinks": [_linked_json(link) for link in page.backlinks],
        "related": [_related_json(each) for each in page.related],
        "problems": list(page.problems),
        "notes": list(page.notes),
    }


def _related_json(page: Related) -> dict[str, object]:
    known = {
        "workspace": page.scope.workspace,
        "project": page.scope.project,
        "path": page.path,
        "title": page.title,
        "kind": page.kind,
        "depth": page.depth,
        "direction": page.direction,
    }
    return {**known, "relation": page.relation} if page.relation else known


def _linked_json(link: LinkedPage) -> dict[str, object]:
    known = {
        "workspace": link.scope.workspace,
        "project": link.scope.project,
        "path": link.path,
        "exists": link.exists,
    }
    return {**known, "relation": link.relation} if link.relation else known
