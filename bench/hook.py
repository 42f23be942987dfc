"""What a hook costs that only records: the whole process, against importing what any such program needs."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bench.measure import ROOT, Row, interleaved
from bench.store import Store

ROUNDS = 40
GOAL = 1.3
BASELINE = "import json, os, re, hashlib"
# As pip writes it for the command.
SCRIPT = (
    "import sys\nfrom memory_mcp.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
)
PROMPT = "Let the importer try again when the server is busy, and wait a little longer each time. " * 12
OUTPUT = "\n".join(f"src/importer/step_{number}.py: 17 passed, 0 failed" for number in range(160))
CALL = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_use_id": "toolu_01A"}


def measure(store: Store) -> Iterator[Row]:
    """CPU by the kind of event, with neither a config in the data dir nor a marker in the folder."""
    folder = store.root / "hooked"
    folder.mkdir()
    script = folder / "memory-mcp"
    script.write_text(SCRIPT, encoding="utf-8")
    environ = compiled_environment(folder)
    events: dict[str, dict[str, Any]] = {
        "user-prompt": {"prompt": PROMPT},
        "pre-tool-use": CALL,
        "post-tool-use": {**CALL, "tool_response": OUTPUT},
        "stop": {"stop_hook_active": False},
    }
    ways = [partial(run_process, [sys.executable, "-c", BASELINE], b"", environ)]
    for event, fields in events.items():
        command = [sys.executable, str(script), "hook", "--event", event, "--agent", "claude-code"]
        payload = {"session_id": "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10", "cwd": str(folder), **fields}
        command += ["--data-dir", str(folder / "data")]
        ways.append(partial(run_process, command, json.dumps(payload).encode(), environ))
    base, *ours = interleaved(ways, ROUNDS)
    for event, took in zip(events, ours, strict=True):
        yield Row(f"hook {event} / json, os, re, hashlib", took * 1e3, "ms", GOAL, base * 1e3)


def compiled_environment(folder: Path) -> Mapping[str, str]:
    """That of a person's machine: the product is installed, and so compiled."""
    cache = folder / "compiled"
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(cache), "HOME": str(folder)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(
        [sys.executable, "-m", compileall.__name__, "-q", str(ROOT / "memory_mcp")], env=environ, check=True
    )
    return environ


def run_process(command: list[str], data: bytes, environ: Mapping[str, str]) -> float:
    """CPU seconds of a process that is given `data` on stdin."""
    reading, writing = os.pipe()
    os.write(writing, data)  # less than a pipe holds
    os.close(writing)
    process = subprocess.Popen(command, stdin=reading, stdout=subprocess.DEVNULL, env=environ)
    os.close(reading)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"exit {process.returncode} of {command}")
    return usage.ru_utime + usage.ru_stime
