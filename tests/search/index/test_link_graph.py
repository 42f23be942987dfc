from __future__ import annotations

from memory_mcp.model.link import Link
from memory_mcp.model.scope import Scope

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")
TEAM = Scope("team", "wiki")


def ends(found) -> list[tuple[str, str]]:
    return [(str(page.scope), page.path) for page in found]


def test_a_link_finds_its_page_by_path_then_by_case_then_by_its_only_name(store) -> None:
    store.write("notes/Some Note.md", "text")
    store.write("Deep/Café.md", "text")
    search = store.open()
    note = (SCOPE, "notes/Some Note.md")
    assert search.links(SCOPE, "", (Link(None, None, "notes/Some Note.md"),)).targets[0] == note
    assert search.links(SCOPE, "", (Link(None, None, "NOTES/some note.md"),)).targets[0] == note
    assert search.links(SCOPE, "", (Link(None, None, "some note.md", bare=True),)).targets[0] == note
    assert search.links(SCOPE, "", (Link(None, None, "some note.md"),)).targets[0] is None
    assert search.links(SCOPE, "", (Link(None, None, "deep/cafe\u0301.md"),)).targets[0] == (
        SCOPE,
        "Deep/Café.md",
    )
    assert search.links(OTHER, "", (Link(None, "importer", "notes/Some Note.md"),)).targets[0] == note
    assert search.links(TEAM, "", (Link("acme", "importer", "notes/Some Note.md"),)).targets[0] == note
    assert search.links(TEAM, "", (Link(None, "importer", "notes/Some Note.md"),)).targets[0] is None


def test_a_bare_link_that_could_mean_two_pages_means_none_unless_one_lies_at_its_path(store) -> None:
    store.write("a/note.md", "text")
    store.write("b/note.md", "text")
    search = store.open()
    link = Link(None, None, "note.md", bare=True)
    assert search.links(SCOPE, "", (link,)).targets[0] is None
    store.write("note.md", "text")
    assert search.links(SCOPE, "", (link,)).targets[0] == (SCOPE, "note.md")


def test_a_forward_link_resolves_when_its_target_appears_without_indexing_the_source(
    store, monkeypatch
) -> None:
    store.write("a.md", "see [[notes/later]] and [[later]]")
    search = store.open()
    assert search.health((SCOPE,)).total.unresolved == 2
    assert search.links(SCOPE, "notes/later.md", ()).backlinks == ()
    written: list[str] = []
    from memory_mcp.search.index import index_write

    write_pages = index_write.write_pages

    def spy(folder, add, remove):
        written.extend(page.path for page in add)
        return write_pages(folder, add, remove)

    monkeypatch.setattr(index_write, "write_pages", spy)
    store.write("notes/later.md", "here")
    assert search.health((SCOPE,)).total.unresolved == 0
    assert search.links(SCOPE, "notes/later.md", ()).backlinks == ((SCOPE, "a.md", ""),)
    assert written == ["acme/importer/notes/later.md"]
    store.remove("notes/later.md")
    assert search.health((SCOPE,)).total.unresolved == 2


def test_backlinks_come_from_every_scope_with_their_relations(store) -> None:
    store.write("gotchas/x.md", "text")
    store.write("fix.md", "---\nrelations:\n  fixes: [gotchas/x.md]\n---\nalso [x](gotchas/x.md)\n")
    store.write("plain.md", "[[gotchas/X]] in another case\n")
    store.write("far.md", "[[importer:gotchas/x]]\n", OTHER)
    store.write("farther.md", "[[acme/importer:gotchas/x]]\n", TEAM)
    store.write("gotchas/x.md", "its own [[gotchas/x]] in another scope\n", OTHER)
    store.write("code.md", "`[[gotchas/x]]`\n")
    search = store.open()
    search.query("text", None)
    assert search.links(SCOPE, "gotchas/x.md", ()).backlinks == (
        (SCOPE, "fix.md", ""),
        (SCOPE, "fix.md", "fixes"),
        (SCOPE, "plain.md", ""),
        (OTHER, "far.md", ""),
        (TEAM, "farther.md", ""),
    )
    store.remove("plain.md")
    assert (SCOPE, "plain.md", "") not in search.links(SCOPE, "gotchas/x.md", ()).backlinks


def test_related_pages_are_walked_both_ways_and_across_scopes_nearest_first(store) -> None:
    store.write("start.md", "[[one]] and [[other:far]]")
    store.write("one.md", "[[two]]")
    store.write("two.md", "[[three]]")
    store.write("three.md", "[[four]] and back to [[start]]")
    store.write("four.md", "text")
    store.write("in.md", "[[start]]")
    store.write("far.md", "text", OTHER)
    search = store.open()
    search.query("text", None)
    near = search.links(SCOPE, "start.md", (), 1).related
    assert [(str(p.scope), p.path, p.depth, p.direction) for p in near] == [
        ("acme/importer", "one.md", 1, "link"),
        ("acme/other", "far.md", 1, "link"),
        ("acme/importer", "in.md", 1, "backlink"),
        ("acme/importer", "three.md", 1, "backlink"),
    ]
    assert near[0].title == "one"
    assert near[0].kind == "fact"
    assert ends(search.links(SCOPE, "start.md", (), 2).related)[4:] == [
        ("acme/importer", "two.md"),
        ("acme/importer", "four.md"),
    ]
    assert search.links(SCOPE, "start.md", (), 0).related == ()
    assert search.links(SCOPE, "nowhere.md", (), 2).related == ()


def test_related_goes_no_deeper_than_three_and_lists_at_most_fifty(store) -> None:
    for number in range(6):
        store.write(f"chain{number}.md", f"[[chain{number + 1}]]")
    store.write("hub.md", " ".join(f"[[leaf{number}]]" for number in range(60)))
    for number in range(60):
        store.write(f"leaf{number}.md", "text")
    search = store.open()
    assert [page.path for page in search.links(SCOPE, "chain0.md", (), 9).related] == [
        "chain1.md",
        "chain2.md",
        "chain3.md",
    ]
    assert len(search.links(SCOPE, "hub.md", (), 1).related) == 50


def test_links_answers_all_about_one_page_at_once(store) -> None:
    store.write("a.md", "[[b]] [[c]]")
    store.write("b.md", "[[a]]")
    found = store.open().links(SCOPE, "a.md", (Link(None, None, "b.md"), Link(None, None, "c.md")), 1)
    assert found.targets == ((SCOPE, "b.md"), None)
    assert found.backlinks == ((SCOPE, "b.md", ""),)
    assert [page.path for page in found.related] == ["b.md"]


def test_an_expired_page_is_neither_listed_nor_walked_through(store) -> None:
    store.write("start.md", "[[old]] [[lasting]]")
    store.write("old.md", "---\nexpires_at: 2026-11-29\n---\n[[behind]]")
    store.write("lasting.md", "---\nexpires_at: 2026-11-30\n---\ntext")
    store.write("behind.md", "text")
    found = store.open().links(SCOPE, "start.md", (), 3).related
    assert [page.path for page in found] == ["lasting.md"]


def test_a_related_page_comes_with_the_relation_of_its_link(store) -> None:
    store.write("start.md", "---\nrelations:\n  fixes: [bug.md]\n---\nSee [[bug]] and [[plain]].")
    store.write("bug.md", "text")
    store.write("plain.md", "text")
    store.write("cause.md", "---\nrelations:\n  causes: [start.md]\n---\nSee [[start]].")
    found = store.open().links(SCOPE, "start.md", (), 1).related
    assert [(page.path, page.direction, page.relation) for page in found] == [
        ("bug.md", "link", "fixes"),
        ("plain.md", "link", ""),
        ("cause.md", "backlink", "causes"),
    ]


def test_projects_are_linked_by_the_pages_that_there_are(store) -> None:
    store.write("notes/a.md", "[[team/wiki:style]] [[other:missing]] [[notes/b]] [[importer:notes/b]]")
    store.write("notes/b.md", "text")
    (store.wiki / "team" / "wiki").mkdir(parents=True)
    (store.wiki / "team" / "wiki" / "style.md").write_text("[[acme/importer:notes/gone]]", encoding="utf-8")
    (store.wiki / "acme" / "other").mkdir()
    (store.wiki / "acme" / "other" / "uses.md").write_text("[[importer:notes/b]]", encoding="utf-8")
    search = store.open()
    search.links(OTHER, "", ())
    search.links(TEAM, "", ())
    assert search.map.linked_scopes(SCOPE) == ((OTHER,), (TEAM,))
    assert search.map.linked_scopes(TEAM) == ((SCOPE,), ())
