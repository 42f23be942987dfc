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
from bench.retrieval.evaluation_set import ASKED_AT, Question, Space
from bench.retrieval.measures import DEPTH
from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.scope import Scope
from memory_mcp.pages.page_query import QueryResult
from memory_mcp.search.answer import QueryAnswer

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
    """A store of some spaces and the services of a process that uses it; the clock is the question's."""

    def __init__(self, root: Path, spaces: Sequence[Space], *, vectors: bool) -> None:
        self._now = ASKED_AT
        settings = Settings(data_dir=root, start_folder=root, home=root, vectors_enabled=vectors)
        self.app = App(settings, clock=self._clock)
        wiki = self.app.data_dir.wiki / WORKSPACE
        for space in spaces:
            for page in space.pages:
                file = wiki / space.name / page.path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(page.data())
        self.index_cpu = cpu(self.app.reindex)
        if vectors:
            self.index_cpu += cpu(self.app.vectors.embed)

    def query(self, space: Space, question: Question) -> QueryResult:
        """What the query service answers to an agent that works in the space, at the question's time."""
        self._now = question.asked_at
        return self.app.query.query(question.text, limit=DEPTH, workspace=WORKSPACE, project=space.name)

    def search(self, space: Space, question: Question, limit: int) -> QueryAnswer:
        """More than a service answers: as many pages as wanted, with every number."""
        self._now = question.asked_at
        scope = Scope(WORKSPACE, space.name)
        return self.app.search.query(question.text, (scope,), limit=limit, explain=True)

    def _clock(self) -> datetime:
        return self._now


Ask = Callable[[Product, Space, Question], Sequence[str]]
"""A way to put a question to the product; returns the paths found, best first."""


def ask_plainly(product: Product, space: Space, question: Question) -> Sequence[str]:
    """Ask the query service as it is."""
    return [hit.path for hit in product.query(space, question).hits]


@contextmanager
def opened(spaces: Sequence[Space], *, vectors: bool) -> Iterator[Product]:
    """A product over the pages of some spaces, in a temporary folder; with `vectors` they are embedded."""
    with tempfile.TemporaryDirectory(prefix="memory-mcp-retrieval-") as folder:
        product = Product(Path(folder) / "data", spaces, vectors=vectors)
        gc.collect()
        try:
            yield product
        finally:
            product.app.close()


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


def ask_product(spaces: Sequence[Space], ways: Mapping[str, Ask], *, vectors: bool = False) -> dict[str, Run]:
    """Put all questions to the product in each of the ways, which take turns."""
    runs = {name: Run() for name in ways}
    for group in groups(spaces):
        with opened(group, vectors=vectors) as product:
            for name, ask in ways.items():
                runs[name].index_cpu += product.index_cpu
                ask(
                    product, group[0], group[0].questions[0]
                )  # what a first query loads is not a query's cost
            for space in group:
                for question in space.questions:
                    for name, ask in ways.items():
                        start = time.process_time()
                        found = ask(product, space, question)
                        runs[name].query_ms.append((time.process_time() - start) * 1e3)
                        runs[name].found.append(found)
    return runs
