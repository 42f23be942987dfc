"""What the task tools answer: a task as text and as an object."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_mcp.callers.tasks.confirmation import phrase_for
from memory_mcp.model.caller import DEFAULT_CALLER

if TYPE_CHECKING:
    from memory_mcp.callers.tasks.task import Task
    from memory_mcp.callers.tasks.task_snapshot import TaskSnapshot
    from memory_mcp.callers.tasks.task_write import WrittenTask


def written_answer(what: str, written: WrittenTask, line: str) -> tuple[str, dict[str, Any]]:
    """`what` became of the task, its line, and where it is."""
    task = written.task
    reason = task.history[-1].reason
    lines = [f"{what} {task.code}.", line]
    lines += [f"Note: {task.note}"] if task.note else []
    lines += [f"Reason: {reason}"] if reason else []
    lines.append(f"file: {task.path} ({written.file})")
    facts = task.facts() | {"file": str(written.file)}
    return "\n".join(lines), facts | ({"commit": written.commit} if written.commit else {})


def snapshot_answer(snapshot: TaskSnapshot, root: Path) -> tuple[str, dict[str, Any]]:
    """The active tasks, where they lie, and which files nobody can read."""
    text = "\n".join([snapshot.text, *(f"problem: {each}" for each in snapshot.problems[:3])])
    facts: dict[str, Any] = {
        "tasks": [
            task.facts() | ({"overdue": True} if task.id in snapshot.overdue else {})
            for task in snapshot.tasks
        ],
        "total": snapshot.total,
        "folder": str(root),
    }
    return text, facts | ({"problems": list(snapshot.problems)} if snapshot.problems else {})


def question_for(task: Task) -> str:
    """What the person is asked before a task is dismissed."""
    return (
        f"Dismiss the task [{task.code}] {task.list_name}: {task.title}? It leaves the list for good, "
        "without being done."
    )


def unconfirmed(code: str, answer: str, *, caller: str, hears_user: bool) -> str:
    """Why a task was not dismissed and what the agent can do.

    `answer` is what the person did, if asked; `hears_user` says whether somebody hands over their words. The
    command that is named finds the task of this `caller`.
    """
    whose = "" if caller == DEFAULT_CALLER else f" --caller {shlex.quote(caller)}"
    command = f"memory-mcp task dismiss {code}{whose}"
    if answer == "declined":
        # A client whose user is away declines in their place.
        return (
            f"Task {code} was not dismissed: the user, or the client for them, declined; leave it. The user "
            f"can run {command}."
        )
    why = f"the user {answer} the question" if answer else "only the user can confirm that"
    write = f'write "{phrase_for(code)}", or to ' if hears_user else ""
    return f"Task {code} was not dismissed: {why}; ask the user to {write}run {command}."
