"""A page as an answer: facts about it, then its body or a part of it.

Only text, no structured content: the clients give their model the one or the other, and a body should
travel once and with its line breaks.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time
from memory_mcp.model.fence import cut_list, fence
from memory_mcp.model.page import DEFAULT_TIER
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import Scope

if TYPE_CHECKING:
    from memory_mcp.pages.page_read import LinkedPage, PageView
    from memory_mcp.search.index.link_graph import Related

LIST_CHARS = 500
"""The most characters of each list in the head: links, backlinks, problems, notes."""
RELATED_CHARS = 1500
"""The most characters of the related pages, which are only there if they were asked for."""
CUT_WINDOW = 400
"""A part of a body ends with a line, if one ends within so many characters."""

_KNOWN_KEYS = (
    "title", "kind", "tier", "tags", "pinned", "entities", "abstract", "summary", "expires_at", "slot_kind",
    "relations",
)  # fmt: skip


def page_answer(view: PageView, offset: int, max_chars: int) -> str:
    """The head and `max_chars` characters of the body from `offset` on.

    Raises:
        InvalidInput: `offset` is past the end.
    """
    total = len(view.body)
    if offset > 0 and offset >= total:
        raise InvalidInput(
            f"offset = {offset} is past the end of {view.path!r:.120}, which has {total} characters."
        )
    end = _end_of_part(view.body, offset, max_chars)
    parts = [*_head(view), fence(view.body[offset:end], view.path)]
    if end < total or offset:
        more = f"; go on with offset={end}" if end < total else ""
        parts.append(f"Characters {offset} to {end} of {total}{more}.")
    return "\n".join(parts)


def _end_of_part(body: str, offset: int, max_chars: int) -> int:
    end = min(len(body), offset + max_chars)
    if end < len(body):
        line_end = body.rfind("\n", max(offset, end - CUT_WINDOW), end)
        if line_end > offset:
            return line_end + 1
    return end


def _head(view: PageView) -> list[str]:
    meta = view.meta
    facts = [f"kind: {one_line(view.kind, 64)}"]
    if meta.tier != DEFAULT_TIER:
        facts.append(f"tier: {meta.tier}")
    if meta.tags:
        facts.append(f"tags: {cut_list([one_line(tag, 64) for tag in meta.tags], LIST_CHARS)}")
    if meta.entities:
        facts.append(f"entities: {cut_list([one_line(each, 64) for each in meta.entities], LIST_CHARS)}")
    if meta.pinned:
        facts.append("pinned")
    if meta.expires_at:
        facts.append(f"expires_at: {format_time(meta.expires_at)}")
    lines = [
        f"path: {view.path}",
        f"version: {view.version}",
        f"file: {view.file}",
        f"scope: {view.resolved}",
        f"title: {one_line(view.title, 200)}",
        "; ".join(facts),
    ]
    own = view.resolved.scope
    lists = {
        "links": [_linked(own, link) for link in view.links],
        "backlinks": [_linked(own, link) for link in view.backlinks],
        "problems": [one_line(problem, 300) for problem in view.problems],
        "notes": list(view.notes),
    }
    lines += [f"{name}: {cut_list(items, LIST_CHARS)}" for name, items in lists.items() if items]
    if view.related:
        items = [_related(own, page) for page in view.related]
        lines.append(f"related, nearest first: {cut_list(items, RELATED_CHARS)}")
    others = {key: value for key, value in view.front.items() if key not in _KNOWN_KEYS}
    if others:
        lines.append(f"other frontmatter: {one_line(json.dumps(others, ensure_ascii=False), LIST_CHARS)}")
    return lines


def _related(own: Scope, page: Related) -> str:
    way = f"{page.relation} {page.direction}".lstrip()
    facts = f"{one_line(page.kind, 64)}, {way}, depth {page.depth}"
    return f"{_place(own, page.scope, page.path)} | {one_line(page.title, 80)} ({facts})"


def _linked(own: Scope, link: LinkedPage) -> str:
    relation = f"{link.relation} " if link.relation else ""
    return f"{relation}{_place(own, link.scope, link.path)}{'' if link.exists else ' (missing)'}"


def _place(own: Scope, scope: Scope, path: str) -> str:
    flat = one_line(path, 200)
    return flat if scope == own else f"{flat} of {scope}"
