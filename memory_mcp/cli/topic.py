"""What `note` and `skill` have in common: writing, reading and keeping topics in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json, print_notes, print_table, print_written
from memory_mcp.cli.text_input import read_input
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.callers.topics.topic_scan import TopicFacts

_ACTIONS = {
    "touch": ("touch", "Say that it still holds."),
    "archive": ("archive", "Take it out of the index until it is written again."),
    "permanent": ("mark_permanent", "Say that it never gets old."),
    "prune": ("prune", "Take the entry of a missing file out of the index."),
}
"""Command to the action of the service, and what it is for."""


def topic_group(kind: TopicKind, short_help: str) -> click.Group:
    """The command group of a kind of topics."""
    group = click.Group(kind.name, short_help=short_help, help=short_help)
    group.add_command(_write_command(kind))
    group.add_command(_list_command(kind))
    group.add_command(_read_command(kind))
    for name, (action, what) in _ACTIONS.items():
        group.add_command(_action_command(kind, name, action, what))
    return group


def _write_command(kind: TopicKind) -> click.Command:
    @click.command("write", short_help=f"Create a {kind.name} or replace its text.")
    @click.argument("name", metavar=kind.argument.upper())
    @click.option(
        "--file",
        "source",
        type=click.Path(path_type=Path),
        help="Take the text from this file, not from stdin.",
    )
    @click.option("--hook", default="", metavar="TEXT", help="The line of the index: when to open it.")
    @click.option("--rotate", is_flag=True, help="Keep the former text in the archive of the file.")
    @json_option
    def write(name: str, source: Path | None, hook: str, rotate: bool, as_json: bool) -> None:
        """Let the text of --file or of standard input be what is known now."""
        mode = "rotate_actuel" if rotate else "replace"
        text = read_input(source, kind.name)
        written = open_app().caller.topic_writer.write(kind, name, text, ACTOR, hook=hook, mode=mode)
        print_written(written, as_json=as_json)

    return write


def _list_command(kind: TopicKind) -> click.Command:
    @click.command("list", short_help=f"List the {kind.name}s.")
    @click.option("--archived", is_flag=True, help="Those that were archived instead.")
    @json_option
    def list_(archived: bool, as_json: bool) -> None:
        """List slug, day of the last write and hook."""
        topics = open_app().caller.topic_reader.list(kind, archived=archived)
        if as_json:
            print_json({f"{kind.name}s": [_facts_json(topic) for topic in topics]})
            return
        rows = [
            (one_line(each.slug), each.updated[:10], one_line(each.summary or each.title)) for each in topics
        ]
        if rows:
            print_table(("slug", "updated", "hook"), rows)
        else:
            click.echo(f"No {'archived ' if archived else ''}{kind.name}s.")
        print_notes([each.unreadable for each in topics if each.unreadable])

    return list_


def _read_command(kind: TopicKind) -> click.Command:
    @click.command("read", short_help=f"Print a {kind.name}.")
    @click.argument("name", metavar=f"SLUG_OR_{kind.argument.upper()}")
    @json_option
    def read(name: str, as_json: bool) -> None:
        """Print the file, byte for byte; with --json what it says."""
        view = open_app().caller.topic_reader.read(kind, name)
        if as_json:
            print_json({**_facts_json(view.facts), "file": str(view.file), "current": view.current})
        else:
            click.echo(view.data, nl=False)

    return read


def _action_command(kind: TopicKind, name: str, action: str, what: str) -> click.Command:
    @click.command(name, short_help=what, help=what)
    @click.argument("topic", metavar=f"SLUG_OR_{kind.argument.upper()}")
    @json_option
    def act(topic: str, as_json: bool) -> None:
        from memory_mcp.callers.topics.topic_read import listed_path  # noqa: PLC0415 - only for these commands

        app = open_app()
        # Of a topic whose file is gone only the entry is left; its name may be the title of another one now.
        is_gone = action == "prune"
        path = listed_path(kind, topic) if is_gone else app.caller.topic_reader.path_of(kind, topic)
        done = app.caller.topic_maintainer.maintain(action, path, ACTOR)
        if as_json:
            print_json(
                {
                    "path": done.path,
                    "file": str(done.file),
                    "changed": done.changed,
                    "commit": done.commit,
                    "warnings": list(done.warnings),
                }
            )
            return
        click.echo(f"{name}: {done.path}{'' if done.changed else ' (no change)'}")
        print_notes(done.warnings)

    return act


def _facts_json(topic: TopicFacts) -> dict[str, object]:
    known = {
        "slug": topic.slug,
        "path": topic.path,
        "title": topic.title,
        "hook": topic.summary,
        "created": topic.created,
        "updated": topic.updated,
        "archived": topic.archived,
        "permanent": topic.permanent,
        "unreadable": topic.unreadable,
    }
    return {key: value for key, value in known.items() if value != ""}
