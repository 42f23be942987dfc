"""Since when the hooks of a client record: `state/hooks-installed.json`, by the file that names them.

The installer writes it; `doctor` asks since when sessions should have been recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memory_mcp.model.clock import format_time, parse_time
from memory_mcp.store.files import write_atomically

NAME = "hooks-installed.json"


def hooks_installed(state: Path) -> dict[str, datetime]:
    """The files that hold hooks of ours, and when they were last put there; none that cannot be read."""
    try:
        found = json.loads((state / NAME).read_bytes())
        return {str(file): parse_time(at) for file, at in found["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def note_hooks(state: Path, files: Iterable[Path], at: datetime) -> None:
    """Say that the hooks in these files record from now on. The writer lock must be held."""
    since = {**hooks_installed(state), **{str(file): at for file in files}}
    text = json.dumps({"v": 1, "files": {file: format_time(when) for file, when in sorted(since.items())}})
    write_atomically(state / NAME, f"{text}\n".encode(), 0o600)
