"""The active tasks as a part of a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_mcp.callers.caller_folder import TASKS
from memory_mcp.callers.tasks.task import Task
from memory_mcp.callers.tasks.task_snapshot import DEFAULT_LIMIT, HEADING, snapshot_of
from memory_mcp.model.fence import fence

TASKS_CHARS = 1_200


def tasks_block(tasks: Sequence[Task], profile: str, now: datetime) -> str:
    """The heading and the fenced tasks, overdue ones first: as many as fit into `TASKS_CHARS` characters."""
    if not tasks:
        return snapshot_of(tasks, now, profile).text
    for limit in range(DEFAULT_LIMIT, -1, -1):
        lines = snapshot_of(tasks, now, profile, limit).text.removeprefix(f"{HEADING}\n")
        block = f"{HEADING}\n\n{fence(lines, TASKS, 'memory')}"
        if len(block) <= TASKS_CHARS:
            break
    return block
