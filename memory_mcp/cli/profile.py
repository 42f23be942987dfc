"""`profile`: what is known about the person, and when that person may be approached."""

from __future__ import annotations

from pathlib import Path

import click

from memory_mcp.callers.profile.nudge import SOURCES
from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.profile.preferences import PUSHINESS, preferences_json
from memory_mcp.cli.open_app import ACTOR, open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json, print_written
from memory_mcp.cli.text_input import read_input
from memory_mcp.model.clock import format_time


@click.group("profile", short_help="Show or change what is known about the person.")
def profile_command() -> None:
    """What is known about the person for whom the agents work: USER.md, with typed preferences in it."""


@profile_command.command("show", short_help="Print the profile.")
@json_option
def show_command(as_json: bool) -> None:
    """Print the profile as its file has it; with --json its sections and the preferences that hold."""
    view = open_app().caller.profile.show()
    if not as_json:
        click.echo(view.text, nl=False)
        return
    print_json(
        {
            "path": view.path,
            "file": str(view.file),
            "preamble": view.profile.preamble or None,
            "sections": dict(view.profile.sections),
            "others": [{"title": title, "text": body} for title, body in view.profile.others],
            "preferences": preferences_json(view.preferences),
        }
    )


@profile_command.command("set", short_help="Write a section, all of it, or the preferences.")
@click.argument("section", required=False, default="")
@click.option(
    "--file", "source", type=click.Path(path_type=Path), help="Take the text from this file, not from stdin."
)
@click.option("--timezone", default=None, metavar="ZONE", help="An IANA name, such as Europe/Paris.")
@click.option(
    "--quiet-hours", default=None, metavar="START-END", help="Local times, such as 21:00-09:00, or off."
)
@click.option("--digest", default=None, metavar="TIME", help="The local time of a digest, such as 09:00.")
@click.option("--max-nudges", type=int, default=None, metavar="N", help="How many a day at most.")
@click.option("--pushiness", default=None, metavar="HOW", help=f"One of {', '.join(PUSHINESS)}.")
@click.option("--less-like-this", default=None, metavar="TOPIC", help="A topic to leave alone from now on.")
@json_option
def set_command(
    section: str,
    source: Path | None,
    timezone: str | None,
    quiet_hours: str | None,
    digest: str | None,
    max_nudges: int | None,
    pushiness: str | None,
    less_like_this: str | None,
    as_json: bool,
) -> None:
    """Write the text of --file or of standard input into SECTION; without SECTION into the whole profile.

    A write to all keeps the sections that it does not give. With options for preferences nothing is read,
    and only they change.
    """
    change = PreferenceChange(
        timezone=timezone,
        quiet_hours=quiet_hours,
        digest=digest,
        max_nudges=max_nudges,
        pushiness=pushiness,
        less_like_this=less_like_this,
    )
    profile = open_app().caller.profile
    if change == PreferenceChange():
        written = profile.write(read_input(source, "profile"), ACTOR, section=section)
    elif section or source:
        raise click.UsageError("give either a text (SECTION, --file) or preferences, not both.")
    else:
        written = profile.set_preferences(change, ACTOR)
    print_written(written, as_json=as_json)


@profile_command.command("nudge", short_help="Ask whether the person may be approached now.")
@click.option("--topic", default="", help="What it is about.")
@click.option(
    "--source", type=click.Choice(SOURCES), default=SOURCES[0], show_default=True, help="Where it comes from."
)
@click.option(
    "--sent-today",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="How many the person got today already.",
)
@click.option("--now", default="", metavar="TIME", help="RFC 3339; else the time of the machine.")
@json_option
def nudge_command(topic: str, source: str, sent_today: int, now: str, as_json: bool) -> None:
    """Say whether a nudge may be sent, is kept for later (batch) or dropped (suppress), and why."""
    nudge = open_app().caller.profile.nudge(topic=topic, source=source, sent_today=sent_today, now=now)
    after = format_time(nudge.batch_after) if nudge.batch_after else None
    if as_json:
        print_json({"action": nudge.action, "reason": nudge.reason, "batch_after": after})
    else:
        click.echo("  ".join([nudge.action, nudge.reason, *([f"after {after}"] if after else [])]))
