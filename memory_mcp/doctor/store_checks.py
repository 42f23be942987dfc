"""Checks of the data dir: its modes, its settings, its repository, its lock, its index."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.capture.toml_file import BadToml, read_toml_file
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.errors import InvalidInput
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.data_dir import DataDir
from memory_mcp.wiki.marker import MARKER_NAME, read_marker

LOCK_SECONDS = 60
"""No operation holds the lock for so long but the import of a large folder."""
MAX_CONFIG_BYTES = 1_000_000


def check_store(data_dir: DataDir, folder: Path) -> Iterator[Finding]:
    """What is wrong with the data dir, or with the marker of `folder`."""
    if not data_dir.root.is_dir():
        return
    yield from _modes(data_dir.root)
    yield from _settings(data_dir)
    yield from _repository(data_dir)
    yield from _lock(data_dir)
    yield from _index(data_dir)
    yield from _marker(folder)


def _modes(root: Path) -> Iterator[Finding]:
    if os.name != "nt" and root.stat().st_mode & 0o077:
        text = f"others on this machine can look into {root}"
        yield Finding("open-data-dir", text, ("chmod", "700", str(root)))


def _settings(data_dir: DataDir) -> Iterator[Finding]:
    file = data_dir.config_file
    try:
        read_toml_file(str(file), MAX_CONFIG_BYTES)
    except BadToml as error:
        text = f"the settings cannot be read, so hooks record nothing: {one_line(str(error), 200)}"
        yield Finding("broken-config", text, ("mv", str(file), f"{file}.broken"))


def _repository(data_dir: DataDir) -> Iterator[Finding]:
    if data_dir.wiki.is_dir() and not (data_dir.wiki / ".git").exists():
        text = f"{data_dir.wiki} is no git repository, so nothing can be written"
        yield Finding("no-repository", text, our_command(data_dir.root, "init"))
    elif (data_dir.state / "journal.json").exists() and not _holder(data_dir):
        text = "a change was interrupted and waits to be finished"
        yield Finding("interrupted-change", text, our_command(data_dir.root, "init"))


def _lock(data_dir: DataDir) -> Iterator[Finding]:
    held = _holder(data_dir)
    if held and time.time() - held[1] > LOCK_SECONDS:
        text = f"process {held[0]} holds the writer lock for {int(time.time() - held[1])} s: nobody can write"
        yield Finding("lock-held", text, ("kill", str(held[0])))


def _holder(data_dir: DataDir) -> tuple[int, float] | None:
    """The process that holds the writer lock right now, and since when; None while it is free."""
    import portalocker  # noqa: PLC0415 - only doctor asks

    try:
        with open(data_dir.locks / "writer.lock", "a+b") as file:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        return None
    except portalocker.LockException:
        pass
    except OSError:
        return None
    try:
        found = json.loads((data_dir.locks / "writer.json").read_bytes())
        return int(found["pid"]), float(found["since"])
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


def _marker(folder: Path) -> Iterator[Finding]:
    for each in (folder, *folder.parents):
        try:
            if read_marker(each) is not None:
                return
        except InvalidInput as error:
            file = each / MARKER_NAME
            text = f"a marker cannot be read, so nothing is recorded here: {one_line(str(error), 200)}"
            yield Finding("broken-marker", text, ("mv", str(file), f"{file}.broken"))
            return
