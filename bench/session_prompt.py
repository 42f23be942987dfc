"""What a session starts with, of a caller with 2,000 notes: lint, snapshot and tasks included."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

from bench.measure import Row, cpu, interleaved
from bench.store import Store
from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.clock import format_time, utc_now

NOTES = 2_000
TASKS = 20
ROUNDS = 10
GOAL = 2.5
GOAL_MS = 50


def measure(store: Store) -> Iterator[Row]:
    """Against reading and stat-ing the same files, and in milliseconds."""
    with tempfile.TemporaryDirectory(dir=store.root) as folder:
        root = Path(folder)
        app = App(Settings(data_dir=root / "data", start_folder=root, home=root, vectors_enabled=False))
        files = _write(app.caller.folder.root)
        ways = (
            partial(cpu, app.caller.prompt.build),
            partial(cpu, partial(_read_all, files)),
            partial(cpu, app.caller.prompt.version),
        )
        ours, base, version = interleaved(ways, ROUNDS)
        app.close()
    name = f"session prompt, {NOTES:,} notes"
    yield Row(f"{name} / reading the files", ours * 1e3, "ms", GOAL, base * 1e3)
    yield Row(name, ours * 1e3, "ms", GOAL_MS)
    yield Row("its stamp alone", version * 1e3, "ms", 10)


def _write(root: Path) -> list[str]:
    """A caller's files as tools write them; returns their paths."""
    now = utc_now()
    files = {}
    entries = []
    for number in range(NOTES):
        hook = f"What is known about subject {number} and when to look at it"
        updated = format_time(now - timedelta(hours=number))
        files[f"memory/notes/subject-{number}.md"] = (
            f"---\nsummary: {hook}\ncreated: {updated}\nupdated: {updated}\n---\n"
            f"# Subject {number}\n\n## Actuel\n\n{'What holds now of this subject. ' * 10}\n"
        )
        entries.append(f"- [subject-{number}](notes/subject-{number}.md): {hook}\n")
    files["memory/MEMORY.md"] = "# MEMORY.md\n\n## Index\n" + "".join(sorted(entries))
    files["memory/USER.md"] = "# USER.md\n\n## Profile\n" + "A fact about the person.\n" * 60
    for number in range(TASKS):
        task_id = f"019ad4b2-6c1e-7a30-9f11-5d2c80b7{number:04x}"
        files[f"tasks/{task_id}.md"] = (
            f"---\nstate: active\ntype: task\nid: {task_id}\ntitle: Task {number}\n"
            "created: 2026-11-29T12:00:00Z\nlist: today\nhistory:\n"
            "  - {at: 2026-11-29T12:00:00Z, event: added, agent: bench}\n---\n"
        )
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return [str(root / path) for path in files]


def _read_all(files: list[str]) -> None:
    for path in files:
        os.stat(path)
        with open(path, "rb") as file:
            file.read()
