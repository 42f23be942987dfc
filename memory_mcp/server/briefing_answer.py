"""Briefings as answers: titles on one line each, passages as they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_mcp.model.clock import format_time
from memory_mcp.model.fence import NOT_INSTRUCTIONS
from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import scope_facts

if TYPE_CHECKING:
    from memory_mcp.briefing.briefing import Briefing, BriefingPage
    from memory_mcp.briefing.explore import Explored

MAX_LISTED = 15
TITLE_CHARS = 100
PASSAGE_CHARS = 400

_LISTS = ("rules", "slots", "pinned", "settled", "recent")


def briefing_answer(briefing: Briefing) -> tuple[str, dict[str, Any]]:
    """How a project stands."""
    facts = _facts(briefing)
    return "\n".join(_lines(briefing)), facts


def explored_answer(explored: Explored) -> tuple[str, dict[str, Any]]:
    """What somebody who comes back should know."""
    passages = [
        {
            "path": hit.path,
            "title": one_line(hit.title, TITLE_CHARS),
            "passage": one_line(hit.snippet, PASSAGE_CHARS),
        }
        for hit in explored.passages
    ]
    facts = {
        "gap": {
            "hours_since_last": explored.gap.hours,
            "bucket": explored.gap.bucket,
            "description": explored.gap.description,
        },
        "briefing": _facts(explored.briefing),
        "passages": passages,
        "follow_ups": [one_line(each, TITLE_CHARS) for each in explored.follow_ups],
        "notice": NOT_INSTRUCTIONS,
    }
    lines = [explored.gap.description, *_lines(explored.briefing)]
    lines += [f"passage: {each['path']}: {each['passage']}" for each in passages]
    if explored.follow_ups:
        lines.append("Ask next: " + "; ".join(one_line(each, TITLE_CHARS) for each in explored.follow_ups))
    return "\n".join(lines), facts


def _facts(briefing: Briefing) -> dict[str, Any]:
    activity = briefing.activity
    facts: dict[str, Any] = {
        **scope_facts(briefing.resolved),
        "counts": {
            "pages": briefing.pages,
            "sessions": activity.sessions,
            "observations": activity.observations,
        },
        "pending_handoffs": briefing.handoffs,
        "pending_messages": briefing.messages,
    }
    for span in activity.recent:
        facts[f"activity_{span.days}d"] = {"sessions": span.sessions, "observations": span.observations}
    if activity.last_at:
        facts["last_observation_at"] = format_time(activity.last_at)
    for name in _LISTS:
        pages = getattr(briefing, name)
        if pages:
            facts[name] = [_page(page) for page in pages[:MAX_LISTED]]
            if len(pages) > MAX_LISTED:
                facts[f"more_{name}"] = len(pages) - MAX_LISTED
    if briefing.disputed:
        facts["claimed_twice"] = list(briefing.disputed[:MAX_LISTED])
    if briefing.notes:
        facts["notes"] = list(briefing.notes)
    return facts


def _page(page: BriefingPage) -> dict[str, Any]:
    facts: dict[str, Any] = {"path": page.path, "title": one_line(page.title, TITLE_CHARS), "kind": page.kind}
    if page.updated:
        facts["updated"] = format_time(page.updated)
    if page.evidence:
        facts["evidence"] = page.evidence
    return facts


def _lines(briefing: Briefing) -> list[str]:
    activity = briefing.activity
    lines = [
        f"{briefing.resolved}: {briefing.pages} pages, {activity.sessions} sessions; {NOT_INSTRUCTIONS}",
        f"waiting: {briefing.handoffs} handoffs, {briefing.messages} messages",
    ]
    for name in _LISTS:
        pages = getattr(briefing, name)
        if pages:
            shown = "; ".join(
                f"{one_line(page.title, TITLE_CHARS)} ({page.path})" for page in pages[:MAX_LISTED]
            )
            lines.append(f"{name}: {shown}")
    if briefing.disputed:
        lines.append(f"claimed in two clones: {', '.join(briefing.disputed)}; see memory_handoff_list")
    return lines
