"""What the person says counts for the tasks: a hook tells it the server of the same session.

Only words that could confirm a dismissal are worth the services of a caller; other turns cost one look at a
file.
"""

from __future__ import annotations

import re

from memory_mcp.capture.turn_note import confirms_something

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memory_mcp.app import App
    from memory_mcp.capture.hook_event import Taken

# ruff: noqa: PLC0415 - what the rare turns need

_PLAIN = r"[0-9a-f-]{36}\Z"
_MAX_CHARS = 200
"""No longer text confirms anything."""


def follow_turn(taken: Taken) -> str:
    """Begin or end a turn; returns what belongs into the prompt of this turn."""
    is_prompt = taken.event == "user-prompt"
    confirms = is_prompt and len(taken.prompt) <= _MAX_CHARS and "dismiss" in taken.prompt.lower()
    if not confirms and not confirms_something(taken.data_dir, _file_name(taken.native_id)):
        return ""
    from memory_mcp.cli.hook_app import open_hook_app

    app = open_hook_app(taken)
    try:
        return begin_turn(app, taken, taken.prompt if confirms else "") if is_prompt else end_turn(app, taken)
    finally:
        app.close()


def begin_session(app: App, taken: Taken) -> None:
    """Let the server know that somebody will hand over what the person says in this session."""
    from memory_mcp.errors import UserError

    try:
        app.caller.turn_files.begin(taken.native_id, app.clock())
    except UserError:
        pass  # the person can still use the command


def begin_turn(app: App, taken: Taken, text: str) -> str:
    """Let the server know what this text of the person confirms."""
    from memory_mcp.errors import UserError
    from memory_mcp.model.actor import Actor

    try:
        return app.caller.turns.begin(text, taken.native_id, Actor(taken.agent, taken.native_id)).text
    except UserError:
        return ""  # the person can still use the command


def end_turn(app: App, taken: Taken) -> str:
    """The turn is over, and so is what it confirmed."""
    from memory_mcp.errors import UserError

    try:
        app.caller.turns.end(taken.native_id)
    except UserError:
        pass  # its hour ends too
    return ""


def _file_name(native_id: str) -> str:
    if re.match(_PLAIN, native_id):
        return f"{native_id}.json"
    from memory_mcp.model.safe_name import safe_folder_name

    return f"{safe_folder_name(native_id)}.json"
