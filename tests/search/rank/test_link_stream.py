"""Pages that are linked with what was found."""

from __future__ import annotations

from memory_mcp.model.scope import Scope
from memory_mcp.search.rank.link_stream import MAX_LINKS
from tests.search.conftest import SCOPE, Store

OTHER = Scope("acme", "other")


def links(store: Store, question: str = "pangolin") -> dict[str, list[tuple[str, str, str, float]]]:
    """By path, over which links each page was reached."""
    hits = store.open().query(question, (SCOPE,), limit=100, explain=True).hits
    return {
        hit.path: [
            (step.seed.split("/", 2)[2], step.direction, step.relation, step.weight)
            for step in hit.details.links
        ]
        for hit in hits
        if hit.details and hit.details.links
    }


def test_pages_are_found_over_links_both_ways(store: Store) -> None:
    store.write("found.md", "pangolin, see [[out]]")
    store.write("out.md", "walrus")
    store.write("in.md", "ibex, see [the page](found.md)")
    store.write("far.md", "see [[out]]")
    assert links(store) == {
        "out.md": [("found.md", "outgoing", "", 0.6)],
        "in.md": [("found.md", "incoming", "", 0.6)],
    }


def test_a_typed_edge_hands_on_more_and_is_told(store: Store) -> None:
    store.write("found.md", "---\nrelations:\n  fixes: [out.md]\n---\npangolin, see [[out]]")
    store.write("out.md", "walrus")
    assert links(store) == {"out.md": [("found.md", "outgoing", "fixes", 1.0)]}


def test_one_of_many_links_hands_on_less(store: Store) -> None:
    store.write("found.md", "pangolin [[a]] [[b]] [[c]] [[d]]")
    for name in "abcd":
        store.write(f"{name}.md", name * 5)
    assert links(store)["a.md"] == [("found.md", "outgoing", "", 0.3)]


def test_pages_that_link_to_each_other_lift_each_other(store: Store) -> None:
    store.write("a.md", "pangolin one [[b]]")
    store.write("b.md", "pangolin two")
    store.write("c.md", "pangolin six")
    hits = store.open().query("pangolin", (SCOPE,), explain=True).hits
    by_path = {hit.path: hit.details.signals.link for hit in hits if hit.details}
    assert by_path["a.md"] > 0.5
    assert by_path["b.md"] > 0.5
    assert by_path["c.md"] == 0
    assert hits[-1].path == "c.md"


def test_a_page_with_very_many_links_says_nothing_about_them(store: Store) -> None:
    store.write("hub.md", "pangolin " + " ".join(f"[[p{n}]]" for n in range(MAX_LINKS + 1)))
    for number in range(MAX_LINKS + 1):
        store.write(f"p{number}.md", "walrus")
    assert links(store) == {}


def test_links_do_not_lead_out_of_the_asked_scopes(store: Store) -> None:
    store.write("found.md", "pangolin [[acme/other:out]]")
    store.write("out.md", "walrus", OTHER)
    store.write("in.md", "[[acme/importer:found]]", OTHER)
    assert links(store) == {}
    hits = store.open().query("pangolin", (SCOPE, OTHER)).hits
    assert {(hit.scope, hit.path) for hit in hits} == {
        (SCOPE, "found.md"),
        (OTHER, "out.md"),
        (OTHER, "in.md"),
    }


def test_expired_pages_are_not_reached_over_links(store: Store) -> None:
    store.write("found.md", "pangolin [[old]]")
    store.write("old.md", "---\nexpires_at: 2020-01-01\n---\nwalrus")
    assert links(store) == {}
    hits = store.open().query("pangolin", (SCOPE,), include_expired=True).hits
    assert [hit.path for hit in hits] == ["found.md", "old.md"]
