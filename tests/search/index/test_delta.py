from __future__ import annotations

import random
from pathlib import Path

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.doc_set import doc_set
from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query
from tests.search.example_pages import SCOPE, found, make_terms, random_pages, random_query

OTHER = Scope("acme", "other")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_delta_answers_as_the_updated_index_would(tmp_path: Path, seed: int) -> None:
    pages = sorted([*random_pages(150, seed), *random_pages(60, seed + 7, OTHER)], key=lambda page: page.path)
    build(tmp_path, pages)
    rand = random.Random(seed)
    with open_reader(tmp_path) as reader:
        delta = Delta(reader)
        changes = {}
        for step in range(60):
            path = rand.choice(pages).stored.page_path if step % 3 else f"new/{rand.randrange(9)}.md"
            page = make_terms(path, random_query(rand) * 9, scope=rand.choice((SCOPE, OTHER)))
            if rand.random() < 0.3:
                delta.drop(page.path)
                changes[page.path] = None
            else:
                delta.put(page)
                changes[page.path] = page
            assert delta.has(page.path)
            assert (delta.number(page.path) is None) == (changes[page.path] is None)
        write_pages(
            tmp_path,
            [page for page in changes.values() if page is not None],
            [path for path, page in changes.items() if page is None],
        )
        with open_reader(tmp_path) as updated:
            for scopes in (None, [str(SCOPE)], [str(OTHER)], [str(SCOPE), str(OTHER)]):
                before, after = doc_set(reader, scopes, delta), doc_set(updated, scopes)
                assert (before.count, before.average_length) == (
                    after.count,
                    pytest.approx(after.average_length),
                )
                for _ in range(15):
                    query = parse_query(random_query(rand) + rand.choice(("", " w3*")))
                    there = search(updated, query, after)
                    here = search(reader, query, before, delta)
                    assert [hit.page for hit in here.hits] == [hit.page for hit in there.hits]
                    assert [h.score for h in here.hits] == pytest.approx([h.score for h in there.hits])
                    assert here.idf == pytest.approx(there.idf)


def test_without_a_set_a_delta_counts_live_pages_alone(tmp_path: Path) -> None:
    build(tmp_path, [make_terms("a.md", "old words"), make_terms("b.md", "other")])
    with open_reader(tmp_path) as reader:
        delta = Delta(reader)
        assert found(reader, "old", delta=delta) == ["a.md"]
        delta.put(make_terms("a.md", "new words"))
        assert found(reader, "old", delta=delta) == []
        assert found(reader, "new", delta=delta) == ["a.md"]
        delta.drop("acme/app/a.md")
        assert found(reader, "new words", delta=delta) == []
        assert len(delta) == 1
        delta.put(make_terms("a.md", "again and new"))
        assert found(reader, "new words", delta=delta) == ["a.md"]
        assert len(delta) == 1


def test_sets_are_remembered_until_something_changes(tmp_path: Path) -> None:
    build(tmp_path, [make_terms("a.md", "word")])
    with open_reader(tmp_path) as reader:
        delta = Delta(reader)
        first = doc_set(reader, ["acme/app"], delta)
        assert doc_set(reader, ["acme/app"], delta) is first
        delta.put(make_terms("b.md", "word"))
        second = doc_set(reader, ["acme/app"], delta)
        assert (first.count, second.count) == (1, 2)
        other = Delta(reader)
        other.drop("acme/app/a.md")
        assert doc_set(reader, ["acme/app"], other).count == 0
        assert doc_set(reader, ["acme/app"]).count == 1
        for number in range(200):
            doc_set(reader, [f"acme/{number}"])
        assert len(reader.doc_sets) <= 64


def test_numbers_that_are_gone_are_errors(tmp_path: Path) -> None:
    build(tmp_path, [make_terms("a.md", "word")])
    with open_reader(tmp_path) as reader:
        delta = Delta(reader)
        delta.put(make_terms("b.md", "word"))
        assert delta.stored(delta.base).page_path == "b.md"
        delta.drop("acme/app/b.md")
        with pytest.raises(IndexError):
            delta.stored(delta.base)
        assert list(delta.pages()) == []
