"""The file of a session: `raw/<workspace>/<project>/sessions/<session id>.jsonl`.

The first line says whose session it is; then follow what happened, records that it claimed, checkpoints and
ends. It is only ever appended to, under the writer lock.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session
from memory_mcp.sessions.session_lines import extend_session, parse_session
from memory_mcp.store.files import PLAIN_FILE, disk_errors, make_folders, sync_folder

MAX_KNOWN = 4
"""As many sessions a process remembers, so that of one that grows only the new lines are read."""


class _Known(NamedTuple):
    file: tuple[int, int]
    size: int
    session: Session


class SessionFiles:
    """The session files below the folder `raw`; symbolic links in the place of one are no session."""

    def __init__(self, raw: Path) -> None:
        self.raw = raw
        self._known: OrderedDict[Path, _Known] = OrderedDict()

    def path(self, scope: Scope, session_id: str) -> Path:
        """Where the file of a session is, or would be."""
        return self.raw / self.relative_path(scope, session_id)

    def relative_path(self, scope: Scope, session_id: str) -> str:
        """The same, from `raw` on."""
        return f"{scope}/sessions/{session_id}.jsonl"

    def read(self, scope: Scope, session_id: str) -> Session | None:
        """What the session's file in this scope says; None where there is none.

        Raises:
            InvalidInput: a line was written by a newer version.
            Unavailable: the disk refuses.
        """
        path = self.path(scope, session_id)
        with disk_errors(path, "read"):
            file = _open(path)
            if file is None:
                return None
            with file:
                return self._read(path, file, scope, session_id)

    def scopes(self) -> list[Scope]:
        """The scopes in which something was recorded, sorted."""
        return sorted(
            Scope(workspace, project)
            for workspace in _folder_names(f"{self.raw}")
            for project in _folder_names(f"{self.raw}/{workspace}")
        )

    def scopes_of(self, session_id: str) -> list[Scope]:
        """The scopes in which the session has a file, the one that it was last in first."""
        found = []
        for scope in self.scopes():
            try:
                changed = os.lstat(f"{self.raw}/{self.relative_path(scope, session_id)}").st_mtime_ns
            except OSError:
                continue
            found.append((changed, scope))
        return [scope for _, scope in sorted(found, reverse=True)]

    def did_something(self, session_id: str) -> bool:
        """Whether the session of this id is substantive in any scope; raises as `read`."""
        found = (self.read(scope, session_id) for scope in self.scopes_of(session_id))
        return any(session is not None and session.is_substantive for session in found)

    def append(self, scope: Scope, session_id: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """Append lines, durably and all or none of them; the writer lock must be held.

        Raises:
            Unavailable: the disk refuses.
        """
        path = self.path(scope, session_id)
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode(
            "utf-8", "replace"
        )
        if not data:
            return
        with disk_errors(path):
            make_folders(path.parent, 0o700)
            is_new = not path.exists()
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | PLAIN_FILE, 0o600)
            with open(descriptor, "r+b", buffering=0) as file:
                _append(file, data)
            if is_new:
                sync_folder(path.parent)

    def _read(self, path: Path, file: BinaryIO, scope: Scope, session_id: str) -> Session:
        found = os.fstat(file.fileno())
        identity = (found.st_dev, found.st_ino)
        known = self._known.pop(path, None)
        if known is None or known.file != identity or known.size > found.st_size:
            known = _Known(identity, 0, parse_session(b"", scope, session_id))
        file.seek(known.size)
        data = file.read()
        whole = data.rfind(b"\n") + 1
        session = extend_session(known.session, data[:whole]) if whole else known.session
        self._known[path] = _Known(identity, known.size + whole, session)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return extend_session(session, data[whole:]) if data[whole:] else session


def _open(path: Path) -> BinaryIO | None:
    """The regular file at this path, None where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | PLAIN_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return open(descriptor, "rb")


def _append(file: Any, data: bytes) -> None:
    """Write at the end of an unbuffered file, on a line of its own; what a full disk cuts is taken back."""
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            data = b"\n" + data
    try:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(size)
        raise


def _folder_names(folder: str) -> list[str]:
    """The names of the folders in this one, links left out; none where there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
