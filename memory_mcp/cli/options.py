"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])

MAX_LIMIT = 100


def _remember(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.meta[f"memory_mcp.{option.name}"] = value


def _given(ctx: click.Context, name: str) -> str | None:
    given: str | None = ctx.meta.get(f"memory_mcp.{name}")
    return given


def given_data_dir(ctx: click.Context) -> str | None:
    """What `--data-dir` said, None when it was not given."""
    return _given(ctx, "data_dir")


def given_caller(ctx: click.Context) -> str | None:
    """What `--caller` said, None when it was not given."""
    return _given(ctx, "caller")


COMMON_OPTIONS = (
    click.Option(
        ["--data-dir"],
        metavar="FOLDER",
        expose_value=False,
        callback=_remember,
        help="Where the memory lies; else MEMORY_MCP_DATA_DIR, else the user's data folder.",
    ),
    click.Option(
        ["--caller"],
        metavar="NAME",
        expose_value=False,
        callback=_remember,
        help="Whose profile, notes, skills and tasks; else MEMORY_MCP_CALLER, else default.",
    ),
)
"""What every command takes, before its name or after it."""


def with_common_options(command: click.Command) -> click.Command:
    """The command, and every command below it, with the options that all take."""
    if COMMON_OPTIONS[0] not in command.params:
        command.params.extend(COMMON_OPTIONS)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            with_common_options(each)
    return command


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
