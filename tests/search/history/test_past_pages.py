"""What was known at a moment, in the words of that time."""

from __future__ import annotations

from memory_mcp.model.progress import no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.model.window import Window
from memory_mcp.search.history.page_version import split_id
from tests.search.history.conftest import SCOPE, START, Wiki, found


def test_a_page_changed_three_times_has_each_text_in_its_own_words(wiki: Wiki) -> None:
    texts = ["# Db\n\nWe use sqlite.\n", "# Db\n\nWe use postgres.\n", "# Db\n\nWe use files.\n"]
    times = [wiki.save("decisions/db.md", text) for text in texts]
    history = wiki.open()
    for time, text in zip(times, texts, strict=True):
        assert wiki.past(time, history) == {"decisions/db.md": text}
        assert wiki.past(time + 59.5, history) == {"decisions/db.md": text}
    assert wiki.past(START - 1, history) == {}
    words = [found(history.at(time, (SCOPE,), no_progress), "sqlite postgres") for time in times]
    assert words == [["decisions/db.md+"], ["decisions/db.md+"], []]


def test_a_page_deleted_before_is_hidden_and_one_deleted_after_is_shown(wiki: Wiki) -> None:
    wiki.save("a.md", "walrus\n")
    written = wiki.save("b.md", "walrus too\n")
    deleted = wiki.remove("a.md")
    history = wiki.open()
    assert wiki.past(deleted - 1, history) == {"a.md": "walrus\n", "b.md": "walrus too\n"}
    assert wiki.past(deleted, history) == {"b.md": "walrus too\n"}
    pages = history.at(written, (SCOPE,), no_progress)
    windows = {pages.place(page)[1]: pages.window(page) for page in pages.holding("scope", str(SCOPE))}
    assert windows == {"a.md": Window(START, deleted), "b.md": Window(written, None)}


def test_a_page_that_came_back_is_there_in_both_of_its_times(wiki: Wiki) -> None:
    first = wiki.save("a.md", "walrus\n")
    gone = wiki.remove("a.md")
    back = wiki.save("a.md", "walrus\n")
    history = wiki.open()
    assert [bool(wiki.past(time, history)) for time in (first, gone, back)] == [True, False, True]
    pages = history.at(back + 1, (SCOPE,), no_progress)
    assert [pages.window(page) for page in pages.holding("scope", str(SCOPE))] == [Window(back, None)]


def test_statistics_are_counted_among_the_pages_of_that_time(wiki: Wiki) -> None:
    time = wiki.save("a.md", "walrus\n")
    for number in range(5):
        wiki.save(f"later/{number}.md", "walrus sleeps on the ice\n")
    pages = wiki.open().at(time, (SCOPE,), no_progress)
    assert pages.doc_set().count == 1
    assert pages.reader.count == 6
    assert found(pages, "walrus") == ["a.md+"]


def test_only_the_asked_scopes_are_seen_and_those_of_callers_only_when_named(wiki: Wiki) -> None:
    wiki.put("a.md", "mine\n")
    wiki.put("/acme/other/b.md", "other\n")
    wiki.put("/_callers/ana/memory/notes/c.md", "ana's\n")
    now = wiki.commit()
    history = wiki.open()
    assert wiki.past(now, history) == {"a.md": "mine\n"}
    assert wiki.past(now, history, None) == {"a.md": "mine\n", "b.md": "other\n"}
    assert wiki.past(now, history, (Scope("_callers", "ana"),)) == {"memory/notes/c.md": "ana's\n"}


def test_logs_records_links_and_what_is_no_page_are_not_found(wiki: Wiki) -> None:
    wiki.put("log-2026-11.md", "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] write-page | walrus\n")
    wiki.put("old.md", "## [2026-11-30T12:00:00Z] write-page | walrus\n")
    wiki.put("_handoffs/x.md", "walrus\n")
    wiki.put(".hidden/x.md", "walrus\n")
    wiki.put("notes.txt", "walrus\n")
    wiki.put("latin.md", "walrus café\n".encode("latin-1"))
    wiki.put("/README.md", "walrus\n")
    wiki.put("page.md", "walrus\n")
    (wiki.wiki / str(SCOPE) / "link.md").symlink_to("page.md")
    now = wiki.commit()
    assert wiki.past(now) == {"page.md": "walrus\n"}
    assert found(wiki.open().at(now, (SCOPE,), no_progress), "walrus") == ["page.md+"]


def test_a_log_is_passed_over_by_its_name_for_each_write_makes_a_version_of_it(wiki: Wiki) -> None:
    wiki.put("log-2026-11.md", "walrus\n")
    wiki.put("notes/log-2026-11.md", "a page\n")
    assert wiki.past(wiki.commit()) == {"notes/log-2026-11.md": "a page\n"}


def test_a_file_name_that_is_not_utf8_is_passed_over(wiki: Wiki) -> None:
    folder = wiki.put("page.md", "walrus\n").parent
    with open(bytes(folder) + b"/caf\xe9.md", "wb") as file:
        file.write(b"walrus\n")
    assert wiki.past(wiki.commit()) == {"page.md": "walrus\n"}


def test_texts_read_ahead_are_those_of_each_page_also_when_two_are_alike(wiki: Wiki) -> None:
    wiki.put("a.md", "walrus\n")
    wiki.put("b.md", "walrus\n")
    wiki.put("c.md", "---\ntags: [sea]\n---\nokapi\n")
    pages = wiki.open().at(wiki.commit(), (SCOPE,), no_progress)
    found = sorted(pages.holding("scope", str(SCOPE)))
    pages.read_ahead(found)
    assert [pages.text(page) for page in found] == ["walrus\n", "walrus\n", "okapi\n"]


def test_a_page_that_became_a_link_is_gone(wiki: Wiki) -> None:
    first = wiki.save("a.md", "walrus\n")
    (wiki.wiki / str(SCOPE) / "a.md").unlink()
    (wiki.wiki / str(SCOPE) / "a.md").symlink_to("/etc/hosts")
    second = wiki.commit()
    assert (wiki.past(first), wiki.past(second)) == ({"a.md": "walrus\n"}, {})


def test_frontmatter_is_read_and_is_not_part_of_the_text(wiki: Wiki) -> None:
    now = wiki.save("a.md", "---\ntitle: Walrus\nexpires_at: 2026-01-01\ntags: [Sea]\n---\nText.\n")
    pages = wiki.open().at(now, (SCOPE,), no_progress)
    [page] = pages.holding("tag", "sea")
    assert (page.title, pages.text(page), page.expires_at) == ("Walrus", "Text.\n", 1767311999.999999)
    path, blob = split_id(page.path)
    assert path == f"{SCOPE}/a.md"
    assert wiki.git("cat-file", "-p", blob).endswith("Text.")


def test_clocks_that_disagree_never_let_a_later_version_end_before_it_begins(wiki: Wiki) -> None:
    wiki.save("a.md", "first\n", time=START + 600)
    wiki.save("a.md", "second\n", time=START)
    wiki.save("a.md", "third\n", time=START + 900)
    history = wiki.open()
    assert wiki.past(START + 599, history) == {}
    assert wiki.past(START + 600, history) == {"a.md": "second\n"}
    assert wiki.past(START + 900, history) == {"a.md": "third\n"}


def test_a_merge_is_learned_when_it_was_made(wiki: Wiki) -> None:
    wiki.save("a.md", "base\n")
    wiki.git("checkout", "-qb", "theirs")
    theirs = wiki.save("b.md", "from afar\n")
    wiki.git("checkout", "-q", "main")
    wiki.save("a.md", "ours\n")
    wiki.now += 60
    wiki.git("merge", "-q", "--no-ff", "-m", "merge", "theirs")
    history = wiki.open()
    assert wiki.past(theirs, history) == {"a.md": "base\n"}
    assert wiki.past(wiki.now, history) == {"a.md": "ours\n", "b.md": "from afar\n"}


def test_a_wiki_without_a_commit_knew_nothing(wiki: Wiki) -> None:
    wiki.put("a.md", "never committed\n")
    history = wiki.open()
    assert wiki.past(START, history) == {}
    assert history.at(START, None, no_progress).doc_set().count == 0
