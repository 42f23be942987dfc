"""The file of a topic: our keys, and everything of a person's as it was."""

import pytest

from memory_mcp.callers.topics.topic_file import body_of, compose_topic
from memory_mcp.errors import Conflict

NOW = "2026-11-30T12:00:00Z"
OWN = """\
---
# mine
author: ana   # who
summary: 'old: hook'  # short
tags: [a, b]
aliases:
  - x
---
# T
"""


def test_a_new_file_has_our_keys_in_order():
    values = {
        "archived": False,
        "permanent": True,
        "tags": ["a: b", "c"],
        "updated": NOW,
        "created": NOW,
        "summary": "a: b",
    }
    assert compose_topic("", "# T\n", values) == (
        f"---\nsummary: 'a: b'\ncreated: {NOW}\nupdated: {NOW}\ntags:\n  - 'a: b'\n  - c\npermanent: true\n"
        "---\n# T\n"
    )


def test_a_file_of_a_person_keeps_keys_order_and_comments():
    changed = compose_topic(OWN, "# T\n\nnew\n", {"summary": "new hook", "updated": NOW, "archived": False})
    assert changed == (
        OWN.replace("'old: hook'", "new hook").replace("  - x\n", f"  - x\nupdated: {NOW}\n") + "\nnew\n"
    )


def test_what_says_the_same_keeps_its_bytes():
    assert compose_topic(OWN, body_of(OWN), {"summary": "old: hook", "archived": False}) == OWN


def test_a_key_is_taken_away_with_its_line():
    archived = OWN.replace("aliases:", "archived: true\naliases:")
    assert compose_topic(archived, body_of(OWN), {"archived": False}) == OWN


def test_a_file_without_frontmatter_gets_one_where_it_has_something_to_say():
    assert compose_topic("# T\n", "# T\n", {"archived": True}) == "---\narchived: true\n---\n# T\n"
    assert compose_topic("# T\n", "# T\n", {"archived": False}) == "# T\n"


def test_a_line_of_ours_that_is_not_yaml_is_mended():
    text = "---\nsummary: a: b\n---\n# T\n"
    assert compose_topic(text, "# T\n", {"summary": "a: b"}) == "---\nsummary: 'a: b'\n---\n# T\n"


def test_a_rule_at_the_top_is_no_frontmatter():
    text = "---\nJust a line.\n---\n# T\n"
    assert body_of(text) == text
    assert compose_topic(text, text, {"archived": True}) == f"---\narchived: true\n---\n{text}"


@pytest.mark.parametrize(
    "front",
    ["{summary: a, x: 1}\n", "summary: &a x\nother: *a\n", "summary: a\nx: 'never closed\n"],
    ids=["flow", "anchor", "broken"],
)
def test_a_frontmatter_that_cannot_be_changed_alone_is_refused(front):
    with pytest.raises(Conflict, match=r"line|\{|anchor"):
        compose_topic(f"---\n{front}---\n# T\n", "# T\n", {"summary": "new"})
