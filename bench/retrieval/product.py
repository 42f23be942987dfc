"""The product as it answers a set: a store with its pages, asked through the query service."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bench.measure import cpu
from bench.retrieval.changed_code import Changes, changed
from bench.retrieval.evaluation_set import ASKED_AT, Question, Space
from bench.retrieval.measures import DEPTH
from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.scope import Scope
from memory_mcp.pages.page_query import QueryResult
from memory_mcp.search.answer import QueryAnswer
from memory_mcp.search.rank.weights import Weights

WORKSPACE = "bench"
MAX_PAGES = 3000
"""How many pages, about, one store holds: a set of many spaces takes several stores, one after the other."""


@dataclass(slots=True)
class Run:
    """What came of the questions of a set: the paths found and the CPU milliseconds of each, in order."""

    index_cpu: float = 0.0
    found: list[Sequence[str]] = field(default_factory=list)
    query_ms: list[float] = field(default_factory=list)


class Product:
    """A process that uses a store of some spaces; the clock is the question's.

    The store is made at `root` if nothing is there yet; `index_cpu` is what indexing cost then.
    """

    def __init__(self, root: Path, spaces: Sequence[Space], weights: Weights, *, vectors: bool) -> None:
        self._now = ASKED_AT
        settings = Settings(data_dir=root, start_folder=root, home=root, vectors_enabled=vectors)
        is_new = not root.exists()
        self.app = App(settings, clock=self._clock)
        self.app.search.weights = weights
        self.index_cpu = self._fill(spaces, vectors=vectors) if is_new else 0.0

    def query(self, space: Space, question: Question) -> QueryResult:
        """What the query service answers to an agent that works in the space, at the question's time."""
        self._now = question.asked_at
        return self.app.query.query(question.text, limit=DEPTH, workspace=WORKSPACE, project=space.name)

    def search(self, space: Space, question: Question, limit: int) -> QueryAnswer:
        """More than a service answers: as many pages as wanted, with every number."""
        self._now = question.asked_at
        scope = Scope(WORKSPACE, space.name)
        return self.app.search.query(question.text, (scope,), limit=limit, explain=True)

    def _fill(self, spaces: Sequence[Space], *, vectors: bool) -> float:
        """Write the pages; the CPU seconds that indexing them takes, with `vectors` embedding them too."""
        for space in spaces:
            for page in space.pages:
                file = self.app.data_dir.wiki / WORKSPACE / space.name / page.path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(page.data())
        return cpu(self.app.reindex) + (cpu(self.app.vectors.embed) if vectors else 0.0)

    def _clock(self) -> datetime:
        return self._now


Ask = Callable[[Product, Space, Question], Sequence[str]]
"""How a question is put to the product; returns the paths found, best first."""


def ask_plainly(product: Product, space: Space, question: Question) -> Sequence[str]:
    """Ask the query service as it is."""
    return [hit.path for hit in product.query(space, question).hits]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to rank, and what is special about it, in words.

    `changes` are in force while its pages are indexed, in a store of its own, and while it is asked.
    """

    what: str
    weights: Weights = field(default_factory=Weights)
    changes: Changes = field(default_factory=dict)
    ask: Ask = ask_plainly


AS_IT_IS = Way("the product as it is")


def ask_product(spaces: Sequence[Space], ways: Mapping[str, Way], *, vectors: bool = False) -> dict[str, Run]:
    """Put all questions to the product in each of the ways; with `vectors` pages are embedded too."""
    runs = {name: Run() for name in ways}
    for group in groups(spaces):
        with tempfile.TemporaryDirectory(prefix="memory-mcp-retrieval-") as folder:
            index_cpu: dict[Path, float] = {}
            for number, (name, way) in enumerate(ways.items(), 1):
                root = Path(folder) / (f"changed-{number}" if way.changes else "as-it-is")
                with changed(way.changes), opened(root, group, way.weights, vectors=vectors) as product:
                    runs[name].index_cpu += index_cpu.setdefault(root, product.index_cpu)
                    _ask_all(product, group, way.ask, runs[name])
    return runs


@contextmanager
def opened(root: Path, spaces: Sequence[Space], weights: Weights, *, vectors: bool) -> Iterator[Product]:
    """A product over the pages of some spaces, closed afterwards."""
    product = Product(root, spaces, weights, vectors=vectors)
    gc.collect()
    try:
        yield product
    finally:
        product.app.close()


def _ask_all(product: Product, spaces: Sequence[Space], ask: Ask, run: Run) -> None:
    ask(product, spaces[0], spaces[0].questions[0])  # what a first query loads is not a query's cost
    for space in spaces:
        for question in space.questions:
            start = time.process_time()
            found = ask(product, space, question)
            run.query_ms.append((time.process_time() - start) * 1e3)
            run.found.append(found)


def groups(spaces: Sequence[Space]) -> Iterator[list[Space]]:
    """The spaces in groups that one store holds. Ranks do not depend on it: statistics are a scope's own."""
    group: list[Space] = []
    pages = 0
    for space in spaces:
        if group and pages + len(space.pages) > MAX_PAGES:
            yield group
            group, pages = [], 0
        group.append(space)
        pages += len(space.pages)
    if group:
        yield group
