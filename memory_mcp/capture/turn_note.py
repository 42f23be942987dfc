"""What a hook must know of a person's turn without reading tasks: whether its file confirms anything.

`callers.tasks.turn_file` writes these files; a test holds the two together.
"""

from __future__ import annotations

import json

MAX_TURN_BYTES = 4_096
TURN_FOLDER = "state/turns"
"""Below the data dir."""


def confirms_something(data_dir: str, file_name: str) -> bool:
    """Whether the turn of this session, in the file of that name, confirms that a task be dismissed."""
    try:
        with open(f"{data_dir}/{TURN_FOLDER}/{file_name}", "rb") as file:
            found = json.loads(file.read(MAX_TURN_BYTES))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("codes"))
