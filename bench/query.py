"""A whole `memory_query` as an agent without scope arguments asks it, in a warm process.

The scope is resolved, all its files and those of the standing preferences are looked at, both are searched,
and passages and snippets are read from the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.baseline import bare_walk
from bench.corpus import sample_queries
from bench.measure import Row, cpu, interleaved, percentile
from bench.store import Store

ROUNDS = 2


def measure(store: Store) -> Iterator[Row]:
    """Against the same query of FTS5 and a bare walk of the same files."""
    app = store.open()
    folder = str(store.folder.parent)
    ours, base = [], []
    for words in sample_queries(store.files, 150):
        ways = (
            partial(cpu, partial(app.query.query, " ".join(words))),
            partial(cpu, partial(store.fts.query, words)),
            partial(cpu, partial(bare_walk, folder)),
        )
        least = interleaved(ways, ROUNDS)
        ours.append(least[0] * 1e3)
        base.append((least[1] + least[2]) * 1e3)
    app.close()
    for percent in (50, 99):
        name = f"query p{percent} / FTS5 and bare walk"
        yield Row(name, percentile(ours, percent), "ms", 1.5, percentile(base, percent))
