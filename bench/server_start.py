"""CPU from the start of a server to its answer to `initialize`, and its memory after a query and a write."""

from __future__ import annotations

from collections.abc import Iterator

from bench.corpus import sample_queries
from bench.measure import Row
from bench.server import EMPTY, OURS, started
from bench.store import Store

ROUNDS = 9


def measure(store: Store) -> Iterator[Row]:
    """Against a server of the SDK that offers nothing."""
    text = " ".join(sample_queries(store.files, 3)[-1])
    cpu = empty_cpu = memory = empty_memory = float("inf")
    for count in range(ROUNDS):
        with started(EMPTY, store) as server:
            server.ask("ping", {})
            empty_cpu = min(empty_cpu, server.start_cpu)
            empty_memory = min(empty_memory, server.memory())
        with started(OURS, store) as server:
            server.call("memory_query", {"query": text})
            body = f"# Bench\n\nNumber {count} of these pages.\n"
            server.call("memory_write_page", {"path": "notes/bench.md", "body": body})
            cpu = min(cpu, server.start_cpu)
            memory = min(memory, server.memory())
    yield Row("server start to initialize / empty server", cpu * 1e3, "ms", 1.1, empty_cpu * 1e3)
    yield Row("memory after query and write / empty server", memory, "MB", 1.5, empty_memory)
