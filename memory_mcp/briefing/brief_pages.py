"""The pages that a session should know of before it begins, read from their files alone.

A hook has no time to open the index. Its manifest tells which files are as the index saw them, and which of
those are pinned; of the others the first bytes are looked at. `_rules/` and `_slots/` are told by their
names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.model.page import Page
from memory_mcp.model.page_path import is_log_path
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.known_files import read_known_files
from memory_mcp.store.stat_scan import Stat, scan_scope
from memory_mcp.wiki.page_parse import UnreadablePage, is_ledger, parse_page
from memory_mcp.wiki.scope_list import scope_exists

MAX_CORE_PAGES = 24
MAX_RECENT = 10
MAX_RECENT_SESSIONS = 3
"""Pages of sessions are written by themselves, and would else push out all that somebody wrote."""
MAX_HEADS = 1_500
"""Of more files that the index has not seen the newest are looked at: opening one takes 15 µs."""
_HEAD_BYTES = 2_048
_PAGE_BYTES = 256 * 1024
"""What is read of a page of which a few thousand characters are told."""
_PINNED = re.compile(rb"^pinned:[ \t]*[\"']?(?:true|yes|on)\b", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BriefPages:
    """Pinned pages, rules, slots, in this order, the newest first; what changed last; how many there are."""

    core: tuple[Page, ...]
    recent: tuple[Page, ...]
    total: int


def read_brief_pages(wiki: Path, index: Path, scope: Scope, now: datetime) -> BriefPages:
    """Read what a brief of the scope is made of; pages that are expired or cannot be read are left out."""
    folder = wiki / scope.workspace / scope.project
    if not scope_exists(wiki, scope):
        return BriefPages((), (), 0)
    files = _look(folder, index, scope)
    special = [path for path in files.stats if path.startswith(("_rules/", "_slots/"))]
    rules = files.newest_first(path for path in special if path.startswith("_rules/"))
    slots = sorted(path for path in special if path.startswith("_slots/"))
    pinned = files.newest_first(path for path in files.pinned if not path.startswith(("_rules/", "_slots/")))
    reader = _Reader(folder, scope, now)
    core = []
    for path in (*pinned, *rules, *slots):
        page = reader.page(path)
        if page is not None and (page.meta.pinned or path in special):
            core.append(page)
        if len(core) == MAX_CORE_PAGES:
            break
    return BriefPages(tuple(core), tuple(_recent(files, reader)), len(files.stats))


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a scope that are pages as far as names and manifest tell, and the pinned ones."""

    stats: dict[str, Stat]
    pinned: tuple[str, ...]

    def newest_first(self, paths: Iterable[str]) -> list[str]:
        return sorted(paths, key=self._age)

    def newest(self) -> list[str]:
        """The paths that changed last, the last of all first."""
        return sorted(self.stats, key=self._age)

    def _age(self, path: str) -> tuple[int, str]:
        return -self.stats[path][0], path


def _look(folder: Path, index: Path, scope: Scope) -> _Files:
    known = read_known_files(index, scope)
    scan = scan_scope(str(folder), known.files)
    stats = {
        f"{name}/{file}" if name else file: stat
        for name, files in known.files.items()
        for file, stat in files.items()
    }
    changed = {path: stat for path, stat in scan.changed.items() if not is_log_path(path)}
    for path in (*scan.vanished, *known.no_pages):
        stats.pop(path, None)
    stats.update(changed)
    unseen = sorted(changed, key=lambda path: changed[path][0], reverse=True)[:MAX_HEADS]
    pinned = {path for path in known.pinned if path in stats and path not in changed}
    pinned.update(path for path in unseen if _may_be_pinned(folder / path))
    return _Files(stats, tuple(pinned))


def _may_be_pinned(file: Path) -> bool:
    try:
        with open(file, "rb", buffering=0) as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return False
    return head.startswith((b"---", b"\xef\xbb\xbf---")) and _PINNED.search(head) is not None


def _recent(files: _Files, reader: _Reader) -> Iterator[Page]:
    """The pages that changed last, but for rules and slots, and not only sessions."""
    sessions = found = 0
    for path in files.newest():
        is_session = path.startswith("sessions/")
        if path.startswith("_") or (is_session and sessions == MAX_RECENT_SESSIONS):
            continue
        page = reader.page(path)
        if page is None:
            continue
        yield page
        sessions += is_session
        found += 1
        if found == MAX_RECENT:
            return


@dataclass(frozen=True, slots=True)
class _Reader:
    folder: Path
    scope: Scope
    now: datetime

    def page(self, path: str) -> Page | None:
        """The page, None if it is none, is expired or cannot be read."""
        try:
            with open(self.folder / path, "rb") as stream:
                data = stream.read(_PAGE_BYTES + 1)
            if len(data) > _PAGE_BYTES:
                data = data[: data.rfind(b"\n", 0, _PAGE_BYTES) + 1]
            page = parse_page(self.scope, path, data)
        except (OSError, UnreadablePage):
            return None
        expires = page.meta.expires_at
        if (expires is not None and expires <= self.now) or is_ledger(page.body[:1_000]):
            return None
        return page
