"""Finding by meaning: the cosines alone, and what they add to a query; needs the extra `vectors`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench.corpus import sample_queries
from bench.measure import Row, cpu, interleaved, note, percentile
from bench.store import SCOPE, Store
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.manifest import Manifest
from memory_mcp.search.index.page_index import current_name
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.vectors.embedder import find_embedder
from memory_mcp.search.vectors.vector_search import VectorSearch

ROUNDS = 3
CANDIDATES = 30


def measure(store: Store) -> Iterator[Row]:
    """Cosines of new questions against a bare product of the same size; queries with and without."""
    app, plain = store.open(vectors=True), store.open()
    note("vectors")
    seconds = cpu(lambda: app.vectors.embed())
    yield Row("embedding all pages, a page", seconds / store.pages * 1e3, "ms", 3)
    embedder = find_embedder()
    if isinstance(embedder, str):
        raise SystemExit(embedder)
    vectors = VectorSearch(app.data_dir.wiki, app.data_dir.vectors, app.lock, embedder, background=False)
    index = store.data_dir / "index"
    reader = open_reader(index / current_name(index))
    pages = Snapshot(app.data_dir.wiki, Manifest(), reader, Delta(reader), (SCOPE,))
    vectors.missing(pages)
    rows = vectors.rows
    questions = [" ".join(words) for words in sample_queries(store.files, 100)]
    ours, base = [], []
    for number, question in enumerate(questions):
        turns = iter(range(ROUNDS))  # another question in each round, for the last one is remembered
        ways = (
            partial(cpu, partial(_cosines, vectors, pages, question, turns)),
            partial(cpu, partial(np.einsum, "ij,j->i", rows, rows[number])),
        )
        least = interleaved(ways, ROUNDS)
        ours.append(least[0] * 1e3)
        base.append(least[1] * 1e3)
    reader.close()
    yield Row(
        f"cosines of {len(rows):,} passages / product", percentile(ours, 50), "ms", 2, percentile(base, 50)
    )
    ours, base = [], []
    for question in questions:
        least = interleaved(
            (
                partial(cpu, partial(app.query.query, question)),
                partial(cpu, partial(plain.query.query, question)),
            ),
            ROUNDS,
        )
        ours.append(least[0] * 1e3)
        base.append(least[1] * 1e3)
    app.close()
    plain.close()
    yield Row("query p50 / without vectors", percentile(ours, 50), "ms", 1.3, percentile(base, 50))


def _cosines(vectors: VectorSearch, pages: Snapshot, question: str, turns: Iterator[int]) -> object:
    return vectors.cosines(f"{question} {next(turns)}", pages, range(CANDIDATES), 25)
