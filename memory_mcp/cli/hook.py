"""`memory-mcp hook`: what the clients run at each step of a session.

It never blocks the agent: whatever happens, it answers in the form that the client expects and exits 0. An
event that is only recorded imports nothing but the standard library.
"""

from __future__ import annotations

import os
import sys

from memory_mcp.capture.hook_answer import hook_answer, injects
from memory_mcp.capture.hook_event import DATA_DIR_VARIABLE, take, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from memory_mcp.capture.hook_event import Taken


# ruff: noqa: PLC0415 - what the rare events need

FOLD_SECONDS = 1.0
LOCK_SECONDS = 1.0


def run_hook(arguments: Sequence[str]) -> NoReturn:
    """Record the event that stdin describes, answer on stdout, and end the process."""
    answer = "{}\n"
    try:
        taken = take(arguments, sys.stdin.buffer.read(), _environment(arguments))
        if taken.problem:
            warn(taken.problem)
        answer = hook_answer(taken.agent, taken.event, _go_on(taken))
    except Exception as error:  # a bug of ours must not stop the agent
        warn(f"the hook failed: {type(error).__name__}")
    try:
        os.write(1, answer.encode("utf-8", "replace"))
        sys.stderr.flush()
    finally:
        os._exit(0)  # nothing is left to tear down


def _environment(arguments: Sequence[str]) -> Mapping[str, str]:
    """The environment with a data dir, also where nobody named one."""
    if os.environ.get(DATA_DIR_VARIABLE) or any(word.startswith("--data-dir") for word in arguments):
        return os.environ
    from platformdirs import user_data_dir  # installed hooks name the folder

    return {**os.environ, DATA_DIR_VARIABLE: user_data_dir("memory-mcp", appauthor=False)}


def _go_on(taken: Taken) -> str:
    """Do what an event asks for besides being recorded; what it adds to the agent's context."""
    if taken.event in ("session-start", "session-end"):
        return _at_boundary(taken)
    if taken.event == "user-prompt" and taken.wants_recall and injects(taken.agent, taken.event):
        return _recall(taken)
    return ""


def _recall(taken: Taken) -> str:
    """The passages that matter for the prompt."""
    from memory_mcp.cli.hook_app import open_hook_app

    app = open_hook_app(taken)
    try:
        return app.continuity.prompt_recall.passages(taken.prompt, taken.native_id)
    finally:
        app.close()


def _at_boundary(taken: Taken) -> str:
    """Fold what waits, in at most a second; at a start, what the session is told."""
    from memory_mcp.cli.hook_app import open_hook_app

    app = open_hook_app(taken)
    try:
        if taken.event == "session-end" or not injects(taken.agent, taken.event):
            app.continuity.spool_fold.fold(FOLD_SECONDS, LOCK_SECONDS)
            return ""
        return app.continuity.session_start.start(taken.agent, taken.native_id, taken.cwd, taken.start)
    finally:
        app.close()
