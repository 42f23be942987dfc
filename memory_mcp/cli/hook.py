"""`memory-mcp hook`: what the clients run at each step of a session.

It never blocks the agent: whatever happens, it answers in the form that the client expects and exits 0. An
event that is only recorded imports nothing but the standard library.
"""

from __future__ import annotations

import gc
import os
import sys

from memory_mcp.capture.hook_answer import hook_answer, injects
from memory_mcp.capture.hook_arguments import DATA_DIR_VARIABLE, HookArguments
from memory_mcp.capture.hook_event import Taken, take
from memory_mcp.capture.payload import MAX_PAYLOAD_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn


# ruff: noqa: PLC0415 - what the rare events need

FOLD_SECONDS = 1.0
LOCK_SECONDS = 1.0
_CHUNK_BYTES = 1024 * 1024


def run_hook(arguments: Sequence[str]) -> NoReturn:
    """Record the event that stdin describes, answer on stdout, and end the process."""
    gc.disable()  # the process ends before there is garbage worth collecting
    taken = Taken(HookArguments(arguments, {}))
    context = ""
    try:
        taken = take(arguments, _stdin(), _environment(arguments))
        if taken.problem:
            _warn(taken.problem)
        if "--check-capture" in arguments:
            _check(taken)
        context = _go_on(taken)
    except BaseException as error:  # a bug of ours must not stop the agent, nor an interrupt
        _warn(f"the hook failed: {type(error).__name__}")
    try:
        _print(hook_answer(taken.agent, taken.event, context))
    finally:
        os._exit(0)  # nothing is left to tear down


def _check(taken: Taken) -> NoReturn:
    """Say what the capture policy makes of the event, and do nothing else."""
    import json

    _print(json.dumps(taken.decision) + "\n")
    os._exit(0)


def _stdin() -> bytes:
    """What the client says, all of it: one that cannot finish writing may fail itself."""
    if os.isatty(0):
        return b""
    pieces = []
    size = 0
    while piece := os.read(0, _CHUNK_BYTES):
        if size <= MAX_PAYLOAD_BYTES:
            pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _environment(arguments: Sequence[str]) -> Mapping[str, str]:
    """The environment with a data dir, also where nobody named one."""
    if os.environ.get(DATA_DIR_VARIABLE) or any(word.startswith("--data-dir") for word in arguments):
        return os.environ
    return {**os.environ, DATA_DIR_VARIABLE: _default_data_dir()}


def _default_data_dir() -> str:
    """The folder that `config.find_data_dir` falls back to; the hooks of a plugin name none."""
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and os.path.isabs(home) and not os.environ.get("XDG_DATA_HOME"):
        return os.path.join(home, ".local/share/memory-mcp")  # without an import of 11 ms
    from platformdirs import user_data_dir

    return user_data_dir("memory-mcp", appauthor=False)


def _go_on(taken: Taken) -> str:
    """Do what an event asks for besides being recorded; what it adds to the agent's context."""
    if not taken.native_id:
        return ""
    if taken.event in ("session-start", "session-end"):
        return _at_boundary(taken)
    if taken.event in ("user-prompt", "stop"):
        from memory_mcp.cli.hook_turn import follow_turn

        told = [follow_turn(taken)]
        if taken.wants_recall and injects(taken.agent, taken.event):
            told.append(_recall(taken))
        return "\n\n".join(text for text in told if text)
    return ""


def _recall(taken: Taken) -> str:
    """The passages that matter for the prompt."""
    from memory_mcp.cli.hook_app import open_hook_app
    from memory_mcp.model.session_id import session_id

    app = open_hook_app(taken)
    try:
        session = session_id(taken.agent, taken.native_id)
        return app.continuity.prompt_recall.passages(taken.prompt, session)
    finally:
        app.close()


def _at_boundary(taken: Taken) -> str:
    """Fold what waits, in at most a second; at a start, what the session is told."""
    from memory_mcp.cli.hook_app import open_hook_app
    from memory_mcp.cli.hook_turn import begin_session, end_turn

    app = open_hook_app(taken)
    try:
        starts = taken.event == "session-start"
        (begin_session if starts else end_turn)(app, taken)
        if starts and injects(taken.agent, taken.event):
            return app.continuity.session_start.start(taken.agent, taken.native_id, taken.cwd, taken.start)
        app.continuity.spool_fold.fold(FOLD_SECONDS, LOCK_SECONDS)
        return ""
    finally:
        app.close()


def _print(text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(1, data) :]


def _warn(text: str) -> None:
    """Say on stderr what went wrong; clients show it to nobody but who looks for it."""
    try:
        os.write(2, f"memory-mcp: {text}\n".encode("utf-8", "replace"))
    except OSError:
        pass
