"""`task`: what is still to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, limit_option
from memory_mcp.cli.output import print_json, print_notes, print_table
from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.app import App
    from memory_mcp.callers.tasks.task import Task
    from memory_mcp.callers.tasks.task_write import WrittenTask


@click.group("task", short_help="Add, complete, dismiss and list tasks.")
def task_command() -> None:
    """What is still to be done for you. A task is named by its CODE, the digits before it in the list."""


@task_command.command("add")
@click.argument("title")
@click.option("--list", "list_name", default="today", show_default=True, metavar="NAME", help="Its list.")
@click.option("--note", default="", metavar="TEXT", help="What else is to be known.")
@click.option("--due", default="", metavar="TIME", help="A date or an RFC 3339 time.")
@click.option("--priority", type=click.IntRange(0, 3), default=0, help="0 (none) to 3 (most urgent).")
@json_option
def add_command(title: str, list_name: str, note: str, due: str, priority: int, as_json: bool) -> None:
    """Add an active task."""
    app = open_app()
    written = app.caller.task_writer.add(title, list_name, ACTOR, note=note, due=due, priority=priority)
    _print_written(app, "Added active task", written, as_json)


@task_command.command("complete")
@click.argument("code")
@json_option
def complete_command(code: str, as_json: bool) -> None:
    """Complete the task of this CODE."""
    app = open_app()
    _print_written(app, "Completed task", app.caller.task_writer.complete(code, ACTOR), as_json)


@task_command.command("dismiss")
@click.argument("code")
@click.option("--reason", default="", metavar="TEXT", help="Why it need not be done.")
@json_option
def dismiss_command(code: str, reason: str, as_json: bool) -> None:
    """Drop the task of this CODE without doing it. An agent needs your word for that; you need nobody's."""
    from memory_mcp.callers.tasks.confirmation import Confirmation  # noqa: PLC0415 - only for this command

    app = open_app()
    task = app.caller.tasks.find_active(code)
    written = app.caller.task_writer.dismiss(task.id, ACTOR, Confirmation(task.id, "command"), reason=reason)
    _print_written(app, "Dismissed task", written, as_json)


@task_command.command("list")
@click.option("--all", "closed", is_flag=True, help="Also what is completed or dismissed.")
@limit_option(12)
@json_option
def list_command(closed: bool, limit: int, as_json: bool) -> None:
    """List the active tasks: overdue ones first, then what changed last."""
    app = open_app()
    snapshot = app.caller.task_snapshots.snapshot(limit)
    tasks = app.caller.tasks.all()[:limit] if closed else snapshot.tasks
    if as_json:
        print_json(
            {
                "tasks": [
                    {**_task_json(app, task), "overdue": task.id in snapshot.overdue} for task in tasks
                ],
                "active": snapshot.total,
                "problems": list(snapshot.problems),
            }
        )
        return
    if tasks:
        print_table(
            ("code", "state", "list", "title", "due", "note"),
            [
                (
                    task.code,
                    task.state,
                    task.list_name,
                    task.title,
                    f"{task.due} (overdue)" if task.id in snapshot.overdue else task.due,
                    one_line(task.note, 60),
                )
                for task in tasks
            ],
        )
    else:
        click.echo("No active tasks.")
    print_notes(snapshot.problems)


def _print_written(app: App, what: str, written: WrittenTask, as_json: bool) -> None:
    if as_json:
        print_json({**_task_json(app, written.task), "commit": written.commit})
        return
    click.echo(f"{what} {written.task.code}.")
    click.echo(app.caller.task_snapshots.line(written.task))


def _task_json(app: App, task: Task) -> dict[str, object]:
    return {**task.facts(), "file": str(app.caller.folder.root / task.path)}
