"""The scorer and a stock Whoosh search agree, whatever happened to the index."""

from __future__ import annotations

import random
from pathlib import Path

from whoosh import index
from whoosh.query import Or, Term

from memory_mcp.search.index.index_read import IndexReader, open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.index.page_terms import TEXT, PageTerms
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query
from tests.search.example_pages import make_terms, random_pages
from tests.search.stock_weighting import PageBM25


def own_words(pages: list[PageTerms], rand: random.Random) -> str:
    """A query of one to seven words of one page."""
    page = rand.choice([page for page in pages if page.bag])
    return " ".join(rand.choices(sorted(page.bag), k=rand.randrange(1, 8)))


def assert_same_top_ten(folder: Path, reader: IndexReader, pages: list[PageTerms], queries: int) -> None:
    """The same pages in the same order, but for those whose scores are equal."""
    rand = random.Random(queries)
    with index.open_dir(str(folder)).searcher(weighting=PageBM25()) as stock:
        for _ in range(queries):
            query = parse_query(own_words(pages, rand))
            ours = search(reader, query).hits
            union = Or([Term(TEXT, term, boost=times) for term, times in query.terms.items()])
            results = stock.search(union, limit=len(pages))
            scores = {result["page"].path: result.score for result in results}
            assert len(ours) == min(10, len(scores))
            expected = sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))
            for hit, (path, score) in zip(ours, expected, strict=False):
                assert abs(hit.score - score) < 1e-9 * max(1, score), query
                assert hit.page.path == path or abs(scores[hit.page.path] - score) < 1e-9, query


def test_the_top_ten_are_those_of_a_stock_search_after_five_hundred_updates(
    tmp_path: Path, soak: bool
) -> None:
    queries = 5000 if soak else 200
    pages = {page.path: page for page in random_pages(300)}
    build(tmp_path, pages.values())
    with open_reader(tmp_path) as reader:
        assert_same_top_ten(tmp_path, reader, list(pages.values()), queries)
    rand = random.Random(3)
    done = 0
    while done < 500:
        chosen = rand.sample(sorted(pages), rand.choice((1, 5, 20)))
        removed = [path for path in chosen if rand.random() < 0.2]
        added = [
            make_terms(path.split("/", 2)[2], own_words(list(pages.values()), rand) * 9)
            for path in chosen
            if path not in removed
        ]
        write_pages(tmp_path, added, removed)
        for path in removed:
            del pages[path]
        pages.update({page.path: page for page in added})
        done += len(chosen)
    with open_reader(tmp_path) as reader:
        assert len(reader.leaves) > 1
        assert reader.count_all > reader.count, "some documents are deleted and not merged away"
        assert_same_top_ten(tmp_path, reader, list(pages.values()), queries)
