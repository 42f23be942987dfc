"""Checks of the clients on this machine: whether they know our server and hooks, each once, and where."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from memory_mcp.clients.client import Client
from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.entry import DATA_DIR_VARIABLE, ServerEntry
from memory_mcp.clients.hook_command import hook_words
from memory_mcp.clients.hook_groups import our_hooks
from memory_mcp.clients.installation import Target
from memory_mcp.clients.installed import installed_server
from memory_mcp.doctor.finding import Finding, our_command


def check_clients(data_dir: Path, environ: Mapping[str, str], home: Path, folder: Path) -> Iterator[Finding]:
    """What is wrong with the files of the clients that know anything of the memory."""
    user = Target(environ, home)
    for client in CLIENTS.values():
        entry = installed_server(client, _read(user.file(client.servers.place)))
        hooks = _our_hooks(user.file(client.hooks.place)) if client.hooks else []
        if entry is not None or hooks:
            yield from _server(client, entry, data_dir)
            yield from _hooks(client, hooks, data_dir, user, Target(environ, home, folder))


def _server(client: Client, entry: ServerEntry | None, data_dir: Path) -> Iterator[Finding]:
    mend = our_command(data_dir, "install-mcp", "--client", client.name, "--apply")
    if entry is None:
        yield Finding("no-entry", f"{client.title} does not know the memory", mend)
    elif not _runs(entry.command):
        yield Finding("dead-entry", f"{client.title} starts {entry.command}, which is not there", mend)
    elif not _same(entry, data_dir):
        where = entry.env.get(DATA_DIR_VARIABLE, "the default folder")
        yield Finding("other-store", f"{client.title} uses another memory: {where}", mend)


def _hooks(
    client: Client, hooks: list[tuple[str, str]], data_dir: Path, user: Target, project: Target
) -> Iterator[Finding]:
    if client.hooks is None:
        return
    mend = our_command(data_dir, "install-hooks", "--client", client.name, "--apply")
    if not hooks:
        yield Finding("no-hooks", f"{client.title} records nothing: it has no hooks of ours", mend)
        return
    file = user.file(client.hooks.place)
    if len({event for event, _ in hooks}) < len(hooks):
        yield Finding("hooks-twice", f"{file} holds a hook of ours twice, so events count twice", mend)
    for _, command in hooks:
        words = hook_words(command)
        start = command.split(" hook ")[0].split(" -")[0].strip("'\"")
        if not _runs(start):
            yield Finding("dead-hooks", f"{client.title} runs {start}, which is not there", mend)
            break
        if "--data-dir" in words and Path(words[words.index("--data-dir") + 1]) != data_dir:
            yield Finding("hooks-elsewhere", f"the hooks of {client.title} record into another store", mend)
            break
    here = project.file(client.hooks.place)
    if here != file and _our_hooks(here):
        text = f"{client.title} has our hooks for you and for {project.project} too, so events count twice"
        remove = our_command(data_dir, "uninstall", "--client", client.name, "--for-project", "--apply")
        yield Finding("hooks-twice", text, remove)


def _our_hooks(file: Path | None) -> list[tuple[str, str]]:
    text = _read(file)
    try:
        return our_hooks(text) if text.strip() else []
    except (ValueError, RecursionError):
        return []


def _same(entry: ServerEntry, data_dir: Path) -> bool:
    named = entry.env.get(DATA_DIR_VARIABLE, "")
    if "--data-dir" in entry.args:
        named = entry.args[entry.args.index("--data-dir") + 1]
    return not named or Path(named) == data_dir


def _runs(command: str) -> bool:
    return shutil.which(command) is not None


def _read(file: Path | None) -> str:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace") if file else ""
    except OSError:
        return ""
