from __future__ import annotations

import random
from pathlib import Path

import pytest
from whoosh import index
from whoosh.query import Or, Term

from memory_mcp.errors import Cancelled
from memory_mcp.search.index.index_read import IndexReader, open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.index.page_terms import TEXT
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query
from tests.search.example_pages import files_of, found, make_terms, random_pages, random_query
from tests.search.stock_weighting import PageBM25


def assert_scores_as_stock(folder: Path, reader: IndexReader, queries: int = 40, seed: int = 1) -> None:
    """The ten best scores equal those of a stock Whoosh search over the same index."""
    rand = random.Random(seed)
    with index.open_dir(str(folder)).searcher(weighting=PageBM25()) as stock:
        for _ in range(queries):
            query = parse_query(random_query(rand))
            hits = search(reader, query).hits
            union = Or([Term(TEXT, term, boost=times) for term, times in query.terms.items()])
            results = stock.search(union, limit=10)
            assert [hit.score for hit in hits] == pytest.approx([result.score for result in results])
            stored = {result["page"].path for result in results}
            least = hits[-1].score if hits else 0
            assert stored >= {hit.page.path for hit in hits if hit.score > least * 1.000001}


def test_a_built_index_ranks_as_stock_whoosh(tmp_path: Path) -> None:
    pages = random_pages(300)
    assert build(tmp_path, pages) == 300
    with open_reader(tmp_path) as reader:
        assert (reader.count, reader.count_all, len(reader.leaves)) == (300, 300, 1)
        assert_scores_as_stock(tmp_path, reader)


@pytest.mark.parametrize("seed", [1, 2])
def test_after_updates_and_deletions_it_still_ranks_as_stock_whoosh(tmp_path: Path, seed: int) -> None:
    pages = {page.path: page for page in random_pages(200, seed)}
    build(tmp_path, pages.values())
    rand = random.Random(seed)
    segments = 0
    for step in range(25):
        changed = rand.sample(sorted(pages), rand.choice((1, 1, 3, 9)))
        added = {path: make_terms(path.split("/", 2)[2], random_query(rand) * 20) for path in changed}
        if step % 3 == 0:
            extra = make_terms(f"extra/{step}.md", f"extra{step}")
            added[extra.path] = extra
        removed = [path for path in rand.sample(sorted(pages), 2) if path not in added]
        assert write_pages(tmp_path, added.values(), removed) == step + 2
        pages.update(added)
        for path in removed:
            del pages[path]
        with open_reader(tmp_path) as reader:
            segments = max(segments, len(reader.leaves))
            assert {page.path for page in reader.stored_all()} == pages.keys()
            assert reader.count == len(pages)
            for path in added:
                document = reader.document_of(path)
                assert document is not None
                assert reader.stored(document) == pages[path].stored
            if step % 6 == 0:
                assert_scores_as_stock(tmp_path, reader, 10, step)
    assert 3 < segments < 12


def test_the_largest_segment_comes_first(tmp_path: Path) -> None:
    build(tmp_path, random_pages(2))
    write_pages(tmp_path, [make_terms(f"more/{number}.md", "word") for number in range(20)])
    write_pages(tmp_path, [make_terms("one.md", "word")])
    with open_reader(tmp_path) as reader:
        sizes = [leaf.count for leaf in reader.leaves]
        assert len(sizes) > 1
        assert sizes == sorted(sizes, reverse=True)


def test_an_index_may_be_empty_and_become_so(tmp_path: Path) -> None:
    assert build(tmp_path, []) == 0
    page = make_terms("a.md", "word")
    for action in (([page], []), ([], [page.path]), ([], ["no/such/page.md"]), ([], [])):
        write_pages(tmp_path, *action)
        with open_reader(tmp_path) as reader:
            assert found(reader, "word") == (["a.md"] if action[0] else [])
            assert reader.leaves == [] or reader.count


def test_adding_a_page_twice_keeps_the_last(tmp_path: Path) -> None:
    build(tmp_path, [])
    write_pages(tmp_path, [make_terms("a.md", "old"), make_terms("a.md", "new")])
    with open_reader(tmp_path) as reader:
        assert found(reader, "old new") == ["a.md"]
        assert found(reader, "old") == []


def test_no_file_of_an_older_generation_remains(tmp_path: Path) -> None:
    build(tmp_path, random_pages(20))
    (tmp_path / "MAIN_0rphan.trm").write_bytes(b"x")
    (tmp_path / "_MAIN_7.toc.1700000000.5").write_bytes(b"x")
    for number in range(9):
        write_pages(tmp_path, [make_terms(f"{number}.md", "word")])
    with open_reader(tmp_path) as reader:
        names = {leaf.segment.segment_id() for leaf in reader.leaves}
    assert {name.split(".")[0] for name in files_of(tmp_path)} == {*names, "_MAIN_10"}
    assert len(files_of(tmp_path)) == 1 + 5 * len(names)


def test_a_cancelled_build_leaves_no_index(tmp_path: Path) -> None:
    def pages():
        yield from random_pages(100)
        raise Cancelled

    with pytest.raises(Cancelled):
        build(tmp_path / "new", pages())
    assert not index.exists_in(str(tmp_path / "new"))


def test_weights_above_what_a_posting_holds_are_cut(tmp_path: Path) -> None:
    build(tmp_path, [make_terms("a.md", "word " * 1000), make_terms("b.md", "word other")])
    with open_reader(tmp_path) as reader:
        postings = reader.leaves[0].postings(TEXT, "word")
        assert postings is not None
        assert [impact >> 8 for impact in postings[1]] == [255, 1]
        assert_scores_as_stock(tmp_path, reader)


def test_odd_paths_and_terms_are_indexed(tmp_path: Path) -> None:
    paths = ["é/日本.md", "caf\udce9.md", "A.md", "a.md", "\U0001f600.md", "\uffff.md"]
    build(tmp_path, [make_terms(path, "日本語 word 🚀") for path in sorted(paths)])
    write_pages(tmp_path, [make_terms("caf\udce9.md", "newer")])
    with open_reader(tmp_path) as reader:
        assert sorted(found(reader, "日本語 newer")) == sorted(paths)
        assert found(reader, "🚀 newer")[0] == "caf\udce9.md"


def test_the_folder_is_private(tmp_path: Path) -> None:
    build(tmp_path / "new", [])
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
