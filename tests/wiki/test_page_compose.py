"""A write changes what the writer says and not one byte more."""

from datetime import datetime, time, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.page import RELATIONS, SLOT_KINDS, TIERS, PageMeta
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.frontmatter import read_front
from memory_mcp.wiki.page_compose import compose_page
from memory_mcp.wiki.page_parse import parse_page

SCOPE = Scope("acme", "importer")


def parse(data):
    return parse_page(SCOPE, "notes/x.md", data)


FULL = PageMeta(
    title="Governance: split core",
    kind="decision",
    tier="procedural",
    tags=("alpha", "yes", "#x"[1:]),
    pinned=True,
    entities=("foo bar",),
    abstract='Says "why"\nand how',
    expires_at=datetime(2026, 11, 30, 12, tzinfo=timezone.utc),
    relations={"fixes": ("gotchas/x.md", "other:y")},
)
FULL_TEXT = """\
---
title: 'Governance: split core'
kind: decision
tier: procedural
pinned: true
tags:
  - alpha
  - 'yes'
  - x
entities:
  - foo bar
abstract: "Says \\"why\\"\\nand how"
expires_at: 2026-11-30T12:00:00Z
relations:
  fixes:
    - gotchas/x.md
    - other:y
---
# T
"""


def test_a_new_page_has_the_known_keys_in_their_order():
    assert compose_page(None, "# T", FULL).decode() == FULL_TEXT


def test_a_new_page_says_its_tier_and_leaves_out_what_is_empty():
    assert compose_page(None, "# T\r\ntext", PageMeta()) == b"---\ntier: semantic\n---\n# T\ntext\n"


def test_a_body_of_a_new_page_may_begin_with_a_rule():
    data = compose_page(None, "---\ntext\n---\nmore\n", PageMeta())
    assert parse(data).body == "---\ntext\n---\nmore\n"
    assert parse(data).problems == ()


def test_a_date_is_written_as_a_date():
    end = datetime(2026, 11, 30, 23, 59, 59, 999999, timezone.utc)
    assert b"\nexpires_at: 2026-11-30\n" in compose_page(None, "x", PageMeta(expires_at=end))


OLD = (
    "\ufeff---\r\n"
    "# mine\r\n"
    "aliases: [one,   two] # odd  spacing\r\n"
    "tags: ['#alpha', beta]   # kept\r\n"
    "title:   Old title # why\r\n"
    "x:\r\n"
    "  y: |\r\n"
    "    text\r\n"
    "    # text\r\n"
    "tier: working\r\n"
    "abstract: >-\r\n"
    "  folded\r\n"
    "  text\r\n"
    "# before the end\r\n"
    "date: 2026-01-01\r\n"
    "# last\r\n"
    "---\r\n"
    "# T\r\n"
    "text\r\n"
).encode()
OLD_META = PageMeta(title="Old title", tags=("alpha", "beta"), tier="working", abstract="folded text")


def test_an_identical_write_gives_identical_bytes():
    assert compose_page(OLD, "# T\r\ntext\r\n", OLD_META) == OLD
    assert compose_page(OLD, "# T\ntext\n", OLD_META) == OLD
    assert compose_page(OLD, "# T\ntext", OLD_META) == OLD


def test_a_new_body_takes_the_line_endings_of_the_file_and_leaves_the_frontmatter():
    new = compose_page(OLD, "# New\n\ntext", OLD_META)
    assert new == OLD.replace(b"# T\r\ntext\r\n", b"# New\r\n\r\ntext\r\n")


def test_other_metadata_is_replaced_and_everything_else_stays():
    meta = PageMeta(title="New: title", tags=("gamma",), tier="working", pinned=True, entities=("e",))
    expected = (
        OLD.replace(b"title:   Old title # why", b"title: 'New: title' # why")
        .replace(b"tags: ['#alpha', beta]   # kept\r\n", b"tags:   # kept\r\n  - gamma\r\n")
        .replace(b"abstract: >-\r\n  folded\r\n  text\r\n", b"")
        .replace(b"date: 2026-01-01\r\n", b"date: 2026-01-01\r\npinned: true\r\nentities:\r\n  - e\r\n")
    )
    assert compose_page(OLD, "# T\ntext\n", meta) == expected


def test_summary_and_slot_kind_stay_when_the_writer_says_nothing_of_them():
    old = b"---\nsummary: hook\nslot_kind: invariant\ntier: semantic\n---\nx\n"
    assert compose_page(old, "y", PageMeta()) == old.replace(b"x", b"y")
    new = compose_page(old, "x", PageMeta(summary="new", slot_kind="state"))
    assert new == b"---\nsummary: new\nslot_kind: state\ntier: semantic\n---\nx\n"


@pytest.mark.parametrize(
    "old", [b"# T\n", b"\xef\xbb\xbf# T\r\n", b"# T", b"---\n---\n# T\n", b"---\nx: 1\n---\n# T\n"]
)
def test_a_page_without_known_keys_gets_none_while_all_are_defaults(old):
    assert compose_page(old, "# T", PageMeta()) == old


def test_a_page_without_frontmatter_gets_one_when_there_is_something_to_say():
    assert (
        compose_page(b"# T\r\n", "# T\n", PageMeta(tags=("a",))) == b"---\r\ntags:\r\n  - a\r\n---\r\n# T\r\n"
    )
    assert compose_page(b"---\n---\n# T\n", "# T\n", PageMeta(kind="x")) == b"---\nkind: x\n---\n# T\n"


def test_wrong_values_that_mean_the_default_are_left_to_their_author():
    old = b"---\ntier: bogus\nexpires_at: some day\n---\nx\n"
    assert compose_page(old, "y", PageMeta()) == old.replace(b"x\n", b"y\n")


def test_comments_around_a_replaced_value_stay():
    old = b"---\ntags: [a] # one\n  # two\n# three\nkind: x\n---\nx\n"
    new = b"---\ntags: # one\n  - b\n  # two\n# three\nkind: x\n---\nx\n"
    assert compose_page(old, "x", PageMeta(tags=("b",), kind="x")) == new


def test_a_repeated_key_is_written_once():
    old = b"---\ntitle: a\ntier: working\ntitle: b\n---\nx\n"
    assert (
        compose_page(old, "x", PageMeta(title="c", tier="working"))
        == b"---\ntier: working\ntitle: c\n---\nx\n"
    )


def test_indented_and_quoted_keys_are_replaced_in_their_place():
    old = b"---\n  'title': a\n  x: 1\n---\nx\n"
    assert compose_page(old, "x", PageMeta(title="b", pinned=True)) == (
        b"---\n  title: b\n  x: 1\n  pinned: true\n---\nx\n"
    )


def test_keys_are_added_before_the_end_mark_of_a_document():
    assert (
        compose_page(b"---\nx: 1\n...\n---\nx\n", "x", PageMeta(kind="k"))
        == b"---\nx: 1\nkind: k\n...\n---\nx\n"
    )


def test_a_title_with_a_colon_is_written_back_quoted():
    old = b"---\nx: 1 # c\ntitle: Governance: split core\n---\nx\n"
    new = compose_page(old, "x", PageMeta(title="Governance: split core"))
    assert new == b"---\nx: 1 # c\ntitle: 'Governance: split core'\n---\nx\n"
    assert compose_page(old, "x", PageMeta()) == b"---\nx: 1 # c\n---\nx\n"


@pytest.mark.parametrize(
    ("old", "words"),
    [
        (
            b"---\ndescription: a: b\ntitle: x\n---\nbody\n",
            "line 2 of the page, `description: a: b`, is not YAML",
        ),
        (b"---\nsummary: a: b\n---\nbody\n", "line 2 of the page"),
        (b"---\na: b\n  c: d\n---\nbody\n", "line 2"),
        (
            b"---\ntitle: x\n---\na\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n",
            "merge conflict markers at line 5",
        ),
        (
            b"---\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> d\n---\nx\n",
            "merge conflict markers at line 2",
        ),
        (b"caf\xe9\n", "not UTF-8"),
        (b"---\n{x: 1, title: y}\n---\nbody\n", "{...}"),
        (b"---\ntitle: &t x\nother: *t\n---\nbody\n", "anchor"),
    ],
)
def test_a_page_that_cannot_be_rewritten_without_loss_is_left_to_a_person(old, words):
    with pytest.raises(Conflict) as refused:
        compose_page(old, "new", PageMeta(title="new", tags=("a",)))
    assert words in str(refused.value)
    assert "first" in str(refused.value)


def test_a_flow_mapping_is_no_obstacle_while_its_keys_stay():
    old = b"---\n{x: 1, title: y}\n---\nbody\n"
    assert compose_page(old, "new", PageMeta(title="y")) == b"---\n{x: 1, title: y}\n---\nnew\n"


def test_a_block_that_is_no_frontmatter_is_part_of_the_body():
    old = b"---\n**ACME LEGAL**\n---\nbody\n"
    assert compose_page(old, old.decode(), PageMeta()) == old
    tagged = compose_page(old, old.decode(), PageMeta(tags=("a",)))
    assert tagged == b"---\ntags:\n  - a\n---\n" + old
    assert compose_page(old, "new", PageMeta()) == b"new\n"
    other = compose_page(old, "---\nother\n---\nbody", PageMeta())
    assert parse(other).body == "---\nother\n---\nbody\n"
    assert parse(other).problems == ()


def test_a_body_with_frontmatter_of_its_own_is_refused():
    for old in (None, OLD, b"# T\n"):
        with pytest.raises(InvalidInput, match="frontmatter"):
            compose_page(old, "---\ntitle: x\n---\n# T\n", PageMeta())


def test_metadata_too_long_to_be_read_back_is_refused():
    with pytest.raises(InvalidInput, match="65,536"):
        compose_page(None, "x", PageMeta(tags=tuple(f"{n:0100}" for n in range(700))))


TEXTS = st.one_of(
    st.text(max_size=20),
    st.text("ab:-#'\"[]{}&*!|>%@`, \n\t0.1\u2028\x85é🦔", min_size=1, max_size=20),
    st.sampled_from(["yes", "1.0", "2026-11-30", "- a", "null", "a: b", "---", "#x", "[x]", "{x}", "x #y"]),
)
STRIPPED = TEXTS.map(str.strip).filter(bool)
TAGS = STRIPPED.filter(lambda tag: not tag.startswith("#"))
TIMES = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(timezone.utc))
METAS = st.builds(
    PageMeta,
    title=st.none() | STRIPPED,
    kind=st.none() | STRIPPED,
    tier=st.sampled_from(TIERS),
    tags=st.lists(TAGS, max_size=3, unique=True).map(tuple),
    pinned=st.booleans(),
    entities=st.lists(st.sampled_from(["foo", "foo bar", "a: b", "yes", "#x", "é"]), unique=True).map(tuple),
    abstract=st.none() | STRIPPED,
    summary=st.none() | STRIPPED,
    expires_at=st.none() | TIMES | TIMES.map(lambda t: datetime.combine(t, time.max, timezone.utc)),
    slot_kind=st.none() | st.sampled_from(SLOT_KINDS),
    relations=st.dictionaries(
        st.sampled_from(RELATIONS),
        st.lists(
            st.sampled_from(["x.md", "a b/c", "other:x", "[[y]]", "é: z"]), min_size=1, unique=True
        ).map(tuple),
    ),
)  # fmt: skip
BODIES = st.text("#-[]`ab\n\r ", min_size=1, max_size=30).filter(str.strip)


@given(METAS, BODIES)
def test_what_is_written_is_what_is_read(meta, body):
    data = compose_page(None, body, meta)
    page = parse(data)
    assert page.meta == meta
    assert page.body == body.replace("\r\n", "\n").removesuffix("\n") + "\n"
    assert page.problems == ()
    assert compose_page(data, body, meta) == data


ENTRIES = st.sampled_from([
    "# comment", "", "title: a # c", "'title': b", "tags: [a, '#b'] # c", "tags:\n- a\n# in\n- b",
    "tier: working", "x: 1", "y: {a: [b, c]}", "z: |\n  text\n  # text\n", "aliases:\n  - a\n  # note",
    "abstract: >\n  a\n  b",
    "pinned: true", "title: a: b",
    "summary: s", "relations:\n  fixes: [a]", "relations:\n  other: [a]", "date: 2026-01-01",
    "title: 'a\n  b'", "w: 'a\n  b' # c", "entities:", "kind: x # c\n  # d",
])  # fmt: skip


@given(
    st.lists(ENTRIES, max_size=6, unique_by=lambda entry: entry.strip("'").split(":")[0] + entry[:1]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
    METAS,
    BODIES,
)
def test_a_rewrite_sets_the_metadata_and_keeps_every_other_line(entries, eol, bom, meta, body):
    text = bom + "---\n" + "".join(f"{entry}\n" for entry in entries) + "---\nold\n"
    old = text.replace("\n", eol).encode()
    new = compose_page(old, body, meta)
    page = parse(new)
    for key in ("title", "kind", "tier", "tags", "pinned", "entities", "abstract", "expires_at", "relations"):
        assert getattr(page.meta, key) == getattr(meta, key)
    kept = [e.replace("\n", eol) for e in entries if e[:1] in "#xyzwd" or e.startswith("aliases")]
    position = 0
    for entry in kept:
        position = new.decode().index(entry, position)
    unknown = {"x", "y", "z", "w", "aliases", "date"}
    old_values, new_values = read_front(parse(old).front).values, read_front(page.front).values
    assert [new_values.get(key) for key in unknown] == [old_values.get(key) for key in unknown]
    assert new.startswith((bom + "---").encode())
    assert eol == "\n" or b"\n" not in new.replace(b"\r\n", b"")
    assert compose_page(new, body, meta) == new
    assert compose_page(new, page.body, page.meta) == new
