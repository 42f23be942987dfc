"""Current pages and the versions that they no longer are, found together."""

from __future__ import annotations

from memory_mcp.model.progress import no_progress
from memory_mcp.model.window import Window
from memory_mcp.search.history.all_versions import AllVersions, joined
from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query
from tests.search.example_pages import random_pages, random_query
from tests.search.history.conftest import SCOPE, START, Wiki, found


def versions(wiki: Wiki) -> AllVersions:
    return wiki.open().with_superseded(wiki.current(), no_progress)


def test_old_versions_are_found_beside_the_page_and_marked(wiki: Wiki) -> None:
    wiki.save("db.md", "# Db\n\nWe use sqlite.\n")
    second = wiki.save("db.md", "# Db\n\nWe use postgres.\n")
    third = wiki.save("db.md", "# Db\n\nWe use files.\n")
    pages = versions(wiki)
    assert found(pages, "sqlite") == ["db.md+"]
    assert sorted(found(pages, "db")) == ["db.md", "db.md+", "db.md+"]
    assert pages.doc_set().count == 3
    [current] = [page for page in pages.holding("scope", str(SCOPE)) if not pages.is_superseded(page)]
    assert (pages.text(current), pages.window(current)) == ("# Db\n\nWe use files.\n", None)
    windows = {pages.window(p) for p in pages.holding("scope", str(SCOPE)) if pages.is_superseded(p)}
    assert windows == {Window(START, second), Window(second, third)}


def test_a_restored_page_is_current_and_what_it_replaced_is_not(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    wiki.save("a.md", "pangolin\n")
    wiki.save("a.md", "walrus\n")
    assert wiki.superseded() == [("a.md", "pangolin\n")]


def test_a_deleted_page_is_superseded(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    wiki.remove("a.md")
    assert wiki.superseded() == [("a.md", "walrus\n")]


def test_an_edit_that_nobody_committed_supersedes_what_is_in_head(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    wiki.save("a.md", "pangolin\n")
    wiki.put("a.md", "okapi\n")
    assert wiki.superseded() == [("a.md", "pangolin\n"), ("a.md", "walrus\n")]
    assert found(versions(wiki), "okapi") == ["a.md"]
    wiki.put("a.md", "walrus\n")
    assert wiki.superseded() == [("a.md", "pangolin\n")]
    assert found(versions(wiki), "walrus") == ["a.md"]


def test_what_is_superseded_follows_the_pages_within_one_process(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    history = wiki.open()
    assert wiki.superseded(history) == []
    file = wiki.put("a.md", "okapi\n")
    assert wiki.superseded(history) == [("a.md", "walrus\n")]
    file.unlink()
    assert wiki.superseded(history) == [("a.md", "walrus\n")]
    wiki.put("a.md", "walrus\n")
    assert wiki.superseded(history) == []


def test_pages_that_wait_beside_the_index_are_ranked_with_old_versions(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    wiki.save("a.md", "pangolin walrus\n")
    pages = versions(wiki)
    assert pages.delta.base == pages.reader.count_all == 2
    hits = search(pages.reader, parse_query("pangolin"), pages.doc_set(), pages.delta, 10).hits
    assert [hit.page.path for hit in hits] == [f"{SCOPE}/a.md"]


def test_joined_readers_score_as_one_index_of_all_their_pages(tmp_path_factory) -> None:
    first, second = (
        random_pages(40),
        [page for page in random_pages(90, seed=2) if page.path > "acme/app/p/0040"],
    )
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second", "both")]
    build(folders[0], first)
    build(folders[1], second[:20])
    write_pages(folders[1], second[20:])
    build(folders[2], [*first, *second])
    one, two, both = (open_reader(folder) for folder in folders)
    import random

    rand = random.Random(3)
    with one, two, both:
        assert len(two.leaves) == 2
        together = joined(one, two)
        for _ in range(50):
            query = parse_query(random_query(rand))
            expected = [(hit.page, round(hit.score, 9)) for hit in search(both, query, limit=20).hits]
            assert [
                (hit.page, round(hit.score, 9)) for hit in search(together, query, limit=20).hits
            ] == expected
        assert together.document_of(second[-1].path) is not None
