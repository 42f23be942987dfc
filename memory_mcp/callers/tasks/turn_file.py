"""What the present turn of a conversation says, for the other processes of the same session.

The host, the hook that sees a prompt, and the server are three processes. The first two write, for each
session, one small file in `state/turns/` that only its user may read; the server reads it. The text itself
is never kept, only which tasks it confirms to dismiss. The file is replaced as a whole, without the lock.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from memory_mcp.model.clock import format_milliseconds, parse_time
from memory_mcp.model.record_id import bare_code
from memory_mcp.model.safe_name import safe_folder_name
from memory_mcp.store.files import disk_errors, make_folders, remove_older, write_atomically

TURNS = "turns"
TURN_LIFETIME = timedelta(hours=1)
"""A host that never ends its turns does not leave a confirmation behind for good."""
FORGOTTEN_AFTER = timedelta(days=30)
MAX_TURN_BYTES = 4_096


class Turn(NamedTuple):
    """The present turn of a session: when it began, which codes its text confirms to dismiss.

    `checked` says that the first words of the session were compared with the tasks already.
    """

    session: str
    caller: str
    at: datetime
    codes: tuple[str, ...] = ()
    checked: bool = False

    def is_valid(self, now: datetime) -> bool:
        """Whether the turn can still be the present one."""
        return timedelta(0) <= now - self.at < TURN_LIFETIME


class TurnFiles:
    """The turns of the sessions of one caller, in the folder `state`."""

    def __init__(self, state: Path, caller: str) -> None:
        self._folder = state / TURNS
        self._caller = caller

    def read(self, session: str) -> Turn | None:
        """The turn of a session; None where there is none, or where the file is another's or damaged."""
        file = self._file(session)
        with disk_errors(file, "read"):
            try:
                with open(file, "rb") as stream:
                    data = stream.read(MAX_TURN_BYTES)
            except FileNotFoundError:
                return None
        turn = _parse(data)
        if turn is None or (turn.session, turn.caller) != (session, self._caller):
            return None
        return turn

    def begin(self, session: str, at: datetime, codes: tuple[str, ...] = ()) -> bool:
        """A turn begins that confirms these codes; whether the session's first words were compared already.

        Raises:
            Unavailable: the disk refuses; the turn before it stays.
        """
        before = self.read(session)
        checked = before is not None and before.checked
        self.write(session, at, codes, checked=checked)
        return checked

    def write(self, session: str, at: datetime, codes: tuple[str, ...], *, checked: bool) -> None:
        """Let this be the session's turn.

        Raises:
            Unavailable: the disk refuses; the turn before it stays.
        """
        file = self._file(session)
        if not file.exists():
            remove_older(self._folder, (at - FORGOTTEN_AFTER).timestamp())  # of sessions and killed writers
        with disk_errors(self._folder):
            make_folders(self._folder, 0o700)
        found = {
            "v": 1,
            "session": session,
            "caller": self._caller,
            "at": format_milliseconds(at),
            "codes": list(codes),
            "checked": checked,
        }
        write_atomically(file, json.dumps(found, ensure_ascii=False).encode() + b"\n", 0o600)

    def _file(self, session: str) -> Path:
        return self._folder / f"{safe_folder_name(session)}.json"


def _parse(data: bytes) -> Turn | None:
    try:
        found = json.loads(data)
        if found["v"] != 1 or not isinstance(found["checked"], bool):
            return None
        session, caller, at = found["session"], found["caller"], parse_time(found["at"])
        codes = tuple(code for each in found["codes"] if (code := bare_code(each)))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    return Turn(session, caller, at, codes, found["checked"])
