"""Headings are whole lines outside of code."""

import pytest

from memory_mcp.wiki.heading_find import close_code, find_heading, find_title


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("## A\nx", 0),
        ("x\n## A", 2),
        ("x\n## A  \t\r\ny", 2),
        ("## Ab\n## A\n", 6),
        (" ## A\n", None),
        ("x ## A\n", None),
        ("```\n## A\n```\n## A\n", 13),
        ("<!--\n## A\n-->\n", None),
        ("- item\n\n  ```\n  code\n\n## A\n", 22),
        ("```\nnever closed\n## A\n", 17),
        ("~~~\n## A\n~~~\n```\nnever closed\n## A\n", 30),
    ],
)
def test_a_heading_is_a_whole_line_of_prose(text, start):
    found = find_heading(text, "## A")
    assert (found and found.start) == start
    if found:
        assert text[found.start : found.end].strip() == "## A"


def test_a_heading_is_looked_for_from_a_position_on():
    assert find_heading("## A\n## A\n", "## A", 1).start == 5
    assert find_heading("## A\n", "## A", 1) is None


def test_the_title_is_the_first_heading_of_the_first_level():
    assert find_title("text\n## No\n#no\n# Yes `code`  \n# Later\n") == "Yes `code`"
    assert find_title("```\n# comment\n```\n# Title\n") == "Title"
    assert find_title("## No\n") == ""


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```\ncode", "```\ncode\n```"),
        ("~~~~ py\n```\ncode\n", "~~~~ py\n```\ncode\n~~~~"),
        ("text\n<!-- note", "text\n<!-- note\n-->"),
        ("```\ncode\n```", "```\ncode\n```"),
        ("- ```\n  code", "- ```\n  code"),
        ("a `b", "a `b"),
        ("", ""),
    ],
)
def test_a_block_that_was_left_open_is_closed(text, closed):
    assert close_code(text) == closed
