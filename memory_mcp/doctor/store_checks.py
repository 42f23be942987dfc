"""Checks of the data dir: its modes, its format, its settings, its lock, its index."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.capture.capture_policy import INVALID, capture_policy
from memory_mcp.capture.folder_marker import MARKER_NAME, find_marker
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.errors import InvalidInput, UserError
from memory_mcp.model.caller import DEFAULT_CALLER
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.data_dir import FORMAT, DataDir, recorded_format
from memory_mcp.wiki.marker import read_marker
from memory_mcp.wiki.scope_resolve import ScopeResolver

LOCK_SECONDS = 60
"""No operation holds the lock for so long but the import of a large folder."""
_PAUSE_SECONDS = 0.2


def check_store(data_dir: DataDir, home: Path, folder: Path, broken_settings: str) -> Iterator[Finding]:
    """What is wrong with the data dir, or with the marker of `folder`.

    `broken_settings` is why `config.toml` cannot be used, "" if it can.
    """
    if not data_dir.root.is_dir():
        text = f"there is no memory in {data_dir.root} yet"
        yield Finding("no-store", text, our_command(data_dir.root, "init"))
        return
    yield from _modes(data_dir.root)
    yield from _format(data_dir)
    if broken_settings:
        text = f"the settings cannot be used, so hooks record nothing: {one_line(broken_settings, 300)}"
        file = data_dir.config_file
        yield Finding("broken-config", text, ("mv", str(file), f"{file}.broken"))
    yield from _journal(data_dir)
    yield from _lock(data_dir)
    yield from _index(data_dir)
    yield from _marker(data_dir, home, folder)


def _modes(root: Path) -> Iterator[Finding]:
    if os.name == "nt":
        return
    if root.stat().st_mode & 0o077:
        text = f"others on this machine can look into {root}"
        yield Finding("open-data-dir", text, ("chmod", "700", str(root)))
    elif is_closed(root):
        text = f"{root} cannot be written, so nothing can be recorded"
        yield Finding("closed-data-dir", text, opening_command(root))


def is_closed(folder: Path) -> bool:
    """Whether this user may not write into a folder of theirs."""
    return not os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def opening_command(folder: Path) -> tuple[str, ...]:
    """The command that lets this user write into a folder that another user made, or closed."""
    mine = folder.stat().st_uid == os.geteuid()
    words = ("chmod", "700") if mine else ("sudo", "chown", "-R", str(os.geteuid()))
    return (*words, str(folder))


def _format(data_dir: DataDir) -> Iterator[Finding]:
    file = data_dir.root / "format"
    try:
        found = recorded_format(data_dir)
    except UserError:
        text = f"{file} does not say which format the store has, so nothing can use it"
        yield Finding("broken-format", text, ("sh", "-c", f"echo {FORMAT} > {shlex.quote(str(file))}"))
        return
    if found is not None and found > FORMAT:
        text = f"a later version of memory-mcp wrote this store (format {found}; this version knows {FORMAT})"
        yield Finding(
            "later-format", text, (sys.executable, "-m", "pip", "install", "--upgrade", "memory-mcp")
        )


def _journal(data_dir: DataDir) -> Iterator[Finding]:
    names = ("journal.json", "undo.json")
    if any((data_dir.state / name).exists() for name in names) and not _holder(data_dir):
        text = "a change was interrupted and waits to be finished"
        yield Finding("interrupted-change", text, our_command(data_dir.root, "init"))


def _lock(data_dir: DataDir) -> Iterator[Finding]:
    held = _holder(data_dir)
    if not held or time.time() - held[1] <= LOCK_SECONDS:
        return
    # A process that took the lock this moment has not yet written its name over that of the last one.
    time.sleep(_PAUSE_SECONDS)
    if _holder(data_dir) == held:
        text = f"process {held[0]} holds the writer lock for {int(time.time() - held[1])} s: nobody can write"
        yield Finding("lock-held", text, ("kill", str(held[0])))


def _holder(data_dir: DataDir) -> tuple[int, float] | None:
    """The process that holds the writer lock right now, and since when; None while it is free."""
    import portalocker  # noqa: PLC0415 - only doctor asks

    try:
        with open(data_dir.locks / "writer.lock", "r+b") as file:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        return None
    except portalocker.LockException:
        pass
    except OSError:
        return None
    try:
        found = json.loads((data_dir.locks / "writer.json").read_bytes())
        holder = int(found["pid"]), float(found["since"])
        os.kill(holder[0], 0)
        return holder
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _index(data_dir: DataDir) -> Iterator[Finding]:
    pointer = data_dir.index / "current"
    try:
        name = pointer.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return  # built by the next query
    if not name or not (data_dir.index / name).is_dir():
        text = "the search index is damaged: queries read the files, which is slow"
        yield Finding("broken-index", text, our_command(data_dir.root, "reindex"))


def _marker(data_dir: DataDir, home: Path, folder: Path) -> Iterator[Finding]:
    broken = _broken_marker(data_dir, home, folder)
    if broken is not None:
        file, why = broken
        text = f"a marker cannot be used, so nothing is recorded here: {one_line(why, 300)}"
        yield Finding("broken-marker", text, ("mv", str(file), f"{file}.broken"))
        return
    found = find_marker(os.path.realpath(folder), os.path.realpath(home))
    if capture_policy(found, str(home), str(data_dir.root)).state == INVALID:
        file = Path(found.folder) / MARKER_NAME
        text = f"[capture] of {file} cannot be used, so nothing that tools touch is recorded here"
        yield Finding("broken-policy", text, ("mv", str(file), f"{file}.broken"))


def _broken_marker(data_dir: DataDir, home: Path, folder: Path) -> tuple[Path, str] | None:
    """The marker that keeps the project of `folder` from being known, and what is wrong with it."""
    try:
        ScopeResolver(data_dir.wiki, folder, home, DEFAULT_CALLER).resolve_read()
        return None
    except InvalidInput:
        pass
    for each in (folder, *folder.parents):
        try:
            read_marker(each)
        except InvalidInput as error:
            return each / MARKER_NAME, str(error)
    return None
