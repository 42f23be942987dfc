"""The line reader agrees with full YAML, or leaves the decision to it."""

import json
import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from memory_mcp.wiki.yaml_entries import read_entries
from memory_mcp.wiki.yaml_scalar import scalar_text
from memory_mcp.wiki.yaml_subset import read_subset
from tests.wiki.yaml_texts import NASTY, TEXTS

KEYS = st.sampled_from(["title", "tags", "a-b", "_x", "é", "a b", "yes", "1", "'q'", "tags "])
LINES = st.one_of(
    st.builds("{}:{}{}".format, KEYS, st.sampled_from(["", " ", "  ", "\t"]), TEXTS),
    st.builds("{}-{}{}".format, st.sampled_from(["", "  ", " "]), st.sampled_from([" ", "  ", ""]), TEXTS),
    st.builds("{}#{}".format, st.sampled_from(["", "  "]), TEXTS),
    st.sampled_from(["", "  ", "\r", "tags:", "tags:\r", "key: value ", "..."]),
    TEXTS,
)
FRONTS = st.lists(LINES, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))


def texts_of(value):
    """The value with every scalar as its text, as a loader without types gives it."""
    if isinstance(value, dict):
        return {key: texts_of(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [texts_of(inner) for inner in value]
    return "" if value is None else scalar_text(value)


def untyped(front):
    loaded = yaml.load(front, yaml.BaseLoader) or {}
    text = json.dumps(loaded)
    return json.loads(re.sub(r'(?<=[\[ ])"(?:null|~)"', '""', text))


def assert_agrees(front):
    values = read_subset(front)
    if values is not None:
        assert texts_of(values) == untyped(front)
        assert repr(values) == repr(read_entries(front).values())


@pytest.mark.parametrize(
    "front",
    [
        "title: {}\n",
        "title: {} # c\n",
        "tags:\n- {}\n",
        "tags: [a, {}]\n",
        "tags: [{}, 'b']\n",
        "{}: a\n",
        "a: b\n{}\n",
    ],
)
def test_line_reader_agrees_with_yaml_on_odd_scalars_in_every_position(front):
    for text in NASTY:
        assert_agrees(front.format(text))


@given(FRONTS)
@example("tags:\n- a\n  - b\n")
@example("tags:\n  - a\n- b\n")
@example("title: a\n- b\n")
@example("tags:\ntitle: a\n- b\n")
@example("title: a\n  b\n")
@example("title: 'a\n")
@example("a: b\na: c\n")
@example("tags:\n\n# c\n- a\n")
def test_line_reader_agrees_with_yaml_or_is_silent(front):
    assert_agrees(front)


@pytest.mark.parametrize(
    "front",
    [
        "title: Use WAL mode\ntier: semantic\npinned: true\n",
        "title: 'It''s: quoted'\ntags: [a, \"b c\", 'd']\nentities: []\n",
        "tags:\n  - a\n  - b-c\n  - 'yes'\ncreated: 2026-11-30T12:00:00Z\n",
        "# comment\n\ntags:\n- a\nkind:\nx_y: 1.5\n",
        "title: C# and naïve été — 日本語 🦔 (draft)\nurl: https://example.org/a?b=c#d\n",
    ],
)
def test_line_reader_reads_common_frontmatter_itself(front):
    assert read_subset(front) == read_entries(front).values()
