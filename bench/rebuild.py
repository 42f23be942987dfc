"""A whole rebuild of the index from the files, in a new process."""

from __future__ import annotations

from collections.abc import Iterator

from bench.baseline import build_fts, read_pages
from bench.measure import Row, cpu, interleaved, run_python
from bench.store import Store

ROUNDS = 3

CODE = """
import os
from pathlib import Path
from memory_mcp.app import App
from memory_mcp.config import load_settings
App(load_settings(None, os.environ, Path.cwd())).reindex()
"""


def measure(store: Store) -> Iterator[Row]:
    """Against FTS5 reading and indexing the same files."""
    memory = []

    def ours() -> float:
        ran = run_python(CODE, store.project, store.environ)
        memory.append(ran.memory)
        return ran.cpu

    database = store.root / "rebuild.db"

    def theirs() -> float:
        return cpu(lambda: build_fts(database, read_pages(store.files)))

    least, fts = interleaved([ours, theirs], ROUNDS)
    yield Row("rebuild from files / FTS5", least, "s", 6, fts)
    yield Row("rebuild, resident at most", max(memory), "MB", 200)
