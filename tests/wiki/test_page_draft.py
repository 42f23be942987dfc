"""What a writer may ask for, and the sentence that refuses the rest."""

from datetime import datetime, timezone

import pytest

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page import MAX_BODY_BYTES, PageMeta
from memory_mcp.wiki.page_draft import check_body, has_frontmatter, make_meta


def test_nothing_given_means_the_defaults():
    assert make_meta(path="notes/x.md") == PageMeta()


def test_blank_optional_arguments_count_as_absent():
    assert (
        make_meta(path="x.md", kind=" ", tier="", abstract="\n", expires_at=" ", relations={}) == PageMeta()
    )


def test_arguments_are_normalised():
    meta = make_meta(
        path="notes/x.md",
        title=" A title ",
        kind=" decision ",
        tier="working",
        tags=["#alpha", " beta ", "alpha"],
        pinned=True,
        entities=["Foo  Bar", "foo bar", "Baz"],
        abstract=" In short. ",
        expires_at="2026-11-30T12:00:00.5+01:00",
        relations={"fixes": [" gotchas/x.md ", "other:x", "[[acme/other:x]]"], "causes": []},
    )
    assert meta == PageMeta(
        title="A title",
        kind="decision",
        tier="working",
        tags=("alpha", "beta"),
        pinned=True,
        entities=("foo bar", "baz"),
        abstract="In short.",
        expires_at=datetime(2026, 11, 30, 11, tzinfo=timezone.utc),
        relations={"fixes": ("gotchas/x.md", "other:x", "[[acme/other:x]]")},
    )


def test_a_date_is_the_end_of_its_day():
    meta = make_meta(path="x.md", expires_at="2026-11-30")
    assert meta.expires_at == datetime(2026, 11, 30, 23, 59, 59, 999999, timezone.utc)


def test_a_slot_is_pinned_whatever_the_writer_says():
    assert make_meta(path="_slots/focus.md", pinned=False).pinned


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"title": ""}, ["title is blank", "leave it out"]),
        ({"title": " \n"}, ["title is blank"]),
        ({"title": "x" * 301}, ["title", "301", "300"]),
        ({"title": "a\x07b"}, ["title", "control character", "\\x07"]),
        ({"title": "a\0b"}, ["title", "NUL"]),
        ({"title": "a\ud800b"}, ["title", "surrogate"]),
        ({"kind": " " * 65}, ["kind", "65", "64"]),
        ({"tier": "eternal"}, ["tier = 'eternal'", "working, episodic, semantic, procedural"]),
        ({"tags": ["a", " # "]}, ["tags", "' # '", "blank"]),
        ({"tags": ["x" * 101]}, ["tags", "101", "100"]),
        ({"tags": ["x"] * 65}, ["tags", "65", "64"]),
        ({"entities": ["x"] * 11}, ["entities", "11", "10"]),
        ({"entities": ["x" * 65]}, ["entities", "65", "64"]),
        ({"entities": [" "]}, ["entities", "blank"]),
        ({"abstract": "x" * 1024 + " "}, ["abstract", "1025", "1024"]),
        ({"expires_at": "tomorrow"}, ["'tomorrow'", "2026-11-30T12:00:00Z", "2026-11-30,"]),
        ({"expires_at": "2026-02-30"}, ["'2026-02-30'"]),
        ({"expires_at": "0001-01-01T00:00:00+05:00"}, ["0001"]),
        ({"relations": {"blocks": ["x"]}}, ["'blocks'", "causes, fixes, contradicts"]),
        ({"relations": {"fixes": ["x"] * 20, "causes": ["y"] * 13}}, ["relations", "33", "32"]),
        ({"relations": {"fixes": ["x" * 1025]}}, ["relations.fixes", "1025", "1024"]),
        ({"relations": {"fixes": [""]}}, ["relations.fixes = ''", "names no page"]),
        ({"relations": {"fixes": ["../x.md"]}}, ["relations.fixes = '../x.md'"]),
        ({"relations": {"fixes": ["https://example.org/x"]}}, ["relations.fixes = 'https"]),
        ({"relations": {"fixes": ["con.md"]}}, ["relations.fixes = 'con.md'", "device"]),
        ({"relations": {"fixes": ["a\0"]}}, ["relations.fixes", "NUL"]),
    ],
)
def test_a_wrong_argument_is_refused_by_name_value_and_rule(arguments, words):
    with pytest.raises(InvalidInput) as refused:
        make_meta(path="notes/x.md", **arguments)
    message = str(refused.value)
    assert [word for word in words if word not in message] == []
    assert len(message) < 300


@pytest.mark.parametrize(
    "body", ["# T\n", "x", "---\n", "---\ntext\n---\nmore\n", "---\n---\nx", "\x1b[1m bold", "é" * 10]
)
def test_any_text_may_be_a_body(body):
    assert check_body(body) == body


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", ["body is blank"]),
        (" \n\t", ["body is blank"]),
        ("a\0b", ["body", "NUL"]),
        ("a\udc00b", ["body", "surrogate"]),
        ("é" * (MAX_BODY_BYTES // 2) + "x", ["body", "1,000,001", "1,000,000"]),
        ("---\ntitle: x\n---\n# T\n", ["frontmatter", "arguments"]),
        ("---\r\ntitle: a: b\r\n---\r\n# T\n", ["frontmatter"]),
    ],
)
def test_a_wrong_body_is_refused(body, words):
    with pytest.raises(InvalidInput) as refused:
        check_body(body)
    assert [word for word in words if word not in str(refused.value)] == []


def test_a_body_of_exactly_the_limit_is_taken():
    assert check_body("x" * MAX_BODY_BYTES)


def test_only_a_block_that_says_something_is_frontmatter():
    assert has_frontmatter("---\na: b\n---\n")
    assert not has_frontmatter("---\n\n---\n")
    assert not has_frontmatter("---\n**x**\n---\n")
    assert not has_frontmatter("text\n---\na: b\n---\n")
