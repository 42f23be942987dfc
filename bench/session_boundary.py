"""What the hooks cost that do more than record: a start with a handoff and a brief, a prompt with recall."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterator, Mapping

from bench.hook import compiled_environment, run_process
from bench.measure import Row
from bench.store import SCOPE, Store

ROUNDS = 8
START_GOAL_MS = 150
RECALL_GOAL_MS = 250


def measure(store: Store) -> Iterator[Row]:
    """The least of some rounds, each of whole processes, over the store of the bench."""
    folder = store.root / "worked-in"
    folder.mkdir()
    marker = f'workspace = "{SCOPE.workspace}"\nproject = "{SCOPE.project}"\n'
    (folder / ".memory-mcp.toml").write_text(marker, encoding="utf-8")
    environ = compiled_environment(folder)
    starts, recalls = [], []
    for number in range(ROUNDS):
        one, two = str(uuid.uuid4()), str(uuid.uuid4())
        for event, fields in (
            ("session-start", {"source": "startup"}),
            ("user-prompt", {"prompt": f"Make step {number} of the importer retry"}),
            ("stop", {}),
            ("session-end", {}),
        ):
            _hook(store, environ, event, one, "claude-code", fields)
        starts.append(_hook(store, environ, "session-start", two, "codex", {"source": "startup"}))
        words = " ".join(store.files[number].read_text(encoding="utf-8").split()[5:20])
        recalls.append(_hook(store, environ, "user-prompt", two, "codex", {"prompt": words}, "--recall"))
    yield Row("session start with handoff and brief", min(starts) * 1e3, "ms", START_GOAL_MS)
    yield Row("prompt with recall", min(recalls) * 1e3, "ms", RECALL_GOAL_MS)


def _hook(
    store: Store,
    environ: Mapping[str, str],
    event: str,
    session: str,
    agent: str,
    fields: Mapping[str, str],
    *words: str,
) -> float:
    command = [sys.executable, "-m", "memory_mcp", "hook", "--event", event, "--agent", agent, *words]
    payload = {"session_id": session, "cwd": str(store.root / "worked-in"), **fields}
    data = json.dumps(payload).encode()
    return run_process([*command, "--data-dir", str(store.data_dir)], data, environ)
