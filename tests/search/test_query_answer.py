from __future__ import annotations

import time

import pytest

from memory_mcp.model.scope import Scope

OTHER = Scope("acme", "other")
SCOPE = Scope("acme", "importer")


def test_a_question_finds_the_page_that_answers_it(store) -> None:
    store.write(
        "decisions/db.md", "# Which database\n\nWe chose SQLite in WAL mode for the pangolin importer.\n"
    )
    store.write("notes/lunch.md", "# Lunch\n\nThe canteen has soup.\n")
    hit = store.open().query("which database did we choose for the importer?", (SCOPE,)).hits[0]
    assert (hit.scope, hit.path, hit.title, hit.kind) == (
        SCOPE,
        "decisions/db.md",
        "Which database",
        "decision",
    )
    assert "SQLite in WAL mode" in hit.snippet
    assert hit.score > 0
    assert not (hit.pinned or hit.expired or hit.file_missing)


@pytest.mark.parametrize(
    ("text", "snippet"),
    [
        ("# Pangolin\n", "Pangolin"),
        ("# Pangolin\n\nScales.\n", "Scales."),
        ("---\ntitle: Scales\n---\n# Pangolin\n\nMore.\n", "Pangolin More."),
        ("## Pangolin\n\nScales.\n", "Pangolin Scales."),
    ],
)
def test_a_snippet_does_not_repeat_the_title(store, text, snippet) -> None:
    store.write("a.md", text)
    [hit] = store.open().query("pangolin", (SCOPE,)).hits
    assert hit.snippet == snippet


def test_results_stay_inside_the_asked_scopes(store) -> None:
    store.write("a.md", "pangolin one")
    store.write("a.md", "pangolin two", OTHER)
    store.write("memory/notes/a.md", "pangolin of a caller", Scope("_callers", "ana"))
    search = store.open()
    assert [hit.scope for hit in search.query("pangolin", (SCOPE,)).hits] == [SCOPE]
    assert [hit.scope for hit in search.query("pangolin", (OTHER,)).hits] == [OTHER]
    assert [hit.scope for hit in search.query("pangolin", (SCOPE, OTHER)).hits] == [SCOPE, OTHER]
    assert [hit.scope for hit in search.query("pangolin", None).hits] == [SCOPE, OTHER]


def test_pages_of_callers_are_not_found_even_after_someone_asked_for_their_scope(store) -> None:
    caller = Scope("_callers", "ana")
    store.write("a.md", "walrus")
    store.write("memory/notes/a.md", "pangolin", caller)
    search = store.open()
    search.query("pangolin", (caller,))
    assert store.found(search, "pangolin", None) == []
    assert search.health(None).total.pages == 1


def test_ranks_do_not_depend_on_pages_of_other_scopes(store) -> None:
    store.write("a.md", "pangolin walrus")
    store.write("b.md", "pangolin")
    search = store.open()
    before = [(hit.path, hit.score) for hit in search.query("pangolin walrus", (SCOPE,)).hits]
    for number in range(20):
        store.write(f"{number}.md", "walrus walrus and more text", OTHER)
    assert search.query("walrus", (OTHER,)).hits
    assert [(hit.path, hit.score) for hit in search.query("pangolin walrus", (SCOPE,)).hits] == before


def test_equal_scores_come_in_the_order_of_their_paths_and_the_limit_holds(store) -> None:
    for name in "dbca":
        store.write(f"{name}.md", "pangolin")
    search = store.open()
    assert [hit.path for hit in search.query("pangolin", (SCOPE,), limit=3).hits] == ["a.md", "b.md", "c.md"]


def test_expired_pages_are_hidden_unless_asked_for_and_take_no_place(store) -> None:
    for number in range(30):
        store.write(f"old{number}.md", "---\nexpires_at: 2026-11-29\n---\npangolin pangolin pangolin\n")
    store.write("new.md", "---\nexpires_at: 2026-12-24\n---\nthe pangolin among many other words\n")
    search = store.open()
    hits = search.query("pangolin", (SCOPE,), limit=2).hits
    assert [(hit.path, hit.expired) for hit in hits] == [("new.md", False)]
    hits = search.query("pangolin", (SCOPE,), limit=100, include_expired=True).hits
    assert len(hits) == 31
    assert sum(hit.expired for hit in hits) == 30


def test_pinned_pages_come_first_when_asked_once_each_and_within_the_limit(store) -> None:
    for number in range(12):
        store.write(f"_slots/s{number:02}.md", f"slot {number}\n")
    store.write("pin.md", "---\npinned: true\n---\npangolin\n")
    store.write("pin2.md", "---\npinned: true\nexpires_at: 2020-01-01\n---\npangolin\n")
    store.write("plain.md", "pangolin pangolin")
    store.write("other.md", "---\npinned: true\n---\npangolin\n", OTHER)
    search = store.open()
    hits = search.query("pangolin", (SCOPE,), limit=100, pin_first=True).hits
    assert [hit.path for hit in hits[:10]] == [f"_slots/s{number:02}.md" for number in range(10)]
    assert all(hit.pinned for hit in hits[:10])
    assert [(hit.path, hit.pinned) for hit in hits[10:]] == [("plain.md", False), ("pin.md", False)]
    assert len(search.query("pangolin", (SCOPE,), limit=4, pin_first=True).hits) == 4
    assert [hit.path for hit in search.query("pangolin", (SCOPE,)).hits] == ["plain.md", "pin.md"]


def test_a_pinned_page_that_matches_is_listed_once_with_its_score(store) -> None:
    store.write("pin.md", "---\npinned: true\n---\npangolin\n")
    store.write("plain.md", "pangolin pangolin")
    hits = store.open().query("pangolin", (SCOPE,), pin_first=True).hits
    assert [(hit.path, hit.pinned) for hit in hits] == [("pin.md", True), ("plain.md", False)]
    assert hits[0].score > 0


def test_a_quoted_phrase_must_stand_in_the_page(store) -> None:
    store.write("apart.md", "the migration of the database, the database after it")
    store.write("together.md", "plan a Database  migration soon")
    store.write("title.md", "---\ntitle: Database migration\n---\nnothing here\n")
    search = store.open()
    assert set(store.found(search, '"database migration"')) == {"together.md", "title.md"}
    assert set(store.found(search, "database migration")) == {"apart.md", "together.md", "title.md"}


def test_a_phrase_inside_a_question_that_no_page_holds_is_searched_as_words_and_says_so(store) -> None:
    store.write("apart.md", "the migration of the database")
    assert store.found(store.open(), '"database migration"') == []
    answer = store.open().query('who planned the "database migration"?', (SCOPE,))
    assert [hit.path for hit in answer.hits] == ["apart.md"]
    assert answer.notes == ("No page holds the quoted words as they stand: they were searched one by one.",)


def test_a_phrase_is_found_behind_many_pages_that_only_hold_its_words(store) -> None:
    for number in range(60):
        store.write(f"{number}.md", "migration of the database and then " * 3)
    store.write("z.md", "one database migration among a good many other words that make it rank last")
    search = store.open()
    assert [hit.path for hit in search.query('"database migration"', (SCOPE,), limit=1).hits] == ["z.md"]


@pytest.mark.parametrize(
    "text",
    ["", "???", '"', '""', "* AND NOT (", "title:", "\x00", "\ud800", "a" * 100_000, "how to " * 20_000],
)
def test_no_text_raises(store, text: str) -> None:
    store.write("a.md", "pangolin")
    answer = store.open().query(text, (SCOPE,))
    assert answer.hits == ()


def test_a_query_without_words_says_so(store) -> None:
    store.write("a.md", "pangolin")
    assert store.open().query("???", (SCOPE,)).notes == ("The query holds no words to search for.",)


def test_different_queries_find_different_pages(store) -> None:
    store.write("a.md", "pangolin")
    store.write("b.md", "walrus")
    search = store.open()
    assert store.found(search, "pangolin") == ["a.md"]
    assert store.found(search, "walrus") == ["b.md"]


def test_a_file_name_or_path_finds_the_page(store) -> None:
    store.write("specs/current.md", "nothing to see")
    store.write("00-index.md", "nothing to see")
    search = store.open()
    assert store.found(search, "current.md") == ["specs/current.md"]
    assert store.found(search, "specs/current.md")[0] == "specs/current.md"
    assert store.found(search, "00-index.md") == ["00-index.md"]


def test_a_removed_page_takes_no_place_in_the_answer(store) -> None:
    store.write("a.md", "pangolin")
    store.write("b.md", "pangolin too")
    search = store.open()
    assert search.query("pangolin", (SCOPE,), limit=1).hits[0].path == "a.md"
    store.remove("a.md")
    assert [hit.path for hit in search.query("pangolin", (SCOPE,), limit=1).hits] == ["b.md"]


def test_best_is_the_first_hit(store) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    assert search.best("pangolin", SCOPE).path == "a.md"
    assert search.best("walrus", SCOPE) is None


def test_a_megabyte_on_one_line_and_ten_megabytes_are_searched_within_a_second(store) -> None:
    store.write("line.md", "pangolin " + "word " * 200_000)
    store.write("blob.md", "walrus " + "x" * 1_000_000)
    store.write("big.md", "# Big\n\nnarwhal here\n\n" + "some line of text with words\n" * 370_000)
    search = store.open()
    start = time.process_time()
    assert store.found(search, "pangolin") == ["line.md"]
    assert store.found(search, "walrus") == ["blob.md"]
    assert store.found(search, "narwhal") == ["big.md"]
    assert time.process_time() - start < 4  # indexing and three queries; each is under a second
    start = time.process_time()
    assert len(search.query("narwhal pangolin walrus", (SCOPE,)).hits) == 3
    assert time.process_time() - start < 1


def test_pages_are_listed_by_path_and_counted(store) -> None:
    for number in range(60):
        store.write(f"notes/{number:03}.md", "text")
    search = store.open()
    assert search.paths(SCOPE) == [f"notes/{number:03}.md" for number in range(60)]
    assert [page.page_path for page in search.listing((SCOPE,)).pages] == search.paths(SCOPE)
    assert search.health((SCOPE,)).total.pages == 60
    assert search.complete_paths(SCOPE, "Notes/01", 3) == ["notes/010.md", "notes/011.md", "notes/012.md"]
