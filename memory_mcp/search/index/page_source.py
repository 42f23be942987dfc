"""Reading one file of the wiki for the index."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.errors import UserError
from memory_mcp.model.caller_text import searched_text
from memory_mcp.model.page import MAX_FILE_BYTES, Page
from memory_mcp.model.page_place import is_page_place
from memory_mcp.model.scope import CALLERS, Scope
from memory_mcp.search.index.manifest import UNSETTLED, ManifestChange
from memory_mcp.store.stat_scan import Stat, is_settled, stat_file
from memory_mcp.wiki.frontmatter import cut_file
from memory_mcp.wiki.page_parse import is_ledger, parse_page

if TYPE_CHECKING:
    from memory_mcp.search.index.page_terms import StoredPage

_CHUNK = 65_536
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""A page that became a symbolic link since it was looked at is an error, not a way out of the wiki."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """A file as it was read: a page, or why it is none (`unreadable`), or neither for a ledger.

    `stat` is `UNSETTLED` while a later edit could leave the file's stat as it is.
    """

    stat: Stat
    page: Page | None = None
    unreadable: str = ""


@dataclass(slots=True)
class SourceReader:
    """Reads files one after the other and keeps for the manifest what became of each."""

    wiki: Path
    seen: dict[str, Stat] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    ledgers: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    pinned: list[str] = field(default_factory=list)

    def read(self, wiki_path: str) -> Page | None:
        """The page in the file; None when there is none."""
        source = read_source(self.wiki, wiki_path)
        if source is None:
            self.gone.append(wiki_path)
            return None
        self.seen[wiki_path] = source.stat
        if source.unreadable:
            self.unreadable[wiki_path] = source.unreadable
        elif source.page is None:
            self.ledgers.append(wiki_path)
        elif source.page.meta.pinned:
            self.pinned.append(wiki_path)
        return source.page

    def change(self, generation: int) -> ManifestChange:
        """What was read, as the index commit of this generation holds it."""
        lists = (tuple(self.gone), tuple(self.ledgers), self.unreadable, tuple(self.pinned))
        return ManifestChange(generation, self.seen, *lists)


def read_source(wiki: Path, wiki_path: str) -> PageSource | None:
    """Read the file; None when no regular file is there. Never raises for what a file holds."""
    seen_ns = time.time_ns()
    file = str(wiki / wiki_path)
    found = stat_file(file)
    if found is None:
        return None
    known = found if is_settled(found, seen_ns) else UNSETTLED
    try:
        wiki_path.encode("utf-8")
        data = _read(file)
    except UnicodeEncodeError:
        return PageSource(known, unreadable="its name is not UTF-8; rename the file.")
    except FileNotFoundError:
        return None
    except OSError as error:
        return PageSource(known, unreadable=f"cannot be read: {error.strerror}.")
    if len(data) > MAX_FILE_BYTES:
        megabytes = MAX_FILE_BYTES // 1024 // 1024
        return PageSource(known, unreadable=f"is larger than {megabytes} MB and is not searched; split it.")
    return _parse(wiki_path, data, known)


def read_text(wiki: Path, page: StoredPage) -> str | None:
    """What is searched of a page's file; None when it cannot be read any more."""
    file = f"{wiki}/{page.path}"
    try:
        return text_in(page, page.path, _read(file)) if stat_file(file) else None
    except OSError:
        return None


def page_in(wiki_path: str, data: bytes) -> Page | None:
    """The page that a file with these bytes is; None for a ledger, and for a caller's index or log.

    Raises:
        UserError: it is no page; the message says why.
    """
    if not is_page_place(wiki_path):
        return None
    workspace, project, path = wiki_path.split("/", 2)
    page = parse_page(Scope(workspace, project), path, data)
    return None if is_ledger(page.body) else page


def text_in(page: StoredPage, wiki_path: str, data: bytes) -> str | None:
    """What is searched of these bytes of a page, None when they are no page any more.

    Of a page without problems only the frontmatter is cut off, which takes a fifth of the time.
    """
    try:
        if not page.problems:
            body = cut_file(data.decode("utf-8")).body
            return searched_text(body) if wiki_path.startswith(f"{CALLERS}/") else body
        found = page_in(wiki_path, data)
    except (UnicodeError, UserError):
        return None
    return found.text if found else None


def _read(file: str) -> bytes:
    """The bytes of a regular file, a little more than the limit at most."""
    descriptor = os.open(file, _OPEN_FLAGS)
    try:
        data = os.read(descriptor, _CHUNK)
        if len(data) < _CHUNK:  # a regular file reads short only at its end
            return data
        chunks = [data]
        while chunk := os.read(descriptor, _CHUNK):
            chunks.append(chunk)
            if len(chunks) * _CHUNK > MAX_FILE_BYTES + _CHUNK:
                break
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _parse(wiki_path: str, data: bytes, known: Stat) -> PageSource:
    try:
        return PageSource(known, page_in(wiki_path, data))
    except UserError as error:
        return PageSource(known, unreadable=str(error).removeprefix(f"{wiki_path} "))
