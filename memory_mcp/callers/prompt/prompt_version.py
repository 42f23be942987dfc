"""The stamp of a session's prompt: it changes when a file that the prompt carries does."""

from __future__ import annotations

import hashlib

from memory_mcp.callers.caller_folder import NOTE_INDEX, PROFILE, SKILL_INDEX, CallerFolder
from memory_mcp.callers.tasks.task_read import TaskReader
from memory_mcp.errors import UserError


def prompt_version(folder: CallerFolder, rules: str) -> str:
    """16 hex digits over profile, indexes, active tasks and rules; the clock and lint do not count.

    A file that cannot be read counts as such: a stamp is always given.
    """
    digest = hashlib.sha256()
    for data in (*_files(folder), _tasks(folder), rules.encode()):
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:16]


def _files(folder: CallerFolder) -> list[bytes]:
    found = []
    for path in (PROFILE, NOTE_INDEX, SKILL_INDEX):
        try:
            found.append(folder.read(path) or b"")
        except UserError:
            found.append(b"\0")
    return found


def _tasks(folder: CallerFolder) -> bytes:
    try:
        tasks = TaskReader(folder).active()
    except UserError:
        return b"\0"
    facts = sorted(
        (task.id, task.code, task.list_name, task.title, task.note, task.due, task.priority) for task in tasks
    )
    return repr(facts).encode("utf-8", "surrogatepass")
