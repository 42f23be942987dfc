"""How a recorded conversation becomes a page: what was said, by whom, and the day in words in the title."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import datetime

from bench.retrieval.evaluation_set import Page
from memory_mcp.pages.page_write import PageDraft


def day_in_words(moment: datetime) -> str:
    """8 May 2023."""
    return f"{moment.day} {calendar.month_name[moment.month]} {moment.year}"


def session_page(path: str, subject: str, moment: datetime, turns: Sequence[tuple[str, str]]) -> Page:
    """A page below `sessions/`, titled by `subject` and day, with one paragraph a turn: `Name: text`."""
    title = f"{subject}, {day_in_words(moment)}"
    said = "\n\n".join(f"{name}: {text.strip()}" for name, text in turns)
    body = f"# {title}\n\n{said}\n"
    return Page(PageDraft(path, body, title=title, kind="session", tier="episodic"))
