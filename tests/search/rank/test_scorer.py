from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.doc_set import DocSet, doc_set
from memory_mcp.search.index.index_read import IndexReader, open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.rank.bm25 import idf
from memory_mcp.search.rank.query_postings import MAX_CANDIDATES, MAX_EXPANSIONS, MAX_SCANNED, MAX_TERMS
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import MAX_PREFIXES, QueryTerms, parse_query
from tests.search.example_pages import SCOPE, found, make_terms, random_pages, random_query

OTHER = Scope("acme", "other")
NASTY = (
    *(
        "foo-bar",
        "C++",
        "what's new?",
        '"unbalanced',
        "a AND",
        "NOT",
        "title:",
        "(x OR",
        "*",
        "src/app/main.py",
    ),
    *("user@example.com", "100%", "^caret", "{curly}", "a:b:c", "NEAR/3", "naïve café", "日本語", "--"),
    *("C:\\Users\\x", "", " ", "\0", "\ud800", '"', '""', '"the who"', "foo* ba* w*", "x" * 100_000),
)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[IndexReader]:
    pages = [
        make_terms("deploy.md", "how we deploy the server to production", "Deploying"),
        make_terms("café.md", "naïve café 日本語の検索 and C++ code in src/app/main.py for user@example.com"),
        make_terms("who.md", "a british band", "The Who"),
        make_terms("phrase.md", "get the user; user get; get_user"),
    ]
    build(tmp_path, pages)
    with open_reader(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("what's the deployment server?!", "deploy.md"),
        ("deploys", "deploy.md"),
        ("naive CAFE", "café.md"),
        ("検索", "café.md"),
        ("索", "café.md"),
        ("C++", "café.md"),
        ("main.py", "café.md"),
        ("user@example.com", "café.md"),
        ("the who", "who.md"),
        ("café.md", "café.md"),
        ("prod*", "deploy.md"),
        ('"get user"', "phrase.md"),
    ],
)
def test_the_right_page_comes_first(reader: IndexReader, query: str, path: str) -> None:
    assert found(reader, query)[0] == path


@pytest.mark.parametrize("query", NASTY)
def test_no_query_raises(reader: IndexReader, query: str) -> None:
    found(reader, query)
    found(reader, query, allow=doc_set(reader, [str(SCOPE)]))


def test_a_page_without_the_terms_of_a_phrase_is_not_found(reader: IndexReader) -> None:
    assert set(found(reader, "deploy user")) == {"phrase.md", "café.md", "deploy.md"}
    assert found(reader, 'deploy "get user"') == ["phrase.md"]
    assert found(reader, '"nowhere to be found" deploy') == []


def test_the_ranking_tells_the_idf_of_its_terms(reader: IndexReader) -> None:
    ranking = search(reader, parse_query("deploy british nowhere"))
    assert ranking.idf == pytest.approx({"deploy": idf(4, 1), "british": idf(4, 1)})


def test_a_limit_cuts_the_ranking(reader: IndexReader) -> None:
    assert len(found(reader, "user deploy british", limit=2)) == 2
    assert found(reader, "user", limit=0) == []


def test_equal_scores_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    names = [f"{number:02}.md" for number in range(30)]
    rand = random.Random(2)
    rand.shuffle(names)
    build(tmp_path, [make_terms(name, "same words here") for name in names[:15]])
    for name in names[15:]:
        write_pages(tmp_path, [make_terms(name, "same words here")])
    with open_reader(tmp_path) as reader:
        everything = doc_set(reader, None)
        assert found(reader, "words", limit=7) == sorted(names)[:7]
        assert found(reader, "words", limit=7, allow=everything) == sorted(names)[:7]
        assert found(reader, "words", limit=99) == sorted(names)


def test_ranks_do_not_depend_on_other_scopes(tmp_path: Path) -> None:
    mine = random_pages(120)
    alone, together = tmp_path / "alone", tmp_path / "together"
    build(alone, mine)
    build(together, sorted([*mine, *random_pages(200, 9, OTHER)], key=lambda page: page.path))
    rand = random.Random(3)
    with open_reader(alone) as one, open_reader(together) as both:
        write_pages(together, [make_terms("x.md", "w1 " * 50, scope=OTHER)])
        for _ in range(40):
            query = parse_query(random_query(rand))
            expected = search(one, query, doc_set(one, [str(SCOPE)]))
            assert search(both, query, doc_set(both, [str(SCOPE)])) == expected


def test_a_prefix_stands_for_the_frequent_terms_of_its_scope(tmp_path: Path) -> None:
    theirs = " ".join(f"con{number}" for number in range(50))
    pages = [make_terms(f"{number}.md", theirs, scope=OTHER) for number in range(3)]
    build(tmp_path, [make_terms("mine.md", "contest"), *pages])
    with open_reader(tmp_path) as reader:
        assert found(reader, "con*", allow=doc_set(reader, [str(SCOPE)])) == ["mine.md"]
        assert "mine.md" not in found(reader, "con*")


def test_pages_of_other_scopes_are_never_found(tmp_path: Path) -> None:
    build(tmp_path, [make_terms("mine.md", "secret"), make_terms("theirs.md", "secret secret", scope=OTHER)])
    with open_reader(tmp_path) as reader:
        assert found(reader, "secret") == ["theirs.md", "mine.md"]
        assert found(reader, "secret", allow=doc_set(reader, [str(SCOPE)])) == ["mine.md"]
        assert found(reader, "secret", allow=doc_set(reader, ["acme/none"])) == []
        assert found(reader, "sec*", allow=doc_set(reader, [str(SCOPE)])) == ["mine.md"]


def test_a_set_of_all_documents_ranks_like_no_set(tmp_path: Path) -> None:
    build(tmp_path, random_pages(150))
    rand = random.Random(4)
    with open_reader(tmp_path) as reader:
        everything = doc_set(reader, None)
        assert everything.count == 150
        for _ in range(20):
            query = parse_query(random_query(rand))
            scores = [hit.score for hit in search(reader, query).hits]
            assert [hit.score for hit in search(reader, query, everything).hits] == pytest.approx(
                scores, rel=0.02
            )


def test_deleted_pages_are_neither_found_nor_counted_in_a_set(tmp_path: Path) -> None:
    pages = random_pages(100)
    build(tmp_path / "a", pages)
    write_pages(tmp_path / "a", [], [page.path for page in pages[:40]])
    build(tmp_path / "b", pages[40:])
    rand = random.Random(5)
    with open_reader(tmp_path / "a") as deleted, open_reader(tmp_path / "b") as never:
        assert deleted.count_all == 100
        for _ in range(20):
            query = parse_query(random_query(rand))
            assert search(deleted, query, doc_set(deleted, None)) == search(
                never, query, doc_set(never, None)
            )


def test_of_a_long_query_the_rarest_terms_are_searched(tmp_path: Path) -> None:
    common = " ".join(f"common{number}" for number in range(200))
    build(
        tmp_path, [make_terms(f"{number}.md", common) for number in range(10)] + [make_terms("x.md", "rare")]
    )
    with open_reader(tmp_path) as reader:
        ranking = search(reader, parse_query(f"{common} rare"))
        assert "rare" in ranking.idf
        assert len(ranking.idf) <= MAX_TERMS
        every = frozenset(f"common{number}" for number in range(200))
        assert len(search(reader, QueryTerms({"rare": 1}, required=every)).hits) == 10
        assert search(reader, QueryTerms({"rare": 1}, required=every | {"rare"})).hits == []


def test_a_phrase_is_required_in_the_longest_query(tmp_path: Path) -> None:
    rare = " ".join(f"rare{number}" for number in range(100))
    build(tmp_path, [make_terms("rare.md", rare), *(make_terms(f"{n}.md", "get the user") for n in range(5))])
    with open_reader(tmp_path) as reader:
        assert found(reader, f'{rare} "get the user"') == [f"{number}.md" for number in range(5)]


def test_a_pasted_log_is_searched_in_bounded_time(tmp_path: Path) -> None:
    build(tmp_path, random_pages(300))
    text = " ".join(f"w{number}" for number in range(20_000))
    with open_reader(tmp_path) as reader:
        start = time.process_time()
        assert found(reader, text)
        assert time.process_time() - start < 2


def test_an_empty_set_finds_nothing(reader: IndexReader) -> None:
    assert search(reader, parse_query("user"), DocSet(bytes(reader.count_all), 0, 1.0)).hits == []


class Looked:
    """How often a reader is asked for the postings of a term, and for how much of its dictionary."""

    def __init__(self, reader: IndexReader, monkeypatch: pytest.MonkeyPatch) -> None:
        self.postings = self.terms = 0
        [leaf] = reader.leaves
        postings, frequencies = leaf.postings, leaf.frequencies

        def count_postings(field: str, term: str) -> object:
            self.postings += 1
            return postings(field, term)

        def count_terms(field: str, prefix: str) -> Iterator[tuple[str, int]]:
            for each in frequencies(field, prefix):
                self.terms += 1
                yield each

        monkeypatch.setattr(leaf, "postings", count_postings)
        monkeypatch.setattr(leaf, "frequencies", count_terms)


def test_prefixes_that_match_the_whole_vocabulary_look_up_few_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"{first}{second}{number}" for first in "abcdef" for second in "xyz" for number in range(800)]
    build(tmp_path, [make_terms(f"{n}.md", " ".join(words[n::16])) for n in range(16)])
    with open_reader(tmp_path) as reader:
        for text in ("a*", "ax*", "ax* by* cz*", " ".join(f"{word}*" for word in words[:50])):
            looked = Looked(reader, monkeypatch)
            search(reader, parse_query(text))
            assert looked.postings <= MAX_TERMS + MAX_CANDIDATES
            assert looked.terms <= MAX_SCANNED + MAX_PREFIXES
            monkeypatch.undo()


def test_a_prefix_stops_at_terms_that_are_too_rare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frequent = " ".join(f"axe{number}" for number in range(MAX_EXPANSIONS))
    pages = [make_terms(f"{n}.md", f"{frequent} axrare{n} axrarer{n}") for n in range(100)]
    build(tmp_path, pages)
    with open_reader(tmp_path) as reader:
        looked = Looked(reader, monkeypatch)
        assert len(search(reader, parse_query("ax*")).idf) == MAX_EXPANSIONS
        assert looked.postings < MAX_EXPANSIONS + 10
