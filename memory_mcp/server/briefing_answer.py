"""Briefings as answers of bounded size: titles on one line each, passages as they were found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_mcp.model.clock import format_time
from memory_mcp.model.fence import NOT_INSTRUCTIONS
from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import ANSWER_CHARS, scope_facts

if TYPE_CHECKING:
    from memory_mcp.briefing.briefing import Briefing, BriefingPage
    from memory_mcp.briefing.explore import Explored

MAX_LISTED = 100
MAX_NAMED = 10
TITLE_CHARS = 100
PASSAGE_CHARS = 400

_LISTS = ("rules", "slots", "pinned", "settled", "recent")


def briefing_answer(briefing: Briefing) -> tuple[str, dict[str, Any]]:
    """How a project stands."""
    facts = _facts(briefing, ANSWER_CHARS)
    return "\n".join(_lines(briefing, facts)), facts


def explored_answer(explored: Explored) -> tuple[str, dict[str, Any]]:
    """What somebody who comes back should know."""
    passages = [
        {
            "path": one_line(hit.path, 1000),
            "title": one_line(hit.title, TITLE_CHARS),
            "passage": one_line(hit.snippet, PASSAGE_CHARS),
        }
        for hit in explored.passages
    ]
    facts: dict[str, Any] = {
        "gap": {
            "hours_since_last": explored.gap.hours,
            "bucket": explored.gap.bucket,
            "description": explored.gap.description,
        },
        "passages": passages,
        "follow_ups": [one_line(each, TITLE_CHARS) for each in explored.follow_ups],
    }
    facts["briefing"] = _facts(explored.briefing, ANSWER_CHARS - _size(facts))
    lines = [explored.gap.description, *_lines(explored.briefing, facts["briefing"])]
    lines += [f"passage: {each['path']}: {each['passage']}" for each in passages]
    if facts["follow_ups"]:
        lines.append("Ask next: " + "; ".join(facts["follow_ups"]))
    return "\n".join(lines), facts


def _facts(briefing: Briefing, room: int) -> dict[str, Any]:
    activity = briefing.activity
    facts: dict[str, Any] = {
        **scope_facts(briefing.resolved),
        "notice": NOT_INSTRUCTIONS,
        "counts": {
            "pages": briefing.pages,
            "sessions": activity.sessions,
            "observations": activity.observations,
        },
        "pending_handoffs": briefing.handoffs,
        "pending_messages": briefing.messages,
    }
    for span in activity.recent:
        facts[f"activity_{span.days}d"] = {
            "sessions": span.sessions,
            "observations": span.observations,
            "pages_updated": span.pages,
        }
    if activity.last_at:
        facts["last_observation_at"] = format_time(activity.last_at)
    for name, scopes in (("linked_from", briefing.linked_from), ("links_to", briefing.links_to)):
        if scopes:
            facts[name] = [str(scope) for scope in scopes[:MAX_NAMED]]
    if briefing.disputed:
        facts["claimed_twice"] = list(briefing.disputed[:MAX_NAMED])
    if briefing.notes:
        facts["notes"] = list(briefing.notes)
    lists = {name: [_page(page) for page in getattr(briefing, name)[:MAX_LISTED]] for name in _LISTS}
    return facts | _fit(lists, room - _size(facts))


def _fit(lists: dict[str, list[dict[str, Any]]], room: int) -> dict[str, Any]:
    """The lists that are not empty, each cut where they do not fit in together, and how much was cut."""
    left = {name: len(pages) for name, pages in lists.items()}
    sizes = {name: [_size(page) for page in pages] for name, pages in lists.items()}
    while sum(map(sum, sizes.values())) + 60 * len(lists) > room and any(sizes.values()):
        longest = max(sizes, key=lambda name: sum(sizes[name]))
        sizes[longest].pop()
    facts: dict[str, Any] = {}
    for name, pages in lists.items():
        shown = pages[: len(sizes[name])]
        if shown:
            facts[name] = shown
        if left[name] > len(shown):
            facts[f"more_{name}"] = left[name] - len(shown)
    return facts


def _page(page: BriefingPage) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "path": one_line(page.path, 1000),
        "title": one_line(page.title, TITLE_CHARS),
        "kind": one_line(page.kind, 64),
    }
    if page.slot_kind:
        facts["slot_kind"] = page.slot_kind
    if page.updated:
        facts["updated"] = format_time(page.updated)
    if page.evidence:
        facts["evidence"] = page.evidence
    return facts


def _lines(briefing: Briefing, facts: dict[str, Any]) -> list[str]:
    activity = briefing.activity
    lines = [
        f"{briefing.resolved}: {briefing.pages} pages, {activity.sessions} sessions. {NOT_INSTRUCTIONS}",
        f"waiting: {briefing.handoffs} handoffs, {briefing.messages} messages",
    ]
    for name in _LISTS:
        if name in facts:
            shown = "; ".join(f"{page['title']} ({page['path']})" for page in facts[name])
            more = f"; {facts[f'more_{name}']} more" if f"more_{name}" in facts else ""
            lines.append(f"{name}: {shown}{more}")
    return [*lines, *facts.get("claimed_twice", ()), *facts.get("notes", ())]


def _size(facts: object) -> int:
    return len(json.dumps(facts, ensure_ascii=False)) + 2
