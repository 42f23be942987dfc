"""A page is read whatever people or other tools wrote into it."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_mcp.errors import UserError
from memory_mcp.model.link import Link
from memory_mcp.model.page import MAX_BODY_BYTES, MAX_TITLE_CHARS, PageMeta, version_of
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.page_parse import UnreadablePage, is_ledger, parse_page

SCOPE = Scope("acme", "importer")


def parse(text, path="notes/a-page.md"):
    return parse_page(SCOPE, path, text.encode() if isinstance(text, str) else text)


def test_a_page_has_its_metadata_body_links_and_version():
    text = "---\ntitle: Use WAL\ntier: working\nrelations: {fixes: [x]}\n---\n# Heading\nsee [[x]]\n"
    page = parse(text)
    assert (page.scope, page.path, page.version) == (SCOPE, "notes/a-page.md", version_of(text.encode()))
    assert (page.title, page.kind, page.meta.tier) == ("Use WAL", "note", "working")
    assert page.front == "title: Use WAL\ntier: working\nrelations: {fixes: [x]}\n"
    assert page.body == page.text == "# Heading\nsee [[x]]\n"
    assert page.links == (
        Link(None, None, "x.md", "", bare=True),
        Link(None, None, "x.md", "fixes", bare=True),
    )
    assert page.problems == ()


def test_a_byte_order_mark_and_crlf_hide_nothing():
    page = parse("\ufeff---\r\ntitle: x\r\ntags:\r\n- a\r\n---\r\nbody\r\n")
    assert (page.title, page.meta.tags, page.body, page.problems) == ("x", ("a",), "body\r\n", ())


def test_a_letterhead_between_fences_is_text_and_reported():
    text = "---\n**ACME LEGAL**\n---\nbody"
    page = parse("\ufeff" + text)
    assert (page.body, page.text, page.front, page.meta) == (text, text, "", PageMeta())
    assert len(page.problems) == 1
    assert "not YAML (line 2: " in page.problems[0]


def test_a_title_with_a_colon_is_read_and_reported():
    page = parse("---\ntitle: Governance: split core\ntier: episodic\n---\nbody\n")
    assert (page.title, page.meta.tier, page.body) == ("Governance: split core", "episodic", "body\n")
    assert page.problems == ("line 2, `title: Governance: split core`, is not YAML: put the value in quotes",)


def test_frontmatter_that_is_not_yaml_is_searched_as_text_too():
    page = parse("---\ndescription: a: pangolin\n---\nbody\n")
    assert "pangolin" in page.text
    assert "body" in page.text
    assert not page.front_valid


def test_empty_and_broken_values_are_one_problem_each_and_never_an_error():
    page = parse("---\ntype:\ntitle: ok\ntags: [a\nx: - [\n---\nbody\n")
    assert (page.title, page.meta.tags) == ("ok", ("a",))
    assert len(page.problems) == 2


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From front\n---\n# Heading\n", "From front"),
        ("---\ntitle: ' '\n---\n# Heading\n", "Heading"),
        ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
        ("---\ntitle: 2024\n---\n", "2024"),
        ("text\n\n  #   Heading with `code` #1 ##  \n# Second\n", "Heading with `code` #1"),
        ("# Heading\r\n", "Heading"),
        ("# C#\n", "C#"),
        ("# #\ntext", "a-page"),
        ("## Not the first level\n", "a-page"),
        ("#hashtag\n", "a-page"),
        ("```sh\n# comment\n```\n# Heading\n", "Heading"),
        ("```sh\n# comment\n```\n", "a-page"),
        ("~~~\n# comment\n~~~\n", "a-page"),
        ("<!--\n# comment\n-->\n# `a` Heading\n", "`a` Heading"),
        ("", "a-page"),
        ("# " + "x" * 1000, "x" * MAX_TITLE_CHARS),
    ],
)
def test_the_title_is_that_of_the_frontmatter_or_the_first_heading_or_the_name(text, title):
    assert parse(text).title == title


@pytest.mark.parametrize(
    ("path", "front", "kind"),
    [("decisions/x.md", "", "decision"), ("x.md", "", "fact"), ("decisions/x.md", "kind: gotcha", "gotcha")],
)
def test_the_kind_is_that_of_the_frontmatter_or_the_folder(path, front, kind):
    assert parse(f"---\n{front}\n---\n", path).kind == kind


def test_a_slot_is_always_pinned_and_a_state_unless_it_says_otherwise():
    assert parse("x", "_slots/focus.md").meta == PageMeta(pinned=True, slot_kind="state")
    page = parse("---\npinned: false\nslot_kind: invariant\n---\n", "_slots/focus.md")
    assert page.meta == PageMeta(pinned=True, slot_kind="invariant")
    assert parse("x", "notes/_slots/focus.md").meta == PageMeta()


def test_merge_conflict_markers_are_reported_and_the_page_is_readable():
    page = parse("---\ntier: working\n---\n# T\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    assert page.problems == ("merge conflict markers at line 5",)
    assert (page.title, page.meta.tier) == ("T", "working")


def test_merge_conflict_markers_in_the_frontmatter_leave_the_rest_of_it():
    page = parse("---\ntier: working\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n---\nbody\n")
    assert (page.meta.tier, page.body) == ("working", "body\n")
    assert "merge conflict markers at line 3" in page.problems


def test_bytes_that_are_not_utf8_are_refused_with_their_place():
    with pytest.raises(UnreadablePage, match=r"acme/importer/notes/a-page\.md is not UTF-8 .*0xe9 on line 2"):
        parse("a\ncaf\xe9".encode("latin-1"))
    assert issubclass(UnreadablePage, UserError)


def test_a_page_over_the_limit_is_read_and_reported():
    page = parse("word " * (MAX_BODY_BYTES // 5 + 1) + "[[x]]")
    assert len(page.problems) == 1
    assert "1,000,000" in page.problems[0]
    assert page.links == ()
    assert parse("x" * MAX_BODY_BYTES).problems == ()


def test_a_page_of_one_very_long_line_takes_less_than_a_second():
    text = "# T [[x]] `code` " + "word (a) [b] " * (MAX_BODY_BYTES // 13 - 2)
    start = time.process_time()
    page = parse(text)
    assert time.process_time() - start < 2
    assert [link.path for link in page.links] == ["x.md"]


def test_reading_is_pure():
    data = b"---\ntier: episodic\npinned: true\n---\nbody\n"
    assert parse(data) == parse(data)
    assert (parse(data).meta.tier, parse(data).meta.pinned) == ("episodic", True)


@given(
    st.binary(max_size=60)
    | st.text("---\n\r\ufeff#:[]{}&*!|>'\"%@`~ ab\x00\x85\u2028", max_size=60).map(str.encode)
)
@example(b"---\na: &a [*a]\n---\n")
@example(b"---\n\x00\n---\n")
def test_no_bytes_raise_anything_but_unreadable(data):
    try:
        page = parse(data)
    except UnreadablePage:
        return
    assert page.title
    assert data.decode().endswith(page.body)


@given(st.text(st.characters(codec="utf-8"), max_size=40).map(lambda front: f"---\n{front}\n---\nbody"))
def test_any_text_between_fences_is_frontmatter_or_body(text):
    page = parse(text)
    assert page.body.endswith("body")


ENTRY = "## [2026-11-30T12:00:00Z] session | a prompt\n"


@pytest.mark.parametrize(
    "text",
    [
        ENTRY,
        "\n\n" + ENTRY,
        "# Log 2026-11\n\n" + ENTRY,
        "\ufeff# Log\r\n\r\n" + ENTRY,
        "---\ntype: Log\n---\n# Log\n" + ENTRY,
    ],
)
def test_a_file_whose_first_entry_is_an_event_is_a_ledger(text):
    assert is_ledger(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Log of the pump\n\nWe log " + ENTRY,
        "# Other\n\n" + ENTRY,
        "# Logistics\n" + ENTRY,
        "text\n" + ENTRY,
        "## [2026-11-30] Added | x\n",
        "## [link](x.md)\n",
        "# Log 2026-11\n",
    ],
)
def test_a_page_that_only_mentions_events_is_none(text):
    assert not is_ledger(text)
