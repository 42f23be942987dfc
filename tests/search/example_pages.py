"""Pages and indexes for the tests of the search engine."""

from __future__ import annotations

import random
from pathlib import Path

from memory_mcp.model.link import Link
from memory_mcp.model.page import Page, PageMeta, version_of
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.index_read import IndexReader
from memory_mcp.search.index.page_terms import PageTerms, page_terms
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query

SCOPE = Scope("acme", "app")


def make_page(
    path: str = "notes/a.md",
    body: str = "",
    title: str = "",
    *,
    scope: Scope = SCOPE,
    meta: PageMeta | None = None,
    links: tuple[Link, ...] = (),
    problems: tuple[str, ...] = (),
) -> Page:
    return Page(
        scope=scope,
        path=path,
        version=version_of(body.encode("utf-8", "surrogatepass")),
        title=title,
        kind="fact",
        meta=meta or PageMeta(),
        front="",
        body=body,
        links=links,
        problems=problems,
    )


def make_terms(path: str, body: str, title: str = "", scope: Scope = SCOPE) -> PageTerms:
    return page_terms(make_page(path, body, title, scope=scope))


def random_pages(count: int, seed: int = 1, scope: Scope = SCOPE) -> list[PageTerms]:
    """Pages of Zipf-distributed words `w0`, `w1`, … so that frequent and rare terms occur."""
    rand = random.Random(seed)
    words = [f"w{number}" for number in range(400)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    pages = []
    for number in range(count):
        body = " ".join(rand.choices(words, weights, k=rand.choice((0, 1, 5, 30, 120, 400))))
        pages.append(make_terms(f"p/{number:04d}.md", body, rand.choice(words), scope))
    return pages


def random_query(rand: random.Random) -> str:
    return " ".join(f"w{int(rand.paretovariate(0.4)) % 400}" for _ in range(rand.randrange(1, 7)))


def found(reader: IndexReader, text: str, **options: object) -> list[str]:
    """The paths in their scopes that a query finds, best first."""
    ranking = search(reader, parse_query(text), **options)  # type: ignore[arg-type]
    return [hit.page.page_path for hit in ranking.hits]


def files_of(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir() if entry.is_file()}
