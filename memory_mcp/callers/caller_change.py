"""Changing the files of one caller: one operation, one commit, and whatever file is missing with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from memory_mcp.callers.caller_folder import (
    LOG,
    NOTE_INDEX,
    PROFILE,
    SKILL_INDEX,
    CallerFolder,
    decode,
)
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.store.wiki_change import Change, WikiChanges
from memory_mcp.wiki.caller_owner import IDENTITY
from memory_mcp.wiki.page_file import FolderNames, check_new_file
from memory_mcp.wiki.prose import conflict_line

EMPTY_LOG = "# Log\n"


class CallerChange:
    """The files that one operation on a caller's memory reads and puts; paths as in `CallerFolder`."""

    def __init__(self, folder: CallerFolder, change: Change) -> None:
        self._folder = folder
        self._change = change
        self._listed: FolderNames = {}

    @property
    def commit(self) -> str | None:
        """The commit that holds the change, once the operation is over; None when nothing differed."""
        return self._change.commit

    def read(self, path: str) -> bytes | None:
        """The bytes that the file would have now, None where there is none; raises as `CallerFolder.read`."""
        wiki_path = f"{self._folder.scope}/{path}"
        if wiki_path in self._change.files:
            return self._change.files[wiki_path]
        return self._folder.read(path)

    def read_text(self, path: str) -> str:
        """The text that the file would have now, "" where there is none, fit to be written anew.

        Raises:
            Conflict: it is not UTF-8, or holds the markers of a merge that a person has to finish.
        """
        text = decode(self.read(path) or b"", path)
        if (line := conflict_line(text)) is not None:
            raise Conflict(f"{path} has merge conflict markers at line {line}: resolve them by hand first.")
        return text

    def put(self, path: str, text: str) -> None:
        """Let the file have this text.

        Raises:
            Conflict: another file there differs from it only by case or Unicode form.
            InvalidInput: the path goes through a symbolic link, or names a folder; or the text looks like an
                unfinished merge, so that nobody could write the file again.
        """
        if (line := conflict_line(text)) is not None:
            raise InvalidInput(
                f"the text would give {path} merge conflict markers at line {line}: resolve them, or put "
                "them into a code block."
            )
        if self.read(path) is None:
            check_new_file(self._folder.wiki, self._folder.scope, path, self._listed)
        self._change.put(f"{self._folder.scope}/{path}", text.encode())


class CallerChanges:
    """Makes changes to the memory of one caller."""

    def __init__(self, folder: CallerFolder, changes: WikiChanges) -> None:
        self._folder = folder
        self._changes = changes

    @contextmanager
    def begin(self, operation: str, detail: str, actor: Actor) -> Iterator[CallerChange]:
        """Collect a change, and carry it out when the block ends without an exception.

        A change also makes those files of the caller that are missing; one of nothing makes none.

        Raises:
            Conflict: the folder belongs to a caller of another name.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        folder = self._folder
        subject = f"{folder.scope}/{detail}"
        with self._changes.begin(operation, subject, actor, caller=folder.scope) as change:
            folder.check_owner()
            yield CallerChange(folder, change)
            if change.files:
                self._put_missing(change)

    def _put_missing(self, change: Change) -> None:
        from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE  # noqa: PLC0415 - only for a write
        from memory_mcp.callers.topics.topic_index import EMPTY_NOTE_INDEX, EMPTY_SKILL_INDEX  # noqa: PLC0415

        identity = json.dumps({"v": 1, "caller": self._folder.caller}, ensure_ascii=False) + "\n"
        files = {
            IDENTITY: identity,
            NOTE_INDEX: EMPTY_NOTE_INDEX,
            PROFILE: EMPTY_PROFILE,
            SKILL_INDEX: EMPTY_SKILL_INDEX,
            LOG: EMPTY_LOG,
        }
        for path, text in files.items():
            wiki_path = f"{self._folder.scope}/{path}"
            if wiki_path not in change.files and self._folder.read(path) is None:
                change.put(wiki_path, text.encode())
