"""Where the frontmatter of a file is, and what it says however it was written."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.frontmatter import MAX_FRONT_CHARS, FileText, cut_file, map_front, read_front


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\na: b\n---\nbody\n", ("", "---\n", "a: b\n", "---\n", "body\n")),
        ("---\r\na: b\r\n---\r\nbody", ("", "---\r\n", "a: b\r\n", "---\r\n", "body")),
        ("\ufeff---\na: b\n---\nbody", ("\ufeff", "---\n", "a: b\n", "---\n", "body")),
        ("\ufeffbody", ("\ufeff", "", "", "", "body")),
        ("---\n---\n", ("", "---\n", "", "---\n", "")),
        ("--- \na: b\n---\t\nbody", ("", "--- \n", "a: b\n", "---\t\n", "body")),
        ("---\na: b\n---", ("", "---\n", "a: b\n", "---", "")),
        ("---\na: b\n----\n---x\n---\n", ("", "---\n", "a: b\n----\n---x\n", "---\n", "")),
        ("---\na: b\n", ("", "", "", "", "---\na: b\n")),
        ("---", ("", "", "", "", "---")),
        ("\n---\na: b\n---\n", ("", "", "", "", "\n---\na: b\n---\n")),
        (" ---\na: b\n---\n", ("", "", "", "", " ---\na: b\n---\n")),
        ("----\na: b\n---\n", ("", "", "", "", "----\na: b\n---\n")),
        ("", ("", "", "", "", "")),
    ],
)
def test_frontmatter_lies_between_fences_from_the_first_byte_on(text, parts):
    assert cut_file(text) == FileText(*parts)


@given(
    st.lists(st.sampled_from(["---", "--- ", "----", "a: b", "\ufeff", "\n", "\r\n", "\n", "x"])).map("".join)
)
@example("\ufeff---\r\n---")
def test_the_parts_join_to_the_file(text):
    parts = cut_file(text)
    assert parts.bom + parts.opening + parts.front + parts.closing + parts.body == text


@pytest.mark.parametrize("front", ["", "\n", "# only a comment\n"])
def test_an_empty_frontmatter_says_nothing(front):
    assert read_front(front).values == {}


def test_valid_yaml_of_any_form_is_read():
    front = read_front("title: >\n  folded\n  text\nnested: {a: [1, {b: c}]}\n'quoted': \"\\u00e9\"\n")
    assert front.values == {"title": "folded text\n", "nested": {"a": [1, {"b": "c"}]}, "quoted": "é"}
    assert front.valid
    assert front.problems == ()


def test_values_are_those_that_json_has():
    front = read_front("date: 2026-11-30\nv: 1.10\nn: [1, 2.5, true, null]\nm: {a: {b: c}}\n")
    assert front.values == {
        "date": "2026-11-30",
        "v": "1.10",
        "n": [1, 2.5, True, None],
        "m": {"a": {"b": "c"}},
    }


def test_a_repeated_key_is_reported_and_the_last_one_counts():
    front = read_front("title: a\ntier: working\ntitle: b\n")
    assert front.values == {"title": "b", "tier": "working"}
    assert front.valid
    assert front.problems == ("line 4 gives `title` again: the last one counts",)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_colon_in_a_title_costs_nothing(eol):
    lines = ["title: Governance: split core", "tier: working", "tags:", "- a", "- b # c", "x: {y: 1}", ""]
    front = read_front(eol.join(lines))
    assert front.values == {
        "title": "Governance: split core",
        "tier": "working",
        "tags": ["a", "b"],
        "x": {"y": 1},
    }
    assert not front.valid
    assert front.problems == (
        "line 2, `title: Governance: split core`, is not YAML: put the value in quotes",
    )


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("title: a: b", "a: b"),
        ("title: a: b   ", "a: b"),
        ("title: [draft] page", "[draft] page"),
        ("title: *starred* page", "*starred* page"),
        ("title: @home", "@home"),
        ("title: `code` page", "`code` page"),
        ("title: % done", "% done"),
        ('title: "quoted" page', '"quoted" page'),
        ("title: 'it's'", "it's"),
        ("title: a: b\n  c", "a: b c"),
        ("title: [a, b", "[a, b"),
        ("title:\n- a: b: c\n- 'd", ["a: b: c", "'d"]),
        ("title:\n# note\n- a: b: c\n\n- d", ["a: b: c", "d"]),
    ],
)
def test_an_entry_that_is_not_yaml_is_read_as_the_text_that_stands_there(entry, value):
    front = read_front(f"kind: note\n{entry}\n\n# end\ntier: working\n")
    assert front.values == {"kind": "note", "title": value, "tier": "working"}
    assert not front.valid
    assert len(front.problems) == 1
    assert front.problems[0].startswith("line 3, `title:")


def test_entries_that_only_together_are_not_yaml_are_all_read():
    front = read_front("title: a\n  \ttier: working\nkind: note\n")
    assert front.values["kind"] == "note"
    assert not front.valid


def test_merge_conflict_markers_between_entries_are_skipped():
    front = read_front(
        "tier: working\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n  c\ntags: [a]\n"
    )
    assert front.values == {"tier": "working", "title": "b", "tags": ["a"]}
    assert not front.valid
    assert front.problems[0].startswith("the frontmatter is not YAML (line ")


@pytest.mark.parametrize(
    "front",
    [
        "**ACME LEGAL**\n",
        "\nSome text\n\n",
        "Note: this is text\nand this too: or not\nhere\n",
        "- a\n- b\n",
        "- a: b: c\n",
        "  indented: first: x\ntitle: a\n",
        "{a: b\n",
        "title: a: b\n<html>\n",
        "title: a\n[x]: b: c\n",
        f"title: {'x' * MAX_FRONT_CHARS}\n",
    ],
)
def test_a_block_that_does_not_look_like_frontmatter_is_none(front):
    with pytest.raises(NotYaml):
        read_front(front)
    with pytest.raises(NotYaml):
        map_front(front)


@given(
    st.lists(
        st.sampled_from(
            [
                "title: a",
                "title: a: b",
                "tags:",
                "- a",
                "  - 'b",
                "# c",
                "x: [",
                "y: &a *a",
                "- ",
                "=======",
                "",
            ]
        )
    ).map(lambda lines: "".join(f"{line}\n" for line in lines))
)
@example("tags:\n- a: b: c\n# c\n- d\n- e\nx: y\n")
def test_entries_are_disjoint_lines_in_order_whatever_the_text(front):
    try:
        found = map_front(front)
    except NotYaml:
        return
    end = 0
    for entry in found.entries:
        assert end <= entry.start < entry.end <= len(front)
        assert entry.start == 0 or front[entry.start - 1] == "\n"
        assert entry.start < entry.value_end <= entry.end
        assert front[: entry.start].count("\n") == entry.line
        end = entry.end
    assert read_front(front).values == found.values()
