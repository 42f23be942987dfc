from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.descriptor import MAX_CHARS, describe


def test_a_summary_comes_first() -> None:
    assert describe("T", "  One\nline. ", "Body.") == "One line."
    assert describe("T", "  ", "Body.") == "Body."


def test_headings_rules_key_lists_fences_and_the_title_are_left_out() -> None:
    body = "# T\n\nT\n---\n- **owner:** me\n```python\n> Quoted.\n- Listed.\n2. Counted.\n***\nPlain *text*."
    assert describe("T", None, body) == "Quoted. Listed. Counted. Plain *text*."


def test_a_long_line_is_cut_at_a_word() -> None:
    line = describe("T", None, "word " * 200)
    assert len(line) <= MAX_CHARS
    assert line.endswith("word…")


@pytest.mark.parametrize(
    ("body", "line"), [("# Only\n## Headings", "# Only ## Headings"), ("", ""), ("\n\n", "")]
)
def test_a_body_without_plain_lines_gives_its_head(body: str, line: str) -> None:
    assert describe("T", None, body) == line


@given(st.text(), st.none() | st.text(), st.text())
def test_a_descriptor_is_one_short_line(title: str, summary: str | None, body: str) -> None:
    line = describe(title, summary, body)
    assert len(line) <= MAX_CHARS
    assert line == " ".join(line.split())
