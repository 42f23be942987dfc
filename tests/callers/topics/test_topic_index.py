"""Indexes: what is read from them, what is written, and that nothing in them gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.topics.topic_index import (
    EMPTY_NOTE_INDEX,
    EMPTY_SKILL_INDEX,
    IndexEntry,
    TopicIndex,
    empty_index,
    entry_path,
    format_index,
    parse_index,
    rebuild_index,
    remove_entries,
)
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.callers.topics.topic_scan import TopicFacts

LINES = """\
- [a](/a.md): x
  - [b](/b.md):y
- [c](/c.md) no colon
* [d](/d.md): z
- [a](/a2.md): dup
_No entries yet._
### sub
- [e](/e.md): after
"""


def fact(slug, summary="", kind=NOTE, **more):
    return TopicFacts(slug, kind.path(slug), summary=summary, **more)


def rebuilt(text, *topics, kind=NOTE):
    return format_index(rebuild_index(parse_index(text), topics, kind)).partition("## Index\n")[2]


def test_entries_doubles_and_malformed_lines_are_read_up_to_the_next_heading():
    index = parse_index(f"# M\n\n## Index\n{LINES}")
    assert index == TopicIndex(
        header="# M\n\n",
        entries=(
            IndexEntry("a", "/a.md", "x"),
            IndexEntry("b", "/b.md", "y"),
            IndexEntry("a", "/a2.md", "dup"),
        ),
        malformed=("- [c](/c.md) no colon", "* [d](/d.md): z"),
        rest="### sub\n- [e](/e.md): after\n",
    )


def test_nothing_is_lost_when_an_index_is_written_again():
    assert format_index(parse_index(f"# M\n\n## Index\n\n{LINES}")) == (
        "# M\n\n## Index\n- [a](/a.md): x\n- [a](/a2.md): dup\n- [b](/b.md): y\n- [c](/c.md) no colon\n"
        "* [d](/d.md): z\n\n### sub\n- [e](/e.md): after\n"
    )


def test_entries_are_sorted_by_slug():
    entries = tuple(IndexEntry(slug, f"{slug}.md", "") for slug in ("b", "a-1", "a", "a1", "10", "2"))
    index = parse_index(format_index(TopicIndex("", entries)))
    assert [entry.slug for entry in index.entries] == ["10", "2", "a", "a-1", "a1", "b"]


@pytest.mark.parametrize(
    "text", ["", "# M\n\ntext\n", "# M\n\n## Indexing\n- [a](a.md): x\n", "a ## Index\n"]
)
def test_a_text_without_index_is_all_header(text):
    assert parse_index(text) == TopicIndex(text)


def test_an_index_on_the_first_line_is_one():
    assert parse_index("## Index\n- [a](a.md): x\n").entries == (IndexEntry("a", "a.md", "x"),)


def test_an_index_in_code_is_none():
    text = "# M\n\n```\n## Index\n- [a](a.md): x\n```\n\n## Index\n- [b](b.md): y\n"
    assert [entry.slug for entry in parse_index(text).entries] == ["b"]


def test_the_empty_indexes_are_what_their_reader_writes():
    for kind, text in ((NOTE, EMPTY_NOTE_INDEX), (SKILL, EMPTY_SKILL_INDEX)):
        assert empty_index(kind) == text
        assert text.startswith(f"# {kind.index_name}\n\n")
        assert text.endswith("\n\n## Index\n_No entries yet._\n")
        assert format_index(parse_index(text)) == text


one_line = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12)
entry = st.builds(
    IndexEntry,
    one_line.map(str.strip).filter(bool),
    st.from_regex(r"[a-z0-9/.-]{1,12}", fullmatch=True),
    one_line.map(str.strip),
)


@given(one_line, st.lists(entry, max_size=6))
def test_what_is_written_is_read_again(header, entries):
    text = format_index(TopicIndex(f"# M\n{header}", tuple(entries)))
    index = parse_index(text)
    assert sorted(index.entries, key=repr) == sorted(entries, key=repr)
    assert not index.malformed
    assert format_index(index) == text


lines = st.lists(
    st.sampled_from(
        [
            "## Index",
            "## Index ",
            "# M",
            "- [a](notes/a.md): x",
            "- [a](b",
            "text",
            "",
            "```",
            "_No entries yet._",
        ]
    )
    | one_line
).map("\n".join)


@given(lines)
def test_no_line_of_any_file_gets_lost(text):
    once = format_index(parse_index(text))
    lost = {line.strip() for line in text.split("\n")} - {line.strip() for line in once.split("\n")}
    entries = [
        entry for entry in map(str, lost) if not entry.startswith("- [") and entry != "_No entries yet._"
    ]
    assert entries == []
    assert format_index(parse_index(once)) == once


def test_carriage_returns_that_a_merge_doubled_do_not_change_an_index_forever():
    once = format_index(parse_index("# M\r\r\n\r\n## Index\r\r\n- [a](a.md): x\r\r\nodd\r\n## More\r\r\ny\r"))
    assert once == "# M\n\n## Index\n- [a](a.md): x\nodd\n\n## More\ny\n"
    assert format_index(parse_index(once)) == once


@pytest.mark.parametrize(("opening", "closing"), [("<!-- a remark", "-->"), ("```", "```")])
def test_what_the_header_leaves_open_cannot_hide_the_index(opening, closing):
    topics = [fact("a", f"from a {closing} to b")]
    once = format_index(rebuild_index(parse_index(f"# M\n{opening}\n\n## Index\n"), topics, NOTE))
    assert once == f"# M\n{opening}\n{closing}\n\n## Index\n- [a](notes/a.md): from a {closing} to b\n"
    again = format_index(rebuild_index(parse_index(f"{once}{closing}\n"), topics, NOTE))
    assert again == f"{once}{closing}\n"


def test_an_index_has_the_files_that_are_not_archived():
    topics = [fact("b", "second"), fact("a", "first"), fact("old", "gone", archived=True)]
    assert rebuilt("", *topics) == "- [a](notes/a.md): first\n- [b](notes/b.md): second\n"
    assert rebuilt("", fact("s", "skill", SKILL), kind=SKILL) == "- [s](s.md): skill\n"
    assert rebuilt("## Index\n- [old](notes/old.md): gone\n", *topics[2:]) == "_No entries yet._\n"


def test_a_hook_is_the_files_else_the_indexs_else_the_title():
    index = "## Index\n- [a](notes/a.md): mine\n- [b](notes/b.md): mine\n- [c](/memory/notes/c.md):\n"
    topics = [fact("a", "its own"), fact("b"), fact("c", title="Title"), fact("d")]
    assert rebuilt(index, *topics) == (
        "- [a](notes/a.md): its own\n- [b](notes/b.md): mine\n- [c](notes/c.md): Title\n"
        "- [d](notes/d.md): d\n"
    )


def test_a_union_merge_of_two_indexes_heals():
    merged = (
        "# M\n\n## Index\n_No entries yet._\n- [a](notes/a.md): old\n- [a](notes/a.md): new\n"
        "- [b](notes/b.md): x\n"
    )
    assert rebuilt(merged, fact("a", "new"), fact("b", "x"), fact("c", "y")) == (
        "- [a](notes/a.md): new\n- [b](notes/b.md): x\n- [c](notes/c.md): y\n"
    )


def test_entries_without_a_file_stay():
    index = "## Index\n- [gone](notes/gone.md): where?\n- [web](https://example.org/x.md): a page\n"
    assert rebuilt(index, fact("a", "first")) == (
        "- [a](notes/a.md): first\n- [gone](notes/gone.md): where?\n"
        "- [web](https://example.org/x.md): a page\n"
    )


def test_an_entry_with_another_label_is_that_of_the_file_it_points_to():
    index = "## Index\n- [My topic](notes/a.md): mine\n- [a](notes/elsewhere.md): stray\n"
    assert rebuilt(index, fact("a")) == "- [a](notes/a.md): stray\n"


def test_the_entry_of_an_unreadable_file_stays_as_it_is():
    broken = fact("a", unreadable="it has merge markers.")
    assert rebuilt("## Index\n- [a](notes/a.md): mine\n", broken) == "- [a](notes/a.md): mine\n"
    assert rebuilt("", broken) == "_No entries yet._\n"


def test_a_file_with_an_odd_name_has_a_link_that_can_be_read_again():
    topic = fact("a [b] (c)\n100%")
    text = rebuilt("", topic)
    assert text.count("\n") == 1
    index = parse_index(f"## Index\n{text}")
    assert index.malformed == ()
    assert entry_path(index.entries[0], NOTE) == topic.path
    assert rebuilt(f"## Index\n{text}", topic) == text


@pytest.mark.parametrize(
    ("kind", "target", "path"),
    [
        (NOTE, "notes/a.md", "memory/notes/a.md"),
        (NOTE, "/memory/notes/a.md", "memory/notes/a.md"),
        (NOTE, "memory/notes/a.md", "memory/notes/a.md"),
        (NOTE, "notes/a%20b.md", "memory/notes/a b.md"),
        (NOTE, "a.md", None),
        (NOTE, "notes/deep/a.md", None),
        (NOTE, "notes/a.txt", None),
        (SKILL, "a.md", "skills/a.md"),
        (SKILL, "/skills/a.md", "skills/a.md"),
        (SKILL, "https://example.org/a.md", None),
    ],
)
def test_an_entry_points_to_a_file_in_every_form(kind, target, path):
    assert entry_path(IndexEntry("x", target, ""), kind) == path


def test_the_entries_of_a_file_are_removed_and_nothing_else():
    index = parse_index(
        "## Index\n- [a](notes/a.md): x\n- [label](/memory/notes/a.md): y\n- [a](odd): z\n"
        "- [b](notes/b.md): w\n"
    )
    assert [entry.slug for entry in remove_entries(index, "memory/notes/a.md", NOTE).entries] == ["b"]
