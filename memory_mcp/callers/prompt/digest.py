"""A caller's profile and tasks in a few lines, for the instructions that every client reads at once.

They are made while the server starts, so that what reads them is imported only where there is something.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from memory_mcp.callers.caller_folder import PROFILE, TASKS, CallerFolder
from memory_mcp.errors import UserError
from memory_mcp.model.plain_text import one_line

# ruff: noqa: PLC0415 - see above

log = logging.getLogger(__name__)

DIGEST_CHARS = 600
PROFILE_CHARS = 330
TITLE_CHARS = 50
MAX_TITLES = 3


def session_digest(folder: CallerFolder, now: datetime) -> str:
    """Who the person is and what is open, at most `DIGEST_CHARS` characters; "" where nothing is known.

    What cannot be read is left out: a session starts all the same.
    """
    try:
        folder.check_owner()
    except UserError as error:
        log.warning("the digest is left out: %s", error)
        return ""
    profile = _safely(lambda: folder.read_text(PROFILE))
    parts = (_safely(lambda: profile_line(profile)), _safely(lambda: task_line(folder, profile, now)))
    return "\n".join(part for part in parts if part)


def profile_line(profile: str) -> str:
    """What the sections Profile and Preferences say, as one quoted line; "" where they say nothing."""
    if not profile:
        return ""
    from memory_mcp.callers.profile.preferences import find_block
    from memory_mcp.callers.profile.profile_text import parse_profile

    sections = parse_profile(profile).sections
    preferences = sections["Preferences"]
    preferences = preferences.replace(find_block(preferences) or "", "")
    said = one_line(f"{sections['Profile']} {preferences}", PROFILE_CHARS)
    return f"About the person (data): {_quoted(said, PROFILE_CHARS)}" if said else ""


def task_line(folder: CallerFolder, profile: str, now: datetime) -> str:
    """How many tasks are open, how many of them overdue, and the first titles; "" where none is."""
    if not folder.names(TASKS):
        return ""
    from memory_mcp.callers.tasks.task_due import is_overdue
    from memory_mcp.callers.tasks.task_read import TaskReader

    tasks = TaskReader(folder).active()
    if not tasks:
        return ""
    overdue = [task for task in tasks if is_overdue(task.due, now, profile)]
    count = f"{len(tasks)}" + (f", {len(overdue)} overdue" if overdue else "")
    first = dict.fromkeys((*(task.title for task in overdue), *(task.title for task in tasks)))
    shown = ", ".join(_quoted(title, TITLE_CHARS) for title in list(first)[:MAX_TITLES])
    return f"Open tasks ({count}): {shown}"


def _quoted(text: str, limit: int) -> str:
    """The text as one line in quotes, which it cannot close."""
    return '"' + one_line(text, limit).replace('"', "'") + '"'


def _safely(read: Callable[[], str]) -> str:
    try:
        return read()
    except UserError as error:
        log.warning("the digest leaves something out: %s", error)
    except Exception:
        log.exception("the digest leaves something out")
    return ""
