"""What an answer says when no page matches: what was tried, how to go on, what sessions have of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_mcp.model.clock import format_time
from memory_mcp.model.fence import cut_list
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.scope import Scope

if TYPE_CHECKING:
    from memory_mcp.pages.page_query import QueryResult
    from memory_mcp.search.answer import RawHit, ZeroHits

WORDS_CHARS = 200
"""The most characters of the words that were searched."""
SNIPPET_CHARS = 300


def zero_sentence(query: str, where: str, result: QueryResult, zero: ZeroHits) -> str:
    """What was tried, and each way out that leads somewhere."""
    shown = one_line(query, 200)
    if not zero.words:
        return f"No page of {where} matches {shown!r}: give words or a question."
    words = cut_list([one_line(word, 40) for word in zero.words], WORDS_CHARS)
    parts = [f"No page of {where} matches {shown!r}; searched {words} (by {', '.join(result.streams)})."]
    if zero.unquoted:
        parts.append(f"Without the quotes {_pages(zero.unquoted)}.")
    if zero.expired:
        parts.append(f"With include_expired=true {_pages(zero.expired)}.")
    if zero.elsewhere:
        names = ", ".join(f"{scope} ({count})" for scope, count in zero.elsewhere)
        parts.append(f"Pages that match are in {names}: name the project, or give scopes or global=true.")
    if len(parts) == 1:
        old = "" if result.include_superseded else ", or include_superseded=true"
        others = "Nor does one of another project: try" if result.scopes else "Try"
        parts.append(f"{others} other words{old}.")
    return " ".join(parts)


def zero_facts(zero: ZeroHits, streams: tuple[str, ...]) -> dict[str, Any]:
    """The same as an object, without what is nothing."""
    words = [one_line(word, 40) for word in zero.words[:20]]
    facts: dict[str, Any] = {"words": words, "streams": list(streams)}
    facts |= {"unquoted": zero.unquoted} if zero.unquoted else {}
    facts |= {"expired": zero.expired} if zero.expired else {}
    if zero.elsewhere:
        facts["elsewhere"] = [
            {"workspace": scope.workspace, "project": scope.project, "pages": count}
            for scope, count in zero.elsewhere
        ]
    return facts


def raw_facts(own: Scope | None, hit: RawHit) -> dict[str, Any]:
    """An observation as an object."""
    facts: dict[str, Any] = {"id": one_line(hit.id, 64), "session_id": one_line(hit.session_id, 128)}
    if hit.scope != own:
        facts |= {"workspace": hit.scope.workspace, "project": hit.scope.project}
    return facts | {
        "kind": one_line(hit.kind, 64),
        "title": one_line(hit.title, 120),
        "created_at": format_time(hit.created_at),
        "snippet": one_line(hit.snippet, SNIPPET_CHARS),
    }


def raw_line(hit: dict[str, Any]) -> str:
    """An observation as text."""
    marks = [hit["kind"], hit["created_at"], f"session {hit['session_id']}"]
    marks += [f"{hit['workspace']}/{hit['project']}"] if "workspace" in hit else []
    return f"{hit['title']} ({', '.join(marks)})" + (f"\n  > {hit['snippet']}" if hit.get("snippet") else "")


def _pages(count: int) -> str:
    return "1 page matches" if count == 1 else f"{count} pages match"
