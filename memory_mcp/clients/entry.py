"""What a client needs to know to start the server: a command and its arguments, nothing else.

Clients start servers in the user's project with an environment of their own choosing (Codex passes only a
handful of variables), so the entry is absolute and carries the data dir.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

NAME = "memory-mcp"
"""The server's name in every client's configuration."""
DATA_DIR_VARIABLE = "MEMORY_MCP_DATA_DIR"
"""In the entry itself, since Codex gives a server a handful of variables and none of ours."""


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """How to start the server."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


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


def server_entry(data_dir: Path, caller: str | None = None) -> ServerEntry:
    """The entry of this installation; `caller` is None where the server finds it by itself."""
    command, *switches = program()
    options = ("--caller", caller) if caller is not None else ()
    return ServerEntry(command, (*switches, "serve", *options), {DATA_DIR_VARIABLE: str(data_dir)})


def is_our_server(words: Sequence[object]) -> bool:
    """Whether a command with its arguments starts our server, of any version and place."""
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) != len(words) or "serve" not in texts:
        return False
    before = texts[: texts.index("serve")]
    return bool(before) and (is_our_program(before[-1]) or before[-2:] == ["-m", "memory_mcp"])


def entry_words(command: object, arguments: object) -> list[object]:
    """The words that an entry of a client's file starts, whatever stands where its arguments belong."""
    return [command, *(arguments if isinstance(arguments, list) else ())]


def is_our_program(path: str) -> bool:
    """Whether the path is that of our command."""
    return path.replace("\\", "/").rpartition("/")[2] in ("memory-mcp", "memory-mcp.exe")
