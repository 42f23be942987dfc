"""What commands print: JSON for programs, tables for people, plain columns for pipes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import ResolvedScope, Scope

if TYPE_CHECKING:
    from memory_mcp.callers.profile.caller_profile import WrittenProfile
    from memory_mcp.callers.topics.topic_write import WrittenTopic


REDACTED = "something that looked like a secret was replaced by [REDACTED]."


def print_json(value: Mapping[str, object]) -> None:
    """Print one object, without the keys whose value is None."""
    known = {key: each for key, each in value.items() if each is not None}
    click.echo(json.dumps(known, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of one-line cells, with a frame only where a person watches."""
    if sys.stdout.isatty():
        _print_rich_table(columns, rows)
        return
    widths = [max(len(row[at]) for row in (columns, *rows)) for at in range(len(columns))]
    for row in (columns, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def print_notes(notes: Sequence[str]) -> None:
    """Print what the reader should also know, apart from the answer."""
    for note in notes:
        click.echo(f"note: {one_line(note)}", err=True)


def print_written(written: WrittenTopic | WrittenProfile, *, as_json: bool) -> None:
    """Say what became of a write of a note, a skill or the profile."""
    if as_json:
        print_json(
            {
                "path": written.path,
                "file": str(written.file),
                "outcome": written.outcome,
                "commit": written.commit,
                "redacted": written.redacted,
                "warnings": list(written.warnings),
            }
        )
        return
    click.echo(f"{written.outcome} {written.path}")
    click.echo(written.file)
    print_notes([*written.warnings, *([REDACTED] if written.redacted else [])])


def print_scope(resolved: ResolvedScope | None) -> None:
    """Say which scope an answer is about and how it was chosen, apart from the answer."""
    if resolved is not None:
        click.secho(f"in {one_line(str(resolved))}", err=True, dim=True)


def scope_json(resolved: ResolvedScope | None) -> dict[str, str] | None:
    """A scope and how it was chosen."""
    if resolved is None:
        return None
    scope = resolved.scope
    return {
        "workspace": scope.workspace,
        "project": scope.project,
        "source": resolved.source,
        "detail": resolved.detail,
    }


def scope_names(scopes: Sequence[Scope]) -> list[str]:
    """Scopes as `workspace/project`."""
    return [str(scope) for scope in scopes]


def _print_rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - only terminals need it
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)
