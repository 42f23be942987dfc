"""Which passages a session has been shown: one small file a session, in `state/recall/`.

It holds hashes alone. It is replaced as a whole, without the lock; a session has one prompt at a time.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from memory_mcp.model.safe_name import safe_folder_name
from memory_mcp.store.files import make_folders, remove_older, write_atomically

FOLDER = "recall"
MAX_SHOWN = 1_000
FORGOTTEN_AFTER = 30 * 86_400.0
"""Seconds after which a session of which nothing was heard is over."""


def passage_hash(wiki_path: str, text: str) -> str:
    """What a passage of a page is remembered by; another text is another passage."""
    return hashlib.sha256(f"{wiki_path}\n{text}".encode("utf-8", "replace")).hexdigest()[:16]


class ShownPassages:
    """What was shown, in the folder `state`."""

    def __init__(self, state: Path) -> None:
        self._folder = state / FOLDER

    def read(self, session: str) -> tuple[str, ...]:
        """The hashes of what this session was shown, the oldest first; a damaged file counts as nothing."""
        try:
            found = json.loads(self._file(session).read_bytes())
            return tuple(each for each in found["shown"] if isinstance(each, str))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()

    def add(self, session: str, hashes: list[str]) -> None:
        """Remember that this session was shown these too.

        Raises:
            Unavailable: the disk refuses.
        """
        file = self._file(session)
        if not file.exists():
            remove_older(self._folder, time.time() - FORGOTTEN_AFTER)
        known = [*self.read(session), *hashes][-MAX_SHOWN:]
        make_folders(self._folder, 0o700)
        write_atomically(file, json.dumps({"v": 1, "shown": known}).encode() + b"\n", 0o600)

    def _file(self, session: str) -> Path:
        return self._folder / f"{safe_folder_name(session)}.json"
