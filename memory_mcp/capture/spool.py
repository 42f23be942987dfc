"""The spool: one small file an event, until whoever holds the writer lock folds it into its session."""

from __future__ import annotations

import json
import os
import re
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FORMAT = 1
MAX_FILES = 10_000
MAX_ENTRY_BYTES = 262_144
"""An entry holds a title and a body of at most 16 KiB; what is larger is none of ours."""
PRUNE_EVERY = 64
"""The folder is counted by one entry in so many: listing it takes longer than writing to it."""
DEAD = "dead"
LEFTOVER_SECONDS = 3600
"""A file that is still half written after an hour has lost its writer."""

_NAME = re.compile(r"(\d{13})-([0-9a-f]{32})\.json\Z")
_LEFTOVER = r"\d{13}-[0-9a-f]{32}\.json\.tmp\Z"
_LATEST = 9_999_999_999_999


class BadEntry(Exception):
    """A file of the spool that is no entry; the text says why."""


class Spool:
    """The entries in `folder`, a path, which is made with the first of them."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def put(self, entry: Mapping[str, Any], created_ms: int) -> str:
        """Write an entry durably and return the name of its file.

        Raises:
            OSError: the disk refuses; nothing is left behind.
        """
        key = entry["key"]
        self._make()
        name = f"{min(max(created_ms, 0), _LATEST):013d}-{key}.json"
        path = f"{self.folder}/{name}"
        temporary = f"{path}.tmp"
        data = json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return name  # hooks that were installed twice: the other is about to finish the same event
        try:
            try:
                while data:
                    data = data[os.write(descriptor, data) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        self._sync()
        if int(key[:2], 16) % PRUNE_EVERY == 0:
            self._prune()
        return name

    def names(self) -> list[str]:
        """The names of the entries, oldest first; files of other names are not ours."""
        try:
            with os.scandir(self.folder) as entries:
                return sorted(entry.name for entry in entries if _NAME.match(entry.name))
        except OSError:
            return []

    def read(self, name: str) -> dict[str, Any] | None:
        """The entry of this name, None when another process took it meanwhile.

        Raises:
            BadEntry: it cannot be read as an entry.
        """
        try:
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            with open(os.open(f"{self.folder}/{name}", flags), "rb") as file:
                data = file.read(MAX_ENTRY_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadEntry(f"it cannot be read: {error.strerror}") from None
        if len(data) > MAX_ENTRY_BYTES:
            raise BadEntry(f"it is larger than {MAX_ENTRY_BYTES} bytes")
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise BadEntry("it is not JSON") from None
        if not isinstance(found, dict) or not isinstance(found.get("v"), int):
            raise BadEntry("it is no entry")
        return found

    def created(self, name: str) -> int:
        """When the entry of this name was made, in milliseconds since 1970."""
        return int(name[:13])

    def remove(self, name: str) -> None:
        """Remove an entry that is complete."""
        try:
            os.unlink(f"{self.folder}/{name}")
        except FileNotFoundError:
            pass

    def rewrite(self, name: str, entry: Mapping[str, Any]) -> None:
        """Let a file that is there say this, in the same place of the order.

        Raises:
            OSError: the disk refuses; the file is as it was.
        """
        temporary = f"{self.folder}/{name}.tmp"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            json.dump(entry, file, ensure_ascii=False)
        os.replace(temporary, f"{self.folder}/{name}")

    def bury(self, name: str) -> None:
        """Put an entry aside that can never be folded."""
        os.makedirs(f"{self.folder}/{DEAD}", 0o700, exist_ok=True)
        try:
            os.replace(f"{self.folder}/{name}", f"{self.folder}/{DEAD}/{name}")
        except FileNotFoundError:
            pass

    def _make(self) -> None:
        try:
            os.mkdir(self.folder, 0o700)
        except FileExistsError:
            pass
        except FileNotFoundError:
            parent = os.path.dirname(self.folder)
            os.makedirs(os.path.dirname(parent), exist_ok=True)
            for each in (parent, self.folder):
                try:
                    os.mkdir(each, 0o700)
                except FileExistsError:
                    pass  # another hook was faster

    def _sync(self) -> None:
        if os.name == "nt":
            return  # folders cannot be synced there
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _prune(self) -> None:
        names = self.names()
        for name in names[: max(0, len(names) - MAX_FILES)]:
            self.remove(name)
        oldest = time.time() - LEFTOVER_SECONDS
        with os.scandir(self.folder) as entries:
            left = [entry for entry in entries if re.match(_LEFTOVER, entry.name)]
        for entry in left:
            try:
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
            except FileNotFoundError:
                pass


def now_milliseconds() -> int:
    """The time of the machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def time_text(milliseconds: int) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return (
        time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000)) + f".{milliseconds % 1000:03d}Z"
    )
