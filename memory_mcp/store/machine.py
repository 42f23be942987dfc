"""Which machine writes: a name without meaning, by which merged records tell two writers apart."""

from __future__ import annotations

import os
import re
from pathlib import Path

from memory_mcp.store.files import disk_errors, write_atomically

MACHINE_NAME = "machine"
_MACHINE = re.compile(r"[0-9a-f]{12}\n?\Z")


def machine_id(state: Path) -> str:
    """The 12 random hex digits in the file `state/machine`, which is made at first use.

    A file that was lost or damaged is made anew: another machine, then. The writer lock must be held.

    Raises:
        Unavailable: the file cannot be read or written.
    """
    file = state / MACHINE_NAME
    with disk_errors(file, "read"):
        try:
            found = file.read_bytes().decode("ascii", "replace")
        except FileNotFoundError:
            found = ""
    if _MACHINE.match(found):
        return found.strip()
    made = os.urandom(6).hex()
    write_atomically(file, f"{made}\n".encode(), 0o600)
    return made
