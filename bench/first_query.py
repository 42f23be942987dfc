"""The first query of a new process, without the start of the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.corpus import sample_queries
from bench.measure import Row, interleaved, run_python
from bench.store import Store

ROUNDS = 7

CODE = """
import os
from pathlib import Path
from memory_mcp.app import App
from memory_mcp.config import load_settings
assert App(load_settings(None, os.environ, Path.cwd())).query.query({text!r}).hits
os._exit(0)
"""


def measure(store: Store) -> Iterator[Row]:
    """Against importing Whoosh alone."""
    text = " ".join(sample_queries(store.files, 3)[-1])
    whoosh = "import os, whoosh.index, whoosh.query; os._exit(0)"
    codes = ("import os; os._exit(0)", whoosh, CODE.format(text=text))
    ways = [partial(_run, code, store) for code in codes]
    start, base, ours = interleaved(ways, ROUNDS)
    yield Row("first query / import of Whoosh", (ours - start) * 1e3, "ms", 3, (base - start) * 1e3)


def _run(code: str, store: Store) -> float:
    return run_python(code, store.project, store.environ).cpu
