"""Checks of the clients on this machine: whether they know our server and hooks, each once, and where."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.client_list import CLIENTS
from memory_mcp.clients.entry import DATA_DIR_VARIABLE, ServerEntry, is_our_server, program
from memory_mcp.clients.hook_command import hook_words
from memory_mcp.clients.installation import Target
from memory_mcp.clients.installed import enabled_plugin, installed_hooks, installed_server
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.doctor.program_version import NO_VERSION, version_of
from memory_mcp.model.plain_text import one_line

FOR_PROJECT = "--for-project"


@dataclass(frozen=True, slots=True)
class Installed:
    """What a client knows of us, for its user or, where `target` says so, for one project."""

    client: Client
    target: Target
    entry: ServerEntry | None
    hooks: tuple[tuple[str, str], ...]
    plugin: str

    @property
    def level(self) -> tuple[str, ...]:
        """The options by which our commands mean the same files."""
        return (FOR_PROJECT,) if self.target.project else ()


def find_installed(environ: Mapping[str, str], home: Path, folder: Path) -> list[Installed]:
    """The clients that know anything of us; for the user first, then for `folder`."""
    targets = [Target(environ, home), *([Target(environ, home, folder)] if folder != home else [])]
    found = [_look(client, target) for client in CLIENTS.values() for target in targets]
    return [each for each in found if each.entry or each.hooks or each.plugin]


def check_clients(
    installed: list[Installed], data_dir: Path, environ: Mapping[str, str], home: Path, version: str
) -> Iterator[Finding]:
    """What is wrong with the files of the clients. `version` is that of the product which runs here."""
    if not installed:
        yield from _strangers(data_dir, Target(environ, home))
    for client in CLIENTS.values():
        places = [each for each in installed if each.client is client]
        if places:
            for each in places:
                yield from _entry(each, data_dir, version)
                yield from _hooks(each, data_dir)
            yield from _missing(places, data_dir)
            yield from _twice(places, data_dir)


def _strangers(data_dir: Path, user: Target) -> Iterator[Finding]:
    """No client knows us: name the first that this person has."""
    for client in CLIENTS.values():
        files = [user.file(part.place) for part in (client.servers, client.hooks) if part]
        if any(
            file.exists() or (file.parent != user.home and file.parent.is_dir()) for file in files if file
        ):
            text = f"no client knows the memory, not even {client.title}"
            yield Finding("no-client", text, _install(data_dir, "install-mcp", client))
            return


def _look(client: Client, target: Target) -> Installed:
    servers, settings = _text(target, client.servers.place), ""
    if client.hooks is not None:
        settings = _text(target, client.hooks.place)
    entry, hooks = installed_server(client, servers), installed_hooks(client, settings)
    return Installed(client, target, entry, tuple(hooks), enabled_plugin(settings, servers))


def _entry(here: Installed, data_dir: Path, version: str) -> Iterator[Finding]:
    entry, client = here.entry, here.client
    if entry is None:
        return
    mend = _install(data_dir, "install-mcp", client, *here.level)
    words = (entry.command, *entry.args)
    started = one_line(entry.command, 200)
    store = _named_store(entry)
    if not is_our_server(words):
        yield Finding("foreign-entry", f"what {client.title} calls memory-mcp is {started}", mend)
    elif not _runs(entry.command):
        yield Finding("dead-entry", f"{client.title} starts {started}, which is not there", mend)
    elif store and Path(store) != data_dir:
        yield Finding("other-store", f"{client.title} uses another memory: {one_line(store, 200)}", mend)
    elif not here.target.project:
        # What a repository names is not run: it may come from anybody.
        yield from _skew(client, words[: words.index("serve")], version, mend)


def _skew(client: Client, words: tuple[str, ...], version: str, mend: tuple[str, ...]) -> Iterator[Finding]:
    if words == program():
        return
    found = version_of(words)
    if found == NO_VERSION:
        text = f"{client.title} starts {shlex.join(words)}, which does not run"
        yield Finding("dead-entry", text, mend)
    elif found != version:
        text = f"{client.title} starts version {found} of memory-mcp, and this is {version}"
        yield Finding("other-version", text, mend)


def _hooks(here: Installed, data_dir: Path) -> Iterator[Finding]:
    client, target = here.client, here.target
    if client.hooks is None or not here.hooks:
        return
    mend = _install(data_dir, "install-hooks", client, *here.level)
    if len({event for event, _ in here.hooks}) < len(here.hooks):
        file = target.file(client.hooks.place)
        yield Finding("hooks-twice", f"{file} holds a hook of ours twice, so events count twice", mend)
    for _, command in here.hooks:
        start, words = shlex.split(command)[0], hook_words(command)
        if not _runs(start):
            text = f"{client.title} runs {one_line(start, 200)}, which is not there"
            yield Finding("dead-hooks", text, mend)
            return
        named = words[words.index("--data-dir") + 1 :][:1] if "--data-dir" in words else []
        if named and Path(named[0]) != data_dir:
            text = f"the hooks of {client.title} record into another store: {one_line(named[0], 200)}"
            yield Finding("hooks-elsewhere", text, mend)
            return


def _missing(places: list[Installed], data_dir: Path) -> Iterator[Finding]:
    first = places[0]
    client = first.client
    if any(each.plugin for each in places):
        return
    if not any(each.entry for each in places):
        text = f"{client.title} records, but does not know the memory's tools"
        yield Finding("no-entry", text, _install(data_dir, "install-mcp", client, *first.level))
    if client.hooks is not None and not any(each.hooks for each in places):
        text = f"{client.title} records nothing: it has no hooks of ours"
        yield Finding("no-hooks", text, _install(data_dir, "install-hooks", client, *first.level))


def _twice(places: list[Installed], data_dir: Path) -> Iterator[Finding]:
    client = places[0].client
    hooked = [each for each in places if each.hooks]
    plugin = next((each.plugin for each in places if each.plugin), "")
    if plugin:
        for each in hooked:
            text = f"{client.title} has our hooks by {one_line(plugin, 100)} and in its own file too"
            yield Finding("hooks-twice", text, _uninstall(data_dir, each))
    elif len(hooked) > 1:
        text = f"{client.title} has our hooks for you and for {hooked[1].target.project} too"
        yield Finding("hooks-twice", text, _uninstall(data_dir, hooked[1]))


def _install(data_dir: Path, command: str, client: Client, *options: str) -> tuple[str, ...]:
    return our_command(data_dir, command, "--client", client.name, *options, "--apply")


def _uninstall(data_dir: Path, here: Installed) -> tuple[str, ...]:
    return _install(data_dir, "uninstall", here.client, *here.level)


def _named_store(entry: ServerEntry) -> str:
    if "--data-dir" in entry.args[:-1]:
        return entry.args[entry.args.index("--data-dir") + 1]
    return entry.env.get(DATA_DIR_VARIABLE, "")


def _runs(command: str) -> bool:
    return shutil.which(command) is not None


def _text(target: Target, place: Place) -> str:
    return read_text(target.file(place))


def read_text(file: Path | None) -> str:
    """What a client's file holds; "" where there is none to read."""
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace") if file else ""
    except OSError:
        return ""
