"""Whose memory the folder of a caller is: its name may not tell, so the exact name stands inside."""

from __future__ import annotations

import json
from pathlib import Path

from memory_mcp.errors import Conflict
from memory_mcp.model.caller import caller_scope
from memory_mcp.wiki.page_file import read_plain_file

IDENTITY = "_meta/caller.json"


def check_owner(wiki: Path, caller: str) -> None:
    """Refuse the folder of `caller` if it was made for a caller of another name; there may be none yet.

    Raises:
        Conflict: `_meta/caller.json` names another caller, or cannot be read.
        InvalidInput, Unavailable: see `read_plain_file`.
    """
    scope = caller_scope(caller)
    data = read_plain_file(wiki, scope, IDENTITY)
    if data is None:
        return
    folder = wiki / str(scope)
    try:
        owner = json.loads(data)["caller"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Conflict(f"{folder / IDENTITY} does not say whose memory this is: mend it by hand.") from None
    if owner != caller:
        raise Conflict(
            f"{folder} holds the memory of caller {owner!r:.80}, not of {caller!r:.80}: use the first name."
        )
