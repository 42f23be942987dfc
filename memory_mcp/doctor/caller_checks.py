"""Checks whether two people write the memory of one caller."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.clients.hook_command import hook_words
from memory_mcp.doctor.client_checks import Installed
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.errors import Unavailable
from memory_mcp.model.caller import DEFAULT_CALLER, caller_scope
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.safe_name import safe_folder_name
from memory_mcp.store.data_dir import DataDir
from memory_mcp.store.git_folder import is_repository
from memory_mcp.store.wiki_repos import WikiRepos

MAX_COMMITS = 1000


def check_callers(data_dir: DataDir, installed: list[Installed]) -> Iterator[Finding]:
    """Clients that work for a caller to whose files several people have committed."""
    known: dict[str, list[str]] = {}
    for each in installed:
        for command, caller in _callers(each):
            if caller not in known:
                known[caller] = _people(data_dir.wiki, caller)
            name = _own_name(data_dir.wiki)
            if len(known[caller]) > 1 and name != caller:
                text = (
                    f"{each.client.title} works for {one_line(caller, 60)!r}, the caller of several people "
                    f"({one_line(' and '.join(known[caller][:3]), 200)}): let each have a name of their own"
                )
                words = (command, "--client", each.client.name, *each.level, "--caller", name, "--apply")
                yield Finding("shared-caller", text, our_command(data_dir.root, *words))


def _callers(here: Installed) -> Iterator[tuple[str, str]]:
    """For whom a client works, with the command that says so."""
    if here.entry is not None:
        yield "install-mcp", _caller(here.entry.args)
    if here.hooks:
        yield "install-hooks", _caller(hook_words(here.hooks[0][1]))


def _caller(words: tuple[str, ...] | list[str]) -> str:
    return words[words.index("--caller") + 1] if "--caller" in words[:-1] else DEFAULT_CALLER


def _people(wiki: Path, caller: str) -> list[str]:
    """Who committed the caller's files by hand, the latest first; an equal name or address is one person."""
    if not is_repository(wiki):
        return []
    folder = str(caller_scope(caller))
    repo, inside = WikiRepos(wiki, light=True).repo_of(f"{folder}/x")
    where = inside.rpartition("/")[0] or "."
    try:
        rows = repo.run("log", "-n", str(MAX_COMMITS), "--format=%an%x09%ae", "--", where)
    except Unavailable:
        return []  # no commit yet
    people: dict[str, str] = {}
    seen: set[str] = set()
    for row in rows.decode("utf-8", "replace").split("\n"):
        name, _, address = row.partition("\t")
        if not address or address.endswith("@memory-mcp.invalid"):
            continue  # a client
        if not {name.lower(), address.lower()} & seen:
            people[address] = f"{name} <{address}>"
        seen |= {name.lower(), address.lower()}
    return list(people.values())


def _own_name(wiki: Path) -> str:
    """A name for this person as a caller: what stands before the @ of the address that git knows."""
    address = ""
    if is_repository(wiki):
        repo, _ = WikiRepos(wiki, light=True).repo_of("x")
        try:
            address = repo.run("config", "--get", "user.email", user_config=True).decode("utf-8", "replace")
        except Unavailable:
            pass  # git knows none
    return safe_folder_name((address.partition("@")[0].strip() or getpass.getuser()).lower())
