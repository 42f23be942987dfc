"""`message`: mail between projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option, scope_options
from memory_mcp.cli.output import REDACTED, print_json, print_notes, print_scope, print_table, scope_json
from memory_mcp.cli.text_input import read_input
from memory_mcp.continuity.disputes import dispute_sentence
from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import format_time
from memory_mcp.model.plain_text import one_line, plain_lines

if TYPE_CHECKING:
    from memory_mcp.continuity.message import Message


@click.group("message", short_help="Send, list, take and cancel messages between projects.")
def message_command() -> None:
    """What one project has to tell another. A message is named by its CODE, as the list shows it."""


@message_command.command("send")
@click.argument("to", metavar="WORKSPACE/PROJECT")
@click.argument("body", required=False)
@click.option("--subject", default="", metavar="TEXT", help="In a few words.")
@scope_options
@json_option
def send_command(
    to: str, body: str | None, subject: str, workspace: str, project: str, as_json: bool
) -> None:
    """Send BODY, or what stdin says, to another project."""
    to_workspace, slash, to_project = to.partition("/")
    if not slash:
        raise InvalidInput(f"{to!r:.120} names no project: give WORKSPACE/PROJECT.")
    text = read_input(None, "message") if body is None else body
    sent = open_app().continuity.messages.send(
        to_workspace, to_project, text, ACTOR, subject=subject, workspace=workspace, project=project
    )
    if as_json:
        print_json({**_json(sent.message, sent.code), "commit": sent.commit, "redacted": sent.redacted})
        return
    click.echo(f"Sent message {sent.code} to {sent.message.recipient}.")
    print_notes([REDACTED] if sent.redacted else [])


@message_command.command("list")
@click.option("--outbox", is_flag=True, help="What this project sent and nobody took yet.")
@scope_options
@json_option
def list_command(outbox: bool, workspace: str, project: str, as_json: bool) -> None:
    """List what waits for this project; nothing is taken."""
    box = "outbox" if outbox else "inbox"
    listed = open_app().continuity.messages.look(box, workspace=workspace, project=project)
    if as_json:
        found = [_json(each, listed.codes[each.id]) for each in listed.messages]
        print_json(
            {
                "scope": scope_json(listed.resolved),
                "box": box,
                "messages": found,
                "disputed": [each.id for each in listed.disputed],
                "problems": list(listed.problems),
            }
        )
        return
    print_scope(listed.resolved)
    print_notes([*listed.problems, *map(_dispute, listed.disputed)])
    if not listed.messages:
        click.echo(f"Nothing waits in the {box}.")
        return
    print_table(
        ("code", "from", "to", "sent", "subject"),
        [
            (
                listed.codes[each.id],
                one_line(each.sender),
                one_line(each.recipient),
                format_time(each.created),
                one_line(each.subject, 80),
            )
            for each in listed.messages
        ],
    )


@message_command.command("pop")
@click.option("--id", "code", default="", metavar="CODE", help="This one instead of the oldest.")
@scope_options
@json_option
def pop_command(code: str, workspace: str, project: str, as_json: bool) -> None:
    """Take the oldest message that waits for this project; nobody else gets it."""
    taken = open_app().continuity.messages.pop(code, ACTOR, workspace=workspace, project=project)
    message = taken.message
    if as_json:
        found = {**_json(message, taken.code), "body": message.body} if message else None
        print_json({"scope": scope_json(taken.resolved), "message": found or {}, "waiting": taken.waiting})
        return
    if message is None:
        click.echo("No message waits.")
        return
    sender = f"{one_line(message.sender)}, {format_time(message.created)}"
    click.echo(f"From {sender}: {one_line(message.subject)}\n")
    click.echo(plain_lines(message.body))


@message_command.command("cancel")
@click.option("--id", "code", default="", metavar="CODE", help="This one.")
@click.option("--all", "every", is_flag=True, help="All that nobody took yet.")
@scope_options
@json_option
def cancel_command(code: str, every: bool, workspace: str, project: str, as_json: bool) -> None:
    """Withdraw what this project sent."""
    if bool(code) == every:
        raise InvalidInput("give either --id CODE or --all.")
    cancelled = open_app().continuity.messages.cancel(code, ACTOR, workspace=workspace, project=project)
    if as_json:
        print_json({"cancelled": cancelled.count, "state": cancelled.state or None})
    elif cancelled.state:
        click.echo(f"Nothing was cancelled: the message is {cancelled.state} already.")
    else:
        click.echo(f"{cancelled.count} cancelled.")


def _dispute(message: Message) -> str:
    return dispute_sentence("message", message.id, message.decided_by, message.rivals)


def _json(message: Message, code: str) -> dict[str, object]:
    return {
        "id": message.id,
        "code": code,
        "state": message.state,
        "from": message.sender,
        "to": message.recipient,
        "subject": message.subject,
        "agent": message.agent,
        "created": format_time(message.created),
    }
