"""One client that fires hooks, each a process of its own, as fast as they end.

    python hook_worker.py DATA_DIR FOLDER SESSION TURNS

A turn is a prompt, a tool call told twice before and twice after it, as by hooks that are installed twice,
and a stop. Every answer must be JSON, every exit code 0, and nothing may be on stderr.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys


def main(data_dir: str, folder: str, session: str, turns: int) -> None:
    def fire(event: str, **fields: object) -> None:
        command = [sys.executable, "-m", "memory_mcp", "hook", "--event", event, "--agent", "claude-code"]
        payload = {"session_id": session, "cwd": folder, **fields}
        done = subprocess.run(
            [*command, "--data-dir", data_dir],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=folder,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
        assert isinstance(json.loads(done.stdout), dict)

    fire("session-start", source="startup")
    for turn in range(turns):
        fire("user-prompt", prompt=f"Step {turn} of {session}")
        call = {"tool_name": "Bash", "tool_use_id": f"{session}-{turn}", "tool_input": {"command": "make"}}
        for event in ("pre-tool-use", "post-tool-use"):
            for _ in range(2):
                fire(event, **call, tool_response=f"done {turn}")
        fire("stop")
    fire("session-end", reason="other")
    print(os.getpid())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
