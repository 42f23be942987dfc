"""How much there is in each scope, and what a person should mend."""

from __future__ import annotations

from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import PageCounts

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")


def test_every_scope_is_counted_for_itself_in_one_look(store) -> None:
    store.write("a.md", "[[b]] [[B]] [[other:far]] [[none]] [[other:none]]")
    store.write("b.md", "[[sub/c]]")
    store.write("far.md", "[[importer:a]]", OTHER)
    (store.wiki / "acme" / "other" / "latin.md").write_bytes(b"caf\xe9")
    health = store.open().health(None)
    assert health.counts == {SCOPE: PageCounts(2, 6, 3, 0), OTHER: PageCounts(1, 1, 0, 1)}
    assert health.total == PageCounts(3, 7, 3, 1)
    [(where, sentence)] = health.problems
    assert where == "acme/other/latin.md"
    assert "UTF-8" in sentence


def test_a_scope_without_pages_is_counted_as_empty(store) -> None:
    assert store.open().health((SCOPE,)).counts == {SCOPE: PageCounts()}


def test_a_link_into_a_scope_that_was_not_asked_for_is_resolved_all_the_same(store) -> None:
    store.write("a.md", "[[other:far]]")
    store.write("far.md", "text", OTHER)
    search = store.open()
    search.query("text", None)
    assert search.health((SCOPE,)).total.unresolved == 0


def test_a_listing_has_the_pages_and_their_counts(store) -> None:
    store.write("b.md", "[[a]] [[none]]")
    store.write("a.md", "text")
    listing = store.open().listing((SCOPE,))
    assert [page.page_path for page in listing.pages] == ["a.md", "b.md"]
    assert listing.counts == PageCounts(2, 2, 1, 0)


def test_counts_are_told_in_words() -> None:
    assert (
        str(PageCounts(1, 1, 1, 1)) == "1 page, 1 link (1 to pages that do not exist yet), 1 unreadable file"
    )
    assert str(PageCounts(2000, 0)).startswith("2,000 pages, 0 links (0 to")
