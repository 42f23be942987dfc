"""What folding a thousand events costs: session files, pages, handoffs, logs, commits, and no index."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bench.measure import Row, cpu
from bench.store import Store
from memory_mcp.app import App
from memory_mcp.capture.spool import Spool, time_text
from memory_mcp.config import Settings

EVENTS = 1_000
SESSIONS = 20
GOAL_MS = 1_000
ROUNDS = 3
AGO_MS = 60_000
OUTPUT = "src/importer/step.py: 17 passed, 0 failed\n" * 40


def measure(store: Store) -> Iterator[Row]:
    """The least of some folds, each of its own events into a store of its own."""
    took = []
    for number in range(ROUNDS):
        root = store.root / f"fold-{number}"
        project = root / "importer"
        (project / ".git").mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        settings = Settings(data_dir=root / "data", start_folder=project, home=root, vectors_enabled=False)
        app = App(replace(settings), indexes=False)
        app.changes.prepare()
        spool = Spool(str(app.data_dir.spool))
        begin = time.time_ns() // 1_000_000 - AGO_MS
        for at, entry in enumerate(_entries(str(project), begin), begin):
            spool.put(entry, at)
        took.append(cpu(lambda app=app: app.continuity.spool_fold.fold()))  # type: ignore[misc]
        app.close()
    yield Row(f"fold of {EVENTS:,} events", min(took) * 1e3, "ms", GOAL_MS)


def _entries(folder: str, begin: int) -> Iterator[Mapping[str, Any]]:
    sessions = [str(uuid.UUID(int=number + 1, version=4)) for number in range(SESSIONS)]
    for number in range(EVENTS):
        step = number // SESSIONS
        kind = "session-start" if step == 0 else "user-prompt" if step % 5 == 1 else "post-tool-use"
        kind = "stop" if step % 5 == 4 else "session-end" if step == EVENTS // SESSIONS - 1 else kind
        yield {
            "v": 1,
            "key": f"{number:032x}",
            "created": time_text(begin + number),
            "event": kind,
            "agent": "claude-code",
            "native_id": sessions[number % SESSIONS],
            "cwd": folder,
            "kind": kind,
            "title": f"Step {step} of the importer" if kind == "user-prompt" else "tool file",
            "body": OUTPUT if kind == "post-tool-use" else f"Step {step} of the importer",
        }
