"""Ranking alone: no look at the files, no passages, no snippets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.corpus import sample_queries
from bench.measure import Row, cpu, interleaved, percentile
from bench.store import SCOPE, Store
from memory_mcp.search.index.doc_set import doc_set
from memory_mcp.search.index.index_read import DocSet, IndexReader, open_reader
from memory_mcp.search.index.page_index import current_name
from memory_mcp.search.rank.scorer import Ranking, search
from memory_mcp.search.text.query_text import parse_query

ROUNDS = 3


def measure(store: Store) -> Iterator[Row]:
    """Warm searches of one scope against FTS5, each the least of some rounds."""
    index = store.data_dir / "index"
    reader = open_reader(index / current_name(index))
    allow = doc_set(reader, [str(SCOPE)])
    ours, base = [], []
    for words in sample_queries(store.files, 300):
        ways = (
            partial(cpu, partial(_search, reader, " ".join(words), allow)),
            partial(cpu, partial(store.fts.query, words)),
        )
        least = interleaved(ways, ROUNDS)
        ours.append(least[0] * 1e3)
        base.append(least[1] * 1e3)
    reader.close()
    for percent in (50, 99):
        yield Row(
            f"scorer p{percent} / FTS5", percentile(ours, percent), "ms", 0.5, percentile(base, percent)
        )


def _search(reader: IndexReader, text: str, allow: DocSet) -> Ranking:
    return search(reader, parse_query(text), allow)
