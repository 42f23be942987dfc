"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])

_DATA_DIR_KEY = "memory_mcp.data_dir"
MAX_LIMIT = 100


def _remember_data_dir(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.meta[_DATA_DIR_KEY] = value


def given_data_dir(ctx: click.Context) -> str | None:
    """What `--data-dir` said, None when it was not given."""
    given: str | None = ctx.meta.get(_DATA_DIR_KEY)
    return given


DATA_DIR = click.Option(
    ["--data-dir"],
    metavar="FOLDER",
    expose_value=False,
    callback=_remember_data_dir,
    help="Where the memory lies; else MEMORY_MCP_DATA_DIR, else the user's data folder.",
)


def scope_options(command: F) -> F:
    """`--workspace` and `--project`, which override the scope of the current folder."""
    project = click.option("--project", default="", metavar="NAME", help="The project.")
    workspace = click.option(
        "--workspace", default="", metavar="NAME", help="The workspace; goes with --project."
    )
    return workspace(project(command))


def limit_option(default: int) -> Callable[[F], F]:
    """`--limit` with the bounds that every list has."""
    return click.option(
        "--limit",
        "-n",
        type=click.IntRange(1, MAX_LIMIT),
        default=default,
        show_default=True,
        help="How many at most.",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
