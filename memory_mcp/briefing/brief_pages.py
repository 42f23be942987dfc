"""The pages that a session should know of before it begins, read from their files alone.

A hook has no time to open the index, nor to look at every file of a large scope. Which files are pinned, and
when they changed, is told by the index's manifest. What is not in it is looked at: in a scope of up to
`MAX_WALKED` files each file that the index has not seen so; in a larger one what the log names last, so that
an edit by hand is told of once a server or a command has seen it. `_rules/` and `_slots/` are always read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from memory_mcp.model.page import Page
from memory_mcp.model.page_path import is_log_path
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.known_files import read_known_files
from memory_mcp.store.file_tail import read_tail
from memory_mcp.store.log_lines import log_name
from memory_mcp.store.stat_scan import Folders, Stat, scan_scope, stat_file
from memory_mcp.wiki.page_parse import UnreadablePage, is_ledger, parse_page
from memory_mcp.wiki.scope_list import scope_exists

MAX_CORE_PAGES = 24
MAX_RECENT = 10
MAX_RECENT_SESSIONS = 3
"""Pages of sessions are written by themselves, and would else push out all that somebody wrote."""
MAX_WALKED = 3_000
"""Looking at a file takes 3 µs."""
MAX_HEADS = 1_500
"""Of more files that the index has not seen the newest are opened, which takes 15 µs each."""
_HEAD_BYTES = 2_048
_LOG_BYTES = 8_192
_PAGE_BYTES = 256 * 1024
"""What is read of a page of which a few thousand characters are told."""
_PINNED = re.compile(rb"pinned[\"']?[ \t]*:[ \t]*[\"']?(?:true|yes|on|1)\b", re.IGNORECASE)
"""Whoever parses the page has the last word."""
_LOGGED = re.compile(
    r"\] (?:(?:write|restore)-page \| (\S.*\.md)|session-end \| ([0-9a-f-]{36})\b.*)$", re.MULTILINE
)


class BriefPages(NamedTuple):
    """Pinned pages, rules and slots, in this order; what changed last; how many pages there are."""

    core: tuple[Page, ...]
    recent: tuple[Page, ...]
    total: int


def read_brief_pages(wiki: Path, index: Path, scope: Scope, now: datetime) -> BriefPages:
    """Read what a brief of the scope is made of; pages that are expired or cannot be read are left out."""
    if not scope_exists(wiki, scope):
        return BriefPages((), (), 0)
    files = _look(wiki, index, scope, now)
    reader = _Reader(wiki / str(scope), scope, now)
    core = []
    for path in files.core():
        page = reader.page(path)
        if page is not None and (page.meta.pinned or path.startswith("_rules/")):
            core.append(page)
        if len(core) == MAX_CORE_PAGES:
            break
    return BriefPages(tuple(core), tuple(_recent(files, reader)), len(files.stats))


class _Files(NamedTuple):
    """The files of a scope that are pages as far as their names and the index tell, and the pinned ones."""

    stats: dict[str, Stat]
    pinned: set[str]

    def core(self) -> list[str]:
        """The paths of pinned pages and of rules, the newest first, then those of slots."""
        named = [path for path in self.stats if path.startswith(("_rules/", "_slots/"))]
        rules = [path for path in named if path.startswith("_rules/")]
        slots = [path for path in named if path.startswith("_slots/")]
        pinned = self.pinned.difference(named)
        return [*sorted(pinned, key=self._age), *sorted(rules, key=self._age), *sorted(slots)]

    def newest(self) -> list[str]:
        """All paths, the newest first."""
        return [path for path, _ in sorted(self.stats.items(), key=itemgetter(1), reverse=True)]

    def _age(self, path: str) -> tuple[int, str]:
        return -self.stats[path][0], path


def _look(wiki: Path, index: Path, scope: Scope, now: datetime) -> _Files:
    folder = str(wiki / str(scope))
    known = read_known_files(index, scope)
    stats = known.stats()
    if len(stats) > MAX_WALKED:
        changed = _named_last(wiki, scope, known.files, now)
        unsettled = [path for path, stat in stats.items() if not stat[0]]
        changed.update(_stats_of(f"{folder}/", unsettled))
        for name in ("_rules", "_slots"):
            found = scan_scope(f"{folder}/{name}", {}, ()).changed
            changed.update((f"{name}/{path}", stat) for path, stat in found.items())
        changed = {path: stat for path, stat in changed.items() if stats.get(path) != stat}
    else:
        scan = scan_scope(folder, known.files)
        changed = {path: stat for path, stat in scan.changed.items() if not is_log_path(path)}
        for path in scan.vanished:
            stats.pop(path, None)
    stats.update(changed)
    unseen = sorted(changed, key=lambda path: changed[path][0], reverse=True)[:MAX_HEADS]
    pinned = {path for path in known.pinned if path in stats}
    pinned.update(path for path in unseen if _may_be_pinned(f"{folder}/{path}"))
    return _Files(stats, pinned)


def _named_last(wiki: Path, scope: Scope, folders: Folders, now: datetime) -> dict[str, Stat]:
    """The files that the log of this month names last, as far as the index knows their folders."""
    tail = read_tail(wiki, f"{scope}/{log_name(now)}", _LOG_BYTES).decode("utf-8", "replace")
    paths = {found[1] or f"sessions/{found[2]}.md" for found in _LOGGED.finditer(tail)}
    known = [path for path in paths if os.path.dirname(path) in folders]
    return _stats_of(f"{wiki}/{scope}/", known)


def _stats_of(folder: str, paths: Iterable[str]) -> dict[str, Stat]:
    stats = {path: stat_file(folder + path) for path in paths}
    return {path: stat for path, stat in stats.items() if stat is not None}


def _may_be_pinned(file: str) -> bool:
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


class _Reader(NamedTuple):
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
            page = parse_page(self.scope, path, data, with_links=False)
        except (OSError, UnreadablePage):
            return None
        expires = page.meta.expires_at
        if (expires is not None and expires <= self.now) or is_ledger(page.body[:1_000]):
            return None
        return page
