"""`install-mcp`, `install-hooks`, `uninstall`: telling a client how to reach the memory, and untelling it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from memory_mcp.cli.open_app import open_app, read_settings
from memory_mcp.cli.options import given_caller, given_data_dir, json_option
from memory_mcp.cli.output import print_json
from memory_mcp.config import Settings
from memory_mcp.model.caller import DEFAULT_CALLER
from memory_mcp.model.clock import utc_now

if TYPE_CHECKING:
    from memory_mcp.clients.client import Client
    from memory_mcp.clients.installation import PlannedEdit, Target

# ruff: noqa: PLC0415 - `--help` needs no client

F = TypeVar("F", bound=Callable[..., object])

SHARED = (
    "What is recorded stays on this machine, in raw/. Pages of sessions, handoffs and the project's log are "
    "in the wiki: whoever can read the repository that you push it to can read them."
)

THIS_MACHINE = "These files name paths of this machine: keep them out of the repository."


class _ClientNames(click.ParamType[str]):
    """The name of a client; the list of them is imported when one is given."""

    name = "client"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from memory_mcp.clients.client_list import CLIENTS

        if value not in CLIENTS:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, CLIENTS))}.", param, ctx)
        return value


def client_options(command: F) -> F:
    """`--client`, `--for-project` and `--apply`."""
    client = click.option("--client", "name", type=_ClientNames(), required=True, help="Such as codex.")
    project = click.option(
        "--for-project", is_flag=True, help="For the folder you are in alone, not for all you do."
    )
    apply = click.option("--apply", is_flag=True, help="Edit the files; a copy of each stays beside it.")
    return client(project(apply(command)))


@click.command("install-mcp", short_help="Add the server to a client's configuration.")
@client_options
@json_option
def install_mcp_command(name: str, for_project: bool, apply: bool, as_json: bool) -> None:
    """Show the entry for a client; with --apply put it into the client's own files.

    Everything else in them stays as it is, and a second run changes nothing. The tools that only read or add
    need no question afterwards.
    """
    from memory_mcp.clients.entry import NAME, server_entry
    from memory_mcp.clients.installation import plan_servers

    settings = read_settings()
    client, target = _client(name, settings, for_project=for_project)
    entry = server_entry(settings.data_dir, _caller(settings))
    plan = plan_servers(client, entry, target)
    facts: dict[str, object] = {"server": NAME, "command": entry.command, "args": list(entry.args)}
    _carry_out(client, plan, facts, apply=apply, as_json=as_json)
    if apply and not as_json:
        click.echo(f"The next session of {client.title} has the memory.")
        _say(*_project_notes(client, for_project=for_project))


@click.command("install-hooks", short_help="Let a client record its sessions.")
@client_options
@click.option("--recall/--no-recall", default=None, help="Add passages that matter to what you write.")
@click.option("--capture-prompts/--no-capture-prompts", default=None, help="Record what you write.")
@click.option(
    "--capture-assistant/--no-capture-assistant",
    default=None,
    help="Pass on the end of each answer; recorded if [capture] assistant says so too.",
)
@json_option
def install_hooks_command(
    name: str,
    for_project: bool,
    apply: bool,
    recall: bool | None,
    capture_prompts: bool | None,
    capture_assistant: bool | None,
    as_json: bool,
) -> None:
    """Show the hooks for a client; with --apply put them into the client's own file.

    A later run without options keeps those of the earlier one.
    """
    from memory_mcp.clients.hook_command import HookOptions
    from memory_mcp.clients.installation import plan_hooks
    from memory_mcp.sessions.hooks_installed import note_hooks

    settings = read_settings()
    client, target = _client(name, settings, for_project=for_project)
    options = HookOptions(
        settings.data_dir,
        _caller(settings) or "",
        recall=recall,
        capture_prompts=capture_prompts,
        capture_assistant=capture_assistant,
    )
    plan = plan_hooks(client, options, target)
    _carry_out(client, plan, {}, apply=apply, as_json=as_json)
    if apply:
        app = open_app()
        with app.lock.hold("install-hooks"):
            note_hooks(app.data_dir.state, [each.file for each in plan], app.clock())
    if apply and not as_json:
        _say(client.note, *_project_notes(client, for_project=for_project), SHARED)


@click.command("install-instructions", short_help="Tell agents when to look into the memory.")
@client_options
@click.option("--compact", is_flag=True, help="Three lines instead of a section.")
@json_option
def install_instructions_command(
    name: str, for_project: bool, apply: bool, compact: bool, as_json: bool
) -> None:
    """Show the block for CLAUDE.md or AGENTS.md; with --apply put it there, between two marker lines."""
    from memory_mcp.clients.installation import plan_instructions

    client, target = _client(name, read_settings(), for_project=for_project)
    _carry_out(client, plan_instructions(client, target, compact=compact), {}, apply=apply, as_json=as_json)


@click.command("install-skills", short_help="Copy the skills that teach agents to use the memory.")
@client_options
@json_option
def install_skills_command(name: str, for_project: bool, apply: bool, as_json: bool) -> None:
    """Show which skills a client would get; with --apply copy them. A skill that a person wrote stays."""
    from memory_mcp.clients.installation import plan_skills

    client, target = _client(name, read_settings(), for_project=for_project)
    _carry_out(client, plan_skills(client, target), {}, apply=apply, as_json=as_json)


@click.command("uninstall", short_help="Take everything of ours out of a client's configuration.")
@client_options
@json_option
def uninstall_command(name: str, for_project: bool, apply: bool, as_json: bool) -> None:
    """Show what would go; with --apply remove it. Only what is provably ours goes; the memory stays."""
    from memory_mcp.clients.installation import plan_removal

    client, target = _client(name, read_settings(), for_project=for_project)
    _carry_out(client, plan_removal(client, target), {}, apply=apply, as_json=as_json)


def apply_command(command: str, client: str, *options: str) -> str:
    """The command line that edits the client's files, as one can type it here, with `options` if any."""
    from memory_mcp.clients.entry import program

    words = program()
    if shutil.which("memory-mcp") == words[0]:
        words = ("memory-mcp",)
    return shlex.join((*words, command, "--client", client, *options, "--apply"))


def _client(name: str, settings: Settings, *, for_project: bool) -> tuple[Client, Target]:
    from memory_mcp.clients.client_list import CLIENTS
    from memory_mcp.clients.installation import Target

    return CLIENTS[name], Target(os.environ, settings.home, Path.cwd() if for_project else None)


def _carry_out(
    client: Client, plan: Sequence[PlannedEdit], facts: dict[str, object], *, apply: bool, as_json: bool
) -> None:
    """Apply the plan, or show it."""
    now = utc_now()
    if apply:
        for each in plan:
            each.check()  # one that cannot be edited leaves the others as they are
        edited = [each.apply(now) for each in plan]
        files = [
            {
                "file": str(each.file),
                "outcome": each.outcome,
                **({"backup": str(each.backup)} if each.backup else {}),
            }
            for each in edited
        ]
    else:
        shown = [(each.file, each.preview()) for each in plan]
        files = [
            {"file": str(file), "outcome": "would change" if diff else "unchanged"} for file, diff in shown
        ]
    if as_json:
        print_json({"client": client.name, **facts, "files": files})
        return
    if not plan:
        click.echo(f"{client.title} has nothing of ours there, or no file for it.")
        return
    if not apply:
        for file, diff in shown:
            click.echo(diff or f"{file} stays as it is.\n")
        command = click.get_current_context().info_name or ""
        click.echo(f"This does it:\n{apply_command(command, client.name, *_given_options())}")
        return
    for told in files:
        click.echo(f"{told['outcome']} {told['file']}")
        if "backup" in told:
            click.echo(f"what it held before: {told['backup']}")


def _project_notes(client: Client, *, for_project: bool) -> tuple[str, ...]:
    return (client.project_note, THIS_MACHINE) if for_project else ()


def _say(*texts: str) -> None:
    for text in filter(None, texts):
        click.echo(text)


def _caller(settings: Settings) -> str | None:
    return None if settings.caller == DEFAULT_CALLER else settings.caller


def _given_options() -> list[str]:
    """What this command was told by options, for the next one."""
    ctx = click.get_current_context()
    given = {"--data-dir": given_data_dir(ctx), "--caller": given_caller(ctx)}
    words = [word for name, text in given.items() if text is not None for word in (name, text)]
    for option in ctx.command.params:
        value = ctx.params.get(option.name or "")
        if isinstance(option, click.Option) and option.is_flag and option.name not in ("apply", "as_json"):
            words += option.opts[:1] if value else option.secondary_opts[:1] if value is False else []
    return words
