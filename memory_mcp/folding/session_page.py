"""The page of a session, made by rules from what was recorded: what was asked for, which tools ran, when."""

from __future__ import annotations

from collections import Counter

from memory_mcp.folding.session_title import prompts_of, session_title
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.sessions.session import Session, SessionEvent
from memory_mcp.wiki.yaml_scalar import quote_scalar

MAX_LISTED = 500
"""Of more events the first and the last half of so many are listed."""
MAX_TITLE_CHARS = 80
_TOP_TOOLS = 3


def session_page_path(session_id: str) -> str:
    """Where the page of a session lies in its scope."""
    return f"sessions/{session_id}.md"


def session_page(session: Session) -> bytes:
    """The bytes of the page; the same session gives the same bytes."""
    head = session.head
    title = one_line(session_title(session), MAX_TITLE_CHARS)
    summary = session_summary(session)
    front = [
        "---",
        f"title: {quote_scalar(title)}",
        f"session_id: {quote_scalar(head.id)}",
        *([f"agent: {quote_scalar(head.agent)}"] if head.agent else []),
        "tier: episodic",
        *([f"summary: {quote_scalar(summary)}"] if summary else []),
        "---",
    ]
    sections = [
        _metadata(session),
        _prompts(session),
        _tools(session),
        _files(session),
        _events(session),
    ]
    body = [f"# {_inert(title)}", *(section for section in sections if section)]
    footer = "_Put together by rules from what was recorded of this session; no model read it._"
    return ("\n".join(front) + "\n" + "\n\n".join([*body, footer]) + "\n").encode("utf-8", "replace")


def session_summary(session: Session) -> str:
    """One line: how much was asked and done, with which tools, and how long it took; "" if nothing was."""
    prompts = len(prompts_of(session))
    tools = _completed(session)
    parts = []
    if prompts:
        parts.append(f"{prompts} prompt{'s' if prompts > 1 else ''}")
    if tools:
        ranked = sorted(tools.items(), key=lambda each: (-each[1], each[0]))
        named = ", ".join(name for name, _ in ranked[:_TOP_TOOLS])
        more = f" and {len(ranked) - _TOP_TOOLS} more" if len(ranked) > _TOP_TOOLS else ""
        calls = tools.total()
        parts.append(f"{calls} completed tool call{'s' if calls > 1 else ''} across {named}{more}")
    seconds = int((session.last_at - session.head.started).total_seconds())
    if parts and seconds > 0:
        parts.append(f"over {_duration(seconds)}")
    return f"{', '.join(parts)}." if parts else ""


def _metadata(session: Session) -> str:
    head = session.head
    lines = [
        f"- session_id: {head.id}",
        f"- started_at: {format_time(head.started)}",
        f"- ended_at: {format_time(session.last_at)}",
        f"- observations: {len(session.events)}",
    ]
    if head.branch:
        lines.insert(1, f"- branch: {one_line(head.branch, MAX_TITLE_CHARS)}")
    return "\n".join(["## Session", "", *lines])


def _prompts(session: Session) -> str:
    titles = [_title(event) for event in prompts_of(session) if event.title]
    lines = [f"{number}. {title}" for number, title in enumerate(titles, 1)]
    return "\n".join(["## Prompts", "", *_shortened(lines)]) if lines else ""


def _tools(session: Session) -> str:
    counts = sorted(_completed(session).items(), key=lambda each: (-each[1], each[0]))
    return (
        "\n".join(["## Tool calls", "", *(f"- {name}: {count}" for name, count in counts)]) if counts else ""
    )


def _files(session: Session) -> str:
    lines = [f"- `{path}`" for path in files_of(session)]
    return "\n".join(["## Files", "", *_shortened(lines)]) if lines else ""


def files_of(session: Session) -> list[str]:
    """The files that tools were given, where that is recorded, each once and in order."""
    paths = (one_line(event.tool.get("path", "")).replace("`", "'") for event in session.events)
    return list(dict.fromkeys(path for path in paths if path))


def _events(session: Session) -> str:
    return "\n".join(["## Observations", "", *_shortened([_line(event) for event in session.events])])


def _line(event: SessionEvent) -> str:
    source = f" [{event.extension}:{event.source_event}]" if event.extension else ""
    title = f" {_title(event)}" if event.title else ""
    return f"- {_kind(event)}{source} {format_time(event.at)}{title}"


def _title(event: SessionEvent) -> str:
    return _inert(one_line(event.title, MAX_TITLE_CHARS))


def _inert(text: str) -> str:
    """The text without links: what somebody mentioned in a prompt is no link of the page."""
    return text.replace("[[", r"\[\[").replace("](", r"]\(")


def _kind(event: SessionEvent) -> str:
    return event.source_event if event.source_event and not event.extension else event.kind


def _completed(session: Session) -> Counter[str]:
    """How often each tool, by its name or else its family, came back with a result."""
    done = (event for event in session.events if event.kind == "post-tool-use")
    return Counter(event.tool.get("name") or event.tool.get("family") or "tool" for event in done)


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= MAX_LISTED:
        return lines
    half = MAX_LISTED // 2
    return [*lines[:half], f"- … {len(lines) - 2 * half} more are not listed …", *lines[-half:]]


def _duration(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
