"""`quickstart`: the whole product once, in a folder of its own, through the real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.install import apply_command
from memory_mcp.cli.open_app import read_settings
from memory_mcp.errors import Unavailable

if TYPE_CHECKING:
    from mcp import Client

    from memory_mcp.clients.entry import ServerEntry

# ruff: noqa: PLC0415 - the SDK and the clients are needed only while the command runs

SCOPE = {"workspace": "quickstart", "project": "importer"}
DECISION = "decisions/job-queue.md"
GOTCHA = "gotchas/database-is-locked.md"
PAGES = {
    DECISION: (
        "# The importer keeps its job queue in SQLite\n\n"
        "Redis was one more service to run for three jobs a minute. SQLite in WAL mode is enough; two\n"
        "workers may still meet, see [[gotchas/database-is-locked]].\n"
    ),
    GOTCHA: (
        "# 'database is locked' while two workers start\n\n"
        "Set busy_timeout to 5000 ms on every connection, before the first statement.\n"
    ),
}
QUESTION = "why do we not use redis for the queue?"
PROFILE = "Ana Pérez runs the importer, alone. Answer in short sentences."
PROMPT = "Make the importer try again when the database is locked, with a longer pause each time"
TASK = {"title": "Try the importer with two workers", "list_name": "this week"}


@click.command("quickstart", short_help="See it work, in a folder of its own.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="Keep the store here, not in /tmp.")
def quickstart_command(folder: Path | None) -> None:
    """Start the real server twice, as two clients would; show what the second knows, as files and in git.

    Your own memory is not touched.
    """
    import anyio

    from memory_mcp.clients.entry import server_entry

    settings = read_settings()
    root = folder.absolute() if folder else Path(tempfile.mkdtemp(prefix="memory-mcp-quickstart-"))
    anyio.run(_talk, server_entry(root), "claude-code", _first_session)
    with tempfile.TemporaryDirectory(prefix="memory-mcp-project-") as project:
        _hand_over(root, Path(project))
    anyio.run(_talk, server_entry(root), "codex", _second_session)
    wiki = root / "wiki"
    _title("The same pages without any tool: files in git")
    page = "/".join((*SCOPE.values(), DECISION))
    _run("cat", str(wiki / page))
    _run("git", "-C", str(wiki), "log", "--oneline", "-5")
    _run("cat", str(wiki / "_callers" / "default" / "memory" / "USER.md"))
    _run("grep", "-rn", "busy_timeout", str(wiki))
    _title("Give your own agents a memory: add this to their configuration")
    _print_entries(server_entry(settings.data_dir))
    click.echo(f"\nThe store of this tour is {root}; delete the folder when you have seen enough.")


async def _talk(entry: ServerEntry, name: str, session: Callable[[Client], Awaitable[None]]) -> None:
    """One session of the client that is called `name`."""
    from mcp import Client, StdioServerParameters
    from mcp.types import Implementation

    _title(f"A client, {name}, starts the server and talks MCP to it over stdio")
    _command(entry.command, *entry.args)
    server = StdioServerParameters(
        command=entry.command, args=list(entry.args), env={**os.environ, **entry.env}
    )
    async with Client(server, client_info=Implementation(name=name, version="1")) as client:
        tools = (await client.list_tools()).tools
        click.echo(f"connected; it offers {', '.join(tool.name for tool in tools)}")
        await session(client)


async def _first_session(client: Client) -> None:
    """An agent learns something about the project, and about the person it works for."""
    _title("The agent writes down what was learned: two pages, the first links to the second")
    for path, body in PAGES.items():
        await _call(client, "memory_write_page", path=path, body=body, **SCOPE)
    _title("And what holds in every project: who it works for, and what is still to be done")
    await _call(client, "memory_write", target="user", section="Profile", content=PROFILE)
    await _call(client, "task_add", **TASK)


def _hand_over(root: Path, project: Path) -> None:
    """The hooks of two clients, run as the clients run them: the second starts with what the first left."""
    marker = "".join(f'{name} = "{value}"\n' for name, value in SCOPE.items())
    (project / ".memory-mcp.toml").write_text(marker, encoding="utf-8")
    _title("Its hooks record what happens, and it is closed in the middle")
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    for event, fields in (
        ("session-start", {"source": "startup"}),
        ("user-prompt", {"prompt": PROMPT}),
        ("stop", {}),
        ("session-end", {"reason": "other"}),
    ):
        _hook(root, project, "claude-code", event, {"session_id": one, **fields})
    _title("Another client opens in the same folder; its hook answers with what was left")
    told = _hook(root, project, "codex", "session-start", {"session_id": two, "source": "startup"})
    answer = json.loads(told or "{}").get("hookSpecificOutput", {})
    click.echo("".join(f"  {line}\n" for line in answer.get("additionalContext", "").splitlines()))


def _hook(root: Path, project: Path, agent: str, event: str, fields: Mapping[str, str]) -> str:
    from memory_mcp.clients.entry import program

    words = [*program(), "hook", "--event", event, "--agent", agent, "--data-dir", str(root)]
    _command("memory-mcp", *words[len(program()) :])
    payload = json.dumps({"cwd": str(project), **fields}).encode()
    done = subprocess.run(words, input=payload, capture_output=True, cwd=project, check=True)
    return done.stdout.decode()


async def _second_session(client: Client) -> None:
    """Another agent goes on, and knows it."""
    _title("Next week another agent starts. It is told at once")
    click.echo("".join(f"  {line}\n" for line in (client.instructions or "").splitlines()[-2:]))
    _title("It asks, reads the page, sees the link and follows it")
    await _call(client, "memory_query", query=QUESTION, **SCOPE)
    await _call(client, "memory_read_page", path=DECISION, **SCOPE)
    await _call(client, "memory_read_page", path=GOTCHA, **SCOPE)


async def _call(client: Client, tool: str, **arguments: str) -> None:
    names = {name: value for name, value in arguments.items() if name not in SCOPE}
    shown = ", ".join(f"{name}={value.splitlines()[0]!r}" for name, value in names.items())
    click.secho(f"> {tool}({shown})", bold=True)
    result = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content if part.type == "text")
    if result.is_error:
        raise Unavailable(f"the server answered {tool} with an error: {text}")
    click.echo("".join(f"  {line}\n" for line in text.splitlines()))


def _print_entries(entry: ServerEntry) -> None:
    from memory_mcp.clients.client_list import CLIENTS

    for client in CLIENTS.values():
        click.secho(f"{client.title}:", bold=True)
        click.echo(client.servers.add("", entry))
        words = ("install-mcp", "install-hooks") if client.hooks else ("install-mcp",)
        commands = "\n".join(apply_command(each, client.name) for each in words)
        recording = ", and lets sessions be recorded and handed over" if client.hooks else ""
        click.echo(f"This puts it there{recording}:\n{commands}\n")


def _title(text: str) -> None:
    click.secho(f"\n== {text} ==\n", fg="cyan", bold=True)


def _command(*words: str) -> None:
    import shlex

    click.secho(f"$ {shlex.join(words)}", bold=True)


def _run(*words: str) -> None:
    """Show a command and what it prints, on machines that have it."""
    if shutil.which(words[0]):
        _command(*words)
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        click.echo(done.stdout.decode("utf-8", "replace"))
