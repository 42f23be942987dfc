"""What names, links, dates and passages cost a query, over pages that have them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench.corpus import MONTHS, sample_queries
from bench.measure import Row, cpu, interleaved, percentile
from bench.store import SCOPE, Store
from memory_mcp.app import App
from memory_mcp.search.rank.weights import Weights

ROUNDS = 3
GOAL_MS = 10
"""At 10,000 pages; it may grow as the pages do."""
TEXT_ONLY = replace(Weights(), vector=0.0, entity=0.0, link=0.0, time=0.0, rescored=0)


def measure(store: Store) -> Iterator[Row]:
    """The difference to the same query by full text alone; every other query names a month."""
    above = []
    with tempfile.TemporaryDirectory(dir=store.root) as folder:
        connected = Store(Path(folder), store.corpus, store.pages, connected=True)
        app = connected.open()
        for number, words in enumerate(sample_queries(connected.files, 150)):
            month = f" in {MONTHS[number % len(MONTHS)]} 2025" if number % 2 else ""
            ask = partial(_ask, app, " ".join(words) + month)
            text, every = interleaved([partial(ask, TEXT_ONLY), partial(ask, Weights())], ROUNDS)
            above.append((every - text) * 1e3)
        app.close()
    goal = GOAL_MS * max(1.0, store.pages / 10_000)
    yield Row("all streams above full text, mean", sum(above) / len(above), "ms", goal)
    yield Row("all streams above full text, p99", percentile(above, 99), "ms", goal)


def _ask(app: App, text: str, weights: Weights) -> float:
    app.search.weights = weights
    return cpu(partial(app.query.query, text, workspace=SCOPE.workspace, project=SCOPE.project))
