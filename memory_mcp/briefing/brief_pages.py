"""The pages that a session should know of before it begins, read from their files alone.

A hook has no time for the index: the folders `_rules/` and `_slots/` are read whole, and of the other pages
only the first bytes, where `pinned: true` stands if it stands at all.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.model.page import MAX_FILE_BYTES, Page
from memory_mcp.model.scope import Scope
from memory_mcp.store.stat_scan import scan_scope
from memory_mcp.wiki.page_parse import UnreadablePage, parse_page

MAX_CORE_PAGES = 24
MAX_RECENT = 10
MAX_HEADS = 1_500
"""Of more pages the newest are looked at: opening a file takes 15 µs, and a session waits for it."""
_HEAD_BYTES = 1_024
_PINNED = re.compile(rb"^pinned:[ \t]*[\"']?true\b", re.MULTILINE)
_TITLE = re.compile(rb"^title:[ \t]*(.+?)[ \t]*\r?$|^#[ \t]+(.+?)[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RecentTitle:
    """A page that changed lately."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class BriefPages:
    """Pinned pages, rules and slots, in this order, the newest first; and what changed last."""

    core: tuple[Page, ...]
    recent: tuple[RecentTitle, ...]
    total: int


def read_brief_pages(wiki: Path, scope: Scope, now: datetime) -> BriefPages:
    """Read what a brief of the scope is made of; pages that are expired or cannot be read are left out."""
    folder = wiki / scope.workspace / scope.project
    stats = scan_scope(str(folder), {}).changed
    newest = sorted(stats, key=lambda path: (stats[path][0], path), reverse=True)
    rules = [path for path in newest if path.startswith("_rules/")]
    slots = sorted(path for path in newest if path.startswith("_slots/"))
    others = [path for path in newest if not path.startswith(("_", "log-"))]
    heads = {path: _head(folder / path) for path in others[:MAX_HEADS]}
    pinned = [path for path, head in heads.items() if head.startswith(b"---") and _PINNED.search(head)]
    core = []
    for path in [*pinned, *rules, *slots]:
        page = _page(folder, scope, path)
        if page is not None and not _is_expired(page, now):
            core.append(page)
        if len(core) == MAX_CORE_PAGES:
            break
    named = {page.path for page in core}
    recent = [RecentTitle(path, _title(head, path)) for path, head in heads.items() if path not in named]
    return BriefPages(tuple(core), tuple(recent[:MAX_RECENT]), len(stats))


def _head(file: Path) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(_HEAD_BYTES)
    except OSError:
        return b""


def _title(head: bytes, path: str) -> str:
    found = _TITLE.search(head)
    text = (found[1] or found[2]).decode("utf-8", "replace").strip("'\"") if found else ""
    return text or os.path.basename(path).removesuffix(".md")


def _page(folder: Path, scope: Scope, path: str) -> Page | None:
    try:
        with open(folder / path, "rb") as stream:
            return parse_page(scope, path, stream.read(MAX_FILE_BYTES))
    except (OSError, UnreadablePage):
        return None


def _is_expired(page: Page, now: datetime) -> bool:
    return page.meta.expires_at is not None and page.meta.expires_at <= now
