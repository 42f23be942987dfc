"""What the known keys of a frontmatter mean, and what becomes of wrong values."""

from datetime import datetime, timezone

import pytest

from memory_mcp.model.page import PageMeta
from memory_mcp.wiki.frontmatter import read_front
from memory_mcp.wiki.meta_read import read_meta


def meta_of(front):
    meta, problems = read_meta(read_front(front).values)
    assert problems == []
    return meta


def problem_of(front):
    meta, problems = read_meta(read_front(front).values)
    assert meta == PageMeta(), "a wrong value leaves the default"
    assert len(problems) == 1
    return problems[0]


def test_an_empty_frontmatter_means_the_defaults():
    assert meta_of("") == PageMeta()
    keys = ["title", "kind", "tier", "tags", "pinned", "entities", "abstract", "summary"]
    keys += ["expires_at", "slot_kind", "relations"]
    assert meta_of("".join(f"{key}:\n" for key in keys)) == PageMeta()


def test_every_known_key_is_read():
    front = (
        "title: ' A title '\nkind: decision\ntier: procedural\ntags: [a, b]\npinned: true\n"
        "entities: [Foo  Bar, foo bar]\n"
        "abstract: In short\nsummary: A hook\nexpires_at: 2026-11-30T12:00:00+01:00\nslot_kind: invariant\n"
        "relations:\n  fixes: gotchas/x.md\n  causes: [a, other:b]\nunknown: {a: 1}\n"
    )
    assert meta_of(front) == PageMeta(
        title="A title",
        kind="decision",
        tier="procedural",
        tags=("a", "b"),
        pinned=True,
        entities=("foo bar",),
        abstract="In short",
        summary="A hook",
        expires_at=datetime(2026, 11, 30, 11, tzinfo=timezone.utc),
        slot_kind="invariant",
        relations={"fixes": ("gotchas/x.md",), "causes": ("a", "other:b")},
    )


@pytest.mark.parametrize(
    "value",
    [
        "[alpha, beta]",
        "['#alpha', '# beta']",
        "\n- alpha\n- '#beta'",
        "\n  - ' alpha '\n  -\n  - beta\n  - alpha\n",
        "alpha, beta",
        "'#alpha, #beta,'",
    ],
)
def test_tags_are_read_in_every_way_that_people_write_them(value):
    assert meta_of(f"tags: {value}\n").tags == ("alpha", "beta")


@pytest.mark.parametrize("value", ["[alpha, beta", "['alpha', beta: x"])
def test_tags_of_a_broken_list_are_read(value):
    meta, _ = read_meta(read_front(f"tags: {value}\n").values)
    assert meta.tags[0].strip("'") == "alpha"


def test_scalars_with_a_type_are_texts_where_a_text_belongs():
    meta = meta_of("title: 1.10\nkind: 007\ntags: [2024, 1.5, true, yes]\nabstract: 2026-11-30\n")
    assert (meta.title, meta.kind, meta.abstract) == ("1.10", "007", "2026-11-30")
    assert meta.tags == ("2024", "1.5", "true", "yes")


@pytest.mark.parametrize(("text", "moment"), [
    ("2026-11-30", datetime(2026, 11, 30, 23, 59, 59, 999999, timezone.utc)),
    ("'2026-11-30'", datetime(2026, 11, 30, 23, 59, 59, 999999, timezone.utc)),
    ("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=timezone.utc)),
    ("2026-11-30 12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=timezone.utc)),
])  # fmt: skip
def test_a_date_expires_at_the_end_of_its_day(text, moment):
    assert meta_of(f"expires_at: {text}\n").expires_at == moment


@pytest.mark.parametrize(
    ("front", "words"),
    [
        ("tier: eternal", ["tier = 'eternal'", "working, episodic, semantic, procedural"]),
        ("tier: [working]", ["tier is not a text"]),
        ("pinned: yes", ["pinned = 'yes'", "neither true nor false"]),
        ("pinned: 'true'", ["pinned = 'true'"]),
        ("pinned: 1", ["pinned = 1"]),
        ("title: [a]", ["title is not a text"]),
        (f"kind: {'x' * 65}", ["kind", "64"]),
        ("tags: {a: b}", ["tags holds"]),
        ("tags: [{a: b}]", ["tags holds"]),
        ("expires_at: next week", ["'next week'", "YYYY-MM-DD"]),
        ("expires_at: 2026-13-01", ["'2026-13-01'", "YYYY-MM-DD"]),
        ("expires_at: 0001-01-01T00:00:00+05:00", ["0001-01-01"]),
        (f"entities: [{'x' * 65}]", ["entities", "64"]),
        ('entities: ["a\\u0007b"]', ["entities", "printable"]),
        ("slot_kind: sometimes", ["slot_kind = 'sometimes'", "state, invariant"]),
        ("relations: gotchas/x.md", ["relations is not a mapping"]),
        ("relations: {blocks: [a]}", ["relations.blocks", "causes, fixes, contradicts"]),
        ("relations: {fixes: ['https://example.org']}", ["relations.fixes", "https://example.org"]),
        ("relations: {fixes: [{a: b}]}", ["relations.fixes"]),
    ],
)
def test_a_wrong_value_is_a_problem_and_not_an_error(front, words):
    problem = problem_of(front + "\n")
    assert [word for word in words if word not in problem] == []


def test_only_ten_entities_count():
    meta, problems = read_meta({"entities": [f"e{n}" for n in range(12)]})
    assert meta.entities == tuple(f"e{n}" for n in range(10))
    assert problems == ["entities holds 12: the first 10 count"]


@pytest.mark.parametrize(
    "value", ["[[gotchas/x]]", '"[[gotchas/x]]"', "\n    - [[gotchas/x]]", "['[[gotchas/x]]']"]
)
def test_relations_may_be_wikilinks(value):
    targets = meta_of(f"relations:\n  fixes: {value}\n").relations["fixes"]
    assert [target.strip("[]") for target in targets] == ["gotchas/x"]
