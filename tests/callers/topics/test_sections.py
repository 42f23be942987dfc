"""Actuel and Archive, byte for byte."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.topics.sections import current, fresh, make_body, replace, rotate, split

DAY10 = date(2026, 4, 10)
DAY16 = date(2026, 4, 16)

V1 = fresh("# T", "v1")
V2 = rotate(V1, "v2", DAY10)
V3 = rotate(V2, "v3", DAY16)
V4 = rotate(V3, "v4", DAY16)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (fresh("# T", "body"), "# T\n\n## Actuel\n\nbody\n"),
        (fresh("# T", "  "), "# T\n\n## Actuel\n\n\n"),
        (V2, "# T\n\n## Actuel\n\nv2\n\n## Archive\n\n### [2026-04-10]\nv1\n"),
        (
            V3,
            "# T\n\n## Actuel\n\nv3\n\n## Archive\n\n### [2026-04-16]\nv2\n\n### [2026-04-10]\nv1\n",
        ),
        (
            V4,
            "# T\n\n## Actuel\n\nv4\n\n## Archive\n\n### [2026-04-16]\nv3\n\n### [2026-04-16]\nv2\n\n"
            "### [2026-04-10]\nv1\n",
        ),
        (
            replace(V2, make_body("v5\n\n\n\nx").text),
            "# T\n\n## Actuel\n\nv5\n\nx\n\n## Archive\n\n### [2026-04-10]\nv1\n",
        ),
        (
            replace(V4, make_body("v5\n\n\n\nx").text),
            "# T\n\n## Actuel\n\nv5\n\nx\n\n## Archive\n\n### [2026-04-16]\nv3\n\n### [2026-04-16]\nv2\n\n"
            "### [2026-04-10]\nv1\n",
        ),
        (rotate("# T\n\nloose text\n", "new", DAY10), "# T\n\nloose text\n\n## Actuel\n\nnew\n"),
        (
            # A file that starts with its section has one, and its text is archived.
            rotate("## Actuel\nold\n", "new", DAY10),
            "## Actuel\n\nnew\n\n## Archive\n\n### [2026-04-10]\nold\n",
        ),
        (
            rotate("# T\n\n## Actuel\n\na\n## Archive\nfake\n", "new", DAY10),
            "# T\n\n## Actuel\n\nnew\n\n## Archive\n\n### [2026-04-10]\na\n\nfake\n",
        ),
        (
            rotate("# T\n\n## Archive\n\nold\n\n## Actuel\n\nv1\n", "v2", DAY10),
            "# T\n\n## Archive\n\nold\n\n## Actuel\n\nv2\n\n## Archive\n\n### [2026-04-10]\nv1\n",
        ),
    ],
    ids=[
        "fresh",
        "blank",
        "rotate",
        "again",
        "same day",
        "gap",
        "gap above an archive",
        "loose",
        "no header",
        "cut",
        "archive first",
    ],
)
def test_the_sections_are_written_byte_for_byte(text, expected):
    assert text == expected


def test_an_empty_text_leaves_no_block_in_the_archive():
    assert rotate("# T\n\n## Actuel\n\n", "new", DAY10) == "# T\n\n## Actuel\n\nnew\n"


def test_an_empty_text_with_an_archive_leaves_no_gap():
    assert replace(V2, "") == "# T\n\n## Actuel\n\n## Archive\n\n### [2026-04-10]\nv1\n"


def test_a_second_archive_is_found_again_below_the_text():
    twice = rotate("# T\n\n## Archive\n\nold\n\n## Actuel\n\nv1\n", "v2", DAY10)
    assert rotate(twice, "v3", DAY16).endswith(
        "## Actuel\n\nv3\n\n## Archive\n\n### [2026-04-16]\nv2\n\n### [2026-04-10]\nv1\n"
    )


def test_text_that_is_there_keeps_its_gaps_and_code():
    old = "# T\n\n\n\nintro\n\n## Actuel\n\na\n\n\n\nb\n\n## Archive\n\nc\n\n\n\nd\n"
    assert rotate(old, "new", DAY10) == (
        "# T\n\n\n\nintro\n\n## Actuel\n\nnew\n\n## Archive\n\n### [2026-04-10]\na\n\n\n\nb\n\nc\n\n\n\nd\n"
    )


def test_other_headings_belong_to_the_text_around_them():
    text = "# T\n\n## Actuelly\n\nx\n\n## Actuel\n\na\n\n## More\n\nb\n\n## Archive\n\nc\n\n## End\n\nd\n"
    parts = split(text)
    assert parts.header == "# T\n\n## Actuelly\n\nx"
    assert parts.actuel == "a\n\n## More\n\nb"
    assert parts.archive == "c\n\n## End\n\nd"
    assert replace(text, "n").endswith("## Archive\n\nc\n\n## End\n\nd\n")


def test_a_heading_in_code_divides_nothing():
    text = "# T\n\n## Actuel\n\n```\n## Archive\n```\nafter\n"
    assert current(text) == "```\n## Archive\n```\nafter"


def test_a_block_that_was_never_closed_does_not_hide_the_archive():
    text = "# T\n\n## Actuel\n\n```\nopen\n\n## Archive\n\n### [2026-04-10]\nold\n"
    assert split(text).archive == "### [2026-04-10]\nold"
    assert "### [2026-04-10]\nold" in replace(text, "new")
    rotated = rotate(text, "new", DAY16)
    assert "### [2026-04-16]\n```\nopen\n```\n\n### [2026-04-10]\nold\n" in rotated


def test_a_block_that_was_never_closed_does_not_hide_the_text():
    rotated = rotate("# T\n\n```\nopen\n", "new", DAY10)
    assert current(rotated) == "new"
    assert current(rotate(rotated, "newer", DAY16)) == "newer"


def test_nothing_holds_now_in_a_text_without_sections():
    assert current("# T\n\ntext\n") == ""
    assert current("") == ""


def test_headings_of_ours_in_new_text_become_smaller():
    body = make_body("a\n## Archive\nb\n## Actuel \n## Archived\n### Archive\n")
    assert body.text == "a\n### Archive\nb\n### Actuel \n## Archived\n### Archive"
    assert body.warnings == (
        "content has a heading '## Actuel' or '## Archive', which divide the file: it became '###'.",
    )


def test_code_in_new_text_stays_as_it_is():
    code = "a\n\n```\nx\n\n\n\ny\n## Archive\n```\n\nb"
    assert make_body(code).text == code
    assert make_body(code).warnings == ()
    assert make_body("\n\n    indented\n\nx  \n").text == "    indented\n\nx"


def test_new_text_that_ends_inside_of_code_is_closed():
    body = make_body("~~~ sh\nls\n## Archive\n")
    assert body.text == "~~~ sh\nls\n## Archive\n~~~"
    assert "was closed" in body.warnings[0]


def test_line_ends_of_new_text_become_ours():
    assert make_body("a\r\n\r\n\r\n\r\nb\r\n").text == "a\n\nb"
    assert make_body("a\r\r\nb\r").text == "a\nb"


def test_headings_with_windows_line_ends_are_found():
    text = "# T\r\n\r\n## Actuel\r\n\r\nold\r\n\r\n## Archive\r\n\r\nx\r\n"
    parts = split(text)
    assert (parts.header, parts.actuel, parts.archive) == ("# T", "old", "x")
    assert rotate(text, "new", DAY10) == (
        "# T\n\n## Actuel\n\nnew\n\n## Archive\n\n### [2026-04-10]\nold\n\nx\n"
    )


markdown = st.lists(
    st.sampled_from(
        [
            "# T", "## Actuel", "## Archive", "### [2026-01-01]", "```", "~~~~", "```py", "<!--", "-->",
            "- item", "  - inner", "> quote", "    code", "`", "``", "", "", "", "\t", "  ", "---", "1. one",
            "- ```", "> ```", "  ```", "a <!-- b", "\r", "<b>", "\\", "text",
        ]
    ) | st.text(max_size=8),
    max_size=14,
).map("\n".join)  # fmt: skip


@given(st.lists(markdown, min_size=1, max_size=4))
def test_no_text_breaks_the_sections(contents):
    bodies = [make_body(content).text for content in contents]
    text = fresh("# T", bodies[0])
    for number, body in enumerate(bodies):
        text = rotate(text, body, date(2026, 1, 1 + number))
        parts = split(text)
        assert (parts.header, parts.actuel) == ("# T", body)
        for former in bodies[:number]:
            assert former in parts.archive


@given(markdown, markdown)
def test_a_rewrite_of_any_file_drops_nothing_but_the_text_of_now(old, content):
    body = make_body(content).text
    was = split(old)
    text = replace(old, body)
    assert was.header in text
    assert was.archive in text
    assert current(text) == body
    assert was.actuel in rotate(old, body, DAY10)
    assert replace(text, body) == text


@given(markdown)
def test_making_a_body_twice_changes_nothing_more(content):
    body = make_body(content)
    assert make_body(body.text).text == body.text
    kept = [word for word in content.split() if word not in ("##", "###")]
    found = body.text.split()
    assert all(word in found for word in kept)
