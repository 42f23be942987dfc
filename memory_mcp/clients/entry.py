"""What a client needs to know to start the server: a command and its arguments, nothing else.

Clients start servers in the user's project with an environment of their own choosing (Codex passes only a
handful of variables), so the entry is absolute and carries the data dir where the server would not find it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

NAME = "memory-mcp"
"""The server's name in every client's configuration."""


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """How to start the server."""

    command: str
    args: tuple[str, ...]


def program() -> tuple[str, ...]:
    """The command of this very installation, whatever folder it is called in."""
    script = Path(os.path.abspath(sys.executable)).with_name(
        "memory-mcp.exe" if os.name == "nt" else "memory-mcp"
    )
    if script.is_file():
        return (str(script),)
    # Without -P the user's project would come first on the module path, and a file of it called click.py
    # would be imported instead of ours.
    safe_path = ("-P",) if sys.version_info >= (3, 11) else ()
    return (sys.executable, *safe_path, "-m", "memory_mcp")


def server_entry(data_dir: Path | None, caller: str | None = None) -> ServerEntry:
    """The entry of this installation; None where the server finds the data dir or the caller by itself."""
    command, *switches = program()
    given = {"--data-dir": data_dir, "--caller": caller}
    options = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return ServerEntry(command, (*switches, "serve", *options))
