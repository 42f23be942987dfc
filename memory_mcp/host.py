"""For a host that runs an agent in Python: what the person says in a turn, and what a session starts with.

host = Host(session=conversation_id)            # the server gets the same id as MEMORY_MCP_SESSION
start = host.turn_begin("the importer is done")
...
host.turn_end()
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.app import App
from memory_mcp.config import load_settings
from memory_mcp.model.actor import Actor

if TYPE_CHECKING:
    from memory_mcp.callers.prompt.session_prompt import BuiltPrompt
    from memory_mcp.callers.tasks.turn import TurnStart


class Host:
    """The memory of one caller, as the program sees it that passes the person's words to the agent.

    `data_dir` and `caller` as `--data-dir` and `--caller`; `session` is the conversation, else that of the
    environment. Everything may raise a `memory_mcp.errors.UserError`, whose text is one sentence.
    """

    def __init__(
        self, data_dir: str | Path | None = None, caller: str | None = None, session: str = ""
    ) -> None:
        folder = None if data_dir is None else str(data_dir)
        settings = load_settings(folder, os.environ, Path.cwd(), caller)
        self._app = App(settings)
        self._session = session or settings.session

    def turn_begin(self, user_text: str, session: str = "") -> TurnStart:
        """A turn begins, with what the person wrote; call it before the agent runs.

        For this turn the text can confirm that a task be dismissed. The first text of a session is also
        compared with the open tasks; see `TurnStart` for what to do with the result. Text that the person
        only passes on (a forwarded message, a file) must not be given: give "" for it.
        """
        session = session or self._session
        return self._app.caller.turns.begin(user_text, session, Actor("host", session))

    def turn_end(self, session: str = "") -> None:
        """The turn is over, also when it failed: nothing that it confirmed counts any more."""
        self._app.caller.turns.end(session or self._session)

    def build_system_prompt(
        self, identity_prompt: str = "", runtime_context: str = "", request: str = ""
    ) -> BuiltPrompt:
        """What the agent starts with, and its stamp, which changes when a file that it carries does.

        `identity_prompt` says who the agent is and stands first, `runtime_context` is the host's own and
        stands last. With `request`, the person's text, a vague one brings what it may mean.
        """
        return self._app.caller.prompt.build(identity_prompt, runtime_context, request)

    def prompt_version(self) -> str:
        """The stamp of the prompt as it would be now: build another only where it differs from yours."""
        return self._app.caller.prompt.version()

    def close(self) -> None:
        """Let go of open files."""
        self._app.close()
