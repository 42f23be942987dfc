"""Lists of pages as an answer: a text, and the same facts as an object, both of bounded size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_mcp.model.clock import format_time
from memory_mcp.model.fence import NOT_INSTRUCTIONS
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.server.zero_answer import raw_facts, raw_line, zero_facts, zero_sentence

if TYPE_CHECKING:
    from memory_mcp.pages.page_query import QueryResult
    from memory_mcp.pages.page_recent import RecentPages
    from memory_mcp.search.answer import Hit

ANSWER_CHARS = 9_000
"""Clients cut or hide answers above about 10,000 characters."""
SNIPPET_CHARS = 400
FULL_SHARE = 0.7
"""The part of the answer that hits with snippets may fill; the others keep path and title."""

_MARKS = {
    "pinned": "pinned",
    "expired": "expired",
    "file_missing": "file missing",
    "superseded": "superseded",
}
_JOINED = {
    "global": "Standing preferences ({scope})",
    "caller": "About the person you work for (workspace={scope.workspace}, project={scope.project})",
}


def scope_facts(resolved: ResolvedScope) -> dict[str, Any]:
    """Which scope was used and how it was chosen."""
    return {
        "workspace": resolved.scope.workspace,
        "project": resolved.scope.project,
        "chosen_by": f"{resolved.source}: {resolved.detail}",
    }


def query_answer(query: str, result: QueryResult, wiki: Path) -> tuple[str, dict[str, Any]]:
    """The hits of a query."""
    own = result.resolved.scope if result.resolved else None
    where = _where(result)
    nothing = [] if result.hits else [_nothing(query, result, own, where)]
    notes = [*nothing, *result.notes]
    if result.behind:
        names = ", ".join(map(str, result.behind))
        notes.append(f"The newest edits of {names} are not searched yet; ask again in a moment.")
    if any(hit.file_missing for hit in result.all_hits):
        notes.append("Files are missing; their pages are as the index remembers them: see memory_status.")
    explanations = _explanations(result)
    hits = [_hit_facts(own, hit) for hit in result.hits]
    joined = {each.name: [_hit_facts(each.scope, hit) for hit in each.hits] for each in result.joined}
    room = ANSWER_CHARS - _size(notes) - _size(explanations)
    shares = sum(min(_size(group), ANSWER_CHARS // 4) for group in joined.values())
    hits, left_out = _fit(hits, room - shares)
    room -= _size(hits)
    for name, group in joined.items():
        joined[name], more = _fit(group, room)
        room -= _size(joined[name])
        left_out += more
    raw_hits, _ = _fit([raw_facts(own, hit) for hit in result.raw_hits], room)
    if left_out:
        notes.append(f"{left_out} more hits did not fit: narrow the query or the scope.")
    facts: dict[str, Any] = scope_facts(result.resolved) if result.resolved else {"scopes": where}
    folder = wiki / own.workspace / own.project if own else wiki
    facts |= {"as_of": format_time(result.as_of)} if result.as_of else {}
    facts |= {"folder": str(folder), "label": NOT_INSTRUCTIONS, "hits": hits}
    facts |= {f"{name}_hits": group for name, group in joined.items() if group}
    facts |= {"raw_hits": raw_hits} if raw_hits else {}
    facts |= {"zero_hits": zero_facts(result.zero_hits, result.streams)} if result.zero_hits else {}
    facts |= explanations
    facts |= {"notes": notes} if notes else {}
    lines = [_first_line(len(hits), where, "best first"), f"folder: {folder}"]
    lines += [*(_hit_line(hit) for hit in hits), *nothing]
    for each in result.joined:
        if joined[each.name]:
            label = f" {NOT_INSTRUCTIONS}" if nothing else ""
            lines.append(f"{_JOINED[each.name].format(scope=each.scope)}:{label}")
            lines += [_hit_line(hit) for hit in joined[each.name]]
    if raw_hits:
        lines.append(f"Captured in agent sessions, and on no page: {NOT_INSTRUCTIONS}")
        lines += [raw_line(hit) for hit in raw_hits]
    lines += [json.dumps({name: facts}, ensure_ascii=False) for name, facts in explanations.items()]
    return "\n".join([*lines, *notes[len(nothing) :]]), facts


def recent_answer(result: RecentPages, wiki: Path) -> tuple[str, dict[str, Any]]:
    """The pages that changed last."""
    own = result.resolved.scope if result.resolved else None
    where = str(result.resolved or "all scopes")
    pages = []
    for page in result.pages:
        facts = _page_facts(own, page.scope, page.path, page.title, page.kind)
        pages.append(facts | {"updated": format_time(page.updated), "snippet": one_line(page.summary, 200)})
    notes = [*result.notes, *([] if pages else ["There are no pages yet."])]
    pages, left_out = _fit(pages, ANSWER_CHARS - _size(notes))
    if left_out:
        notes.append(f"{left_out} more pages did not fit: ask with a smaller limit.")
    folder = wiki / own.workspace / own.project if own else wiki
    answer: dict[str, Any] = scope_facts(result.resolved) if result.resolved else {"scopes": where}
    answer |= {"folder": str(folder), "label": NOT_INSTRUCTIONS, "health": str(result.counts), "pages": pages}
    answer |= {"notes": notes} if notes else {}
    first = _first_line(len(pages), where, "newest first")
    lines = [first, f"folder: {folder}", f"in all: {result.counts}"]
    return "\n".join([*lines, *(_hit_line(page) for page in pages), *notes]), answer


def _first_line(count: int, where: str, order: str) -> str:
    if count == 0:
        return f"0 pages in {where}."
    return f"{'1 page' if count == 1 else f'{count} pages'} in {where}, {order}. {NOT_INSTRUCTIONS}"


def _nothing(query: str, result: QueryResult, own: Scope | None, where: str) -> str:
    if result.zero_hits is not None:
        return zero_sentence(query, str(own or where), result, result.zero_hits)
    then = f" as of {format_time(result.as_of)}" if result.as_of else ""
    shown = one_line(query, 200)
    return f"No page of {own or where}{then} matches {shown!r}: try other words, or leave as_of out."


def _where(result: QueryResult) -> str:
    if result.as_of:
        return f"{result.resolved} as of {format_time(result.as_of)}"
    if result.resolved:
        return str(result.resolved)
    if result.scopes is None:
        return "all scopes"
    return ", ".join(map(str, result.scopes))


def _hit_facts(own: Scope | None, hit: Hit) -> dict[str, Any]:
    facts = _page_facts(own, hit.scope, hit.path, hit.title, hit.kind)
    for name in _MARKS:
        if getattr(hit, name):
            facts[name] = True
    facts |= hit.window.facts() if hit.window else {}
    facts |= {"snippet": one_line(hit.snippet, SNIPPET_CHARS)}
    return facts | ({"why": hit.details.facts()} if hit.details else {})


def _explanations(result: QueryResult) -> dict[str, Any]:
    found = {"explanation": result.explanation.facts()} if result.explanation else {}
    for each in result.joined:
        if each.answer.explanation and each.hits:
            found[f"{each.name}_explanation"] = each.answer.explanation.own_facts()
    return found


def _page_facts(own: Scope | None, scope: Scope, path: str, title: str, kind: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"path": one_line(path, 1000)}
    if scope != own:
        facts |= {"workspace": scope.workspace, "project": scope.project}
    return facts | {"title": one_line(title, 120), "kind": one_line(kind, 64)}


def _hit_line(hit: dict[str, Any]) -> str:
    marks = [hit["kind"], *(mark for name, mark in _MARKS.items() if name in hit)]
    if "workspace" in hit:
        marks.append(f"{hit['workspace']}/{hit['project']}")
    if "valid_from" in hit:
        marks.append(f"from {hit['valid_from']}" + (f" to {hit['valid_to']}" if "valid_to" in hit else ""))
    marks += [hit["updated"]] if "updated" in hit else []
    line = f"{hit['path']} | {hit['title']} ({', '.join(marks)})"
    line += f"\n  > {hit['snippet']}" if hit.get("snippet") else ""
    return line + (f"\n  {json.dumps(hit['why'], ensure_ascii=False)}" if "why" in hit else "")


def _fit(items: list[dict[str, Any]], limit: int) -> tuple[list[dict[str, Any]], int]:
    """As many items as `limit` characters hold, later ones without snippet, and how many were left out."""
    kept: list[dict[str, Any]] = []
    used = 0
    for item in items:
        size = _size(item)
        if used + size > limit * FULL_SHARE:
            item = {key: value for key, value in item.items() if key != "snippet"}
            size = _size(item)
        if used + size > limit:
            break
        kept.append(item)
        used += size
    return kept, len(items) - len(kept)


def _size(facts: Sequence[Any] | dict[str, Any]) -> int:
    return len(json.dumps(facts, ensure_ascii=False)) + 2
