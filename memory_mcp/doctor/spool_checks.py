"""Checks of what hooks recorded: whether it is taken in, and whether anything is recorded here at all."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.capture.spool import DEAD, Spool
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.doctor.store_checks import is_closed, opening_command
from memory_mcp.sessions.capture_off import which_is_off
from memory_mcp.store.data_dir import DataDir

WAITING_SECONDS = 600
"""A server folds within seconds, and the next start or end of a session does."""


def check_spool(data_dir: DataDir, folder: Path) -> Iterator[Finding]:
    """What is wrong with the spool, or keeps `folder` from being recorded."""
    if data_dir.spool.exists() and not data_dir.spool.is_dir():
        text = f"{data_dir.spool} is no folder, so hooks record nothing"
        yield Finding("no-spool", text, ("mv", str(data_dir.spool), f"{data_dir.spool}.broken"))
    elif os.name != "nt" and data_dir.spool.is_dir() and is_closed(data_dir.spool):
        text = f"{data_dir.spool} cannot be written, so hooks record nothing"
        yield Finding("closed-spool", text, opening_command(data_dir.spool))
    spool = Spool(str(data_dir.spool))
    names = spool.names()
    if names and time.time() - spool.created(names[0]) / 1000 > WAITING_SECONDS:
        text = f"{len(names)} recorded events wait, and nobody takes them in"
        yield Finding("spool-waits", text, our_command(data_dir.root, "fold"))
    dead = data_dir.spool / DEAD
    count = sum(1 for _ in dead.glob("*.json")) if dead.is_dir() else 0
    if count:
        text = f"{count} recorded events could not be read and were put aside in {dead}"
        yield Finding("spool-dead", text, ("rm", "-r", str(dead)))
    off = which_is_off(data_dir.state, folder)
    if off:
        text = f"recording was turned off for {off}"
        yield Finding("capture-off", text, our_command(data_dir.root, "capture", "on", off))
