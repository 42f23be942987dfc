"""Run as a process: writes sections of the profile, says what was acknowledged, and may be killed at a step.

    profile_worker.py DATA_DIR WRITES KILL_AT

WRITES is JSON, a list of [section, text]. The process kills itself when it reaches the step KILL_AT ("":
never), once its first write is under way. Each finished write is one line on stdout, its position.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from memory_mcp.app import App
from memory_mcp.config import load_settings
from memory_mcp.model.actor import Actor
from memory_mcp.store import steps


def main() -> None:
    data_dir, writes, kill_at = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    app = App(load_settings(data_dir, os.environ, Path.cwd()))
    journalled = False

    def reach(step: str) -> None:
        nonlocal journalled
        journalled = journalled or step == "journal.written"
        if journalled and step == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    steps.listeners.append(reach)
    for number, (section, text) in enumerate(writes):
        app.caller.profile.write(text, Actor("worker"), section=section)
        print(number, flush=True)


if __name__ == "__main__":
    main()
