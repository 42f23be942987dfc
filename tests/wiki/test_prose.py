"""Code and comments are blanked, prose is not, as the reference parser of CommonMark sees it."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memory_mcp.wiki.prose import blank_code, conflict_line, open_block

MARKDOWN = MarkdownIt("commonmark")
FRAGMENTS = [
    "K", "text K",
    "```", "~~~", "````", "```py", "`", "``", "`K`", "``K` K``", "- ", "  - ", "1. ", "    ",
    "  ", "> ", ">",
    "\t", "# K", "<!-- K -->", "<!--", "\\`", "a `b", "c` d", "", "* K", "***", "10) ", "---",
]  # fmt: skip


def words_of(text):
    return set(re.findall(r"K\d+", text))


def words_outside_code(text):
    """The marked words that CommonMark's reference parser takes for text."""
    words = set()
    tokens = list(MARKDOWN.parse(text))
    while tokens:
        token = tokens.pop()
        tokens += token.children or []
        if token.type == "text":
            words |= words_of(token.content)
    return words


@st.composite
def markdown(draw):
    lines = draw(
        st.lists(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=3).map("".join), max_size=6)
    )
    numbers = iter(range(1000))
    return re.sub("K", lambda _: f"K{next(numbers)}", "\n".join(lines))


def differs_on_purpose(text):
    """Prose after a comment on its line stays prose, and lazy lines may be indented at will."""
    return "-->" in text or re.search(r"^.*>.*\n[ \t>]*(?: {4}|\t)|- *\n\s*(?: {4}|\t)", text, re.MULTILINE)


@given(markdown())
@example("`K1`\nK2")
def test_what_is_left_is_what_commonmark_calls_text(text):
    if not differs_on_purpose(text):
        assert words_of(blank_code(text)) == words_outside_code(text)


@given(markdown())
def test_blanking_keeps_every_offset_and_is_done_in_one_go(text):
    blank = blank_code(text)
    assert len(blank) == len(text)
    assert all(b in (t, " ") for b, t in zip(blank, text, strict=True))
    assert [i for i, c in enumerate(blank) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


HIDDEN = {
    "a code span": "a `K1` b",
    "a longer code span": "a ``K1 ` K1`` b",
    "a code span over lines": "a `b\nK1` c",
    "a fence": "```\nK1\n```",
    "a fence of tildes": "~~~ py\nK1\n~~~",
    "a fence with a shorter one inside": "````\n```\nK1\n```\n````",
    "a fence that never ends": "text\n```\nK1\n\nK1",
    "an indented fence": "   ```\nK1\n   ```",
    "a fence in a list": "- item\n\n  ```\n  K1\n  ```",
    "a fence on the line of a list item": "- ```\n  K1\n  ```",
    "a fence in a deep list": "1. a\n   - b\n\n     ```\n     K1\n     ```",
    "a fence in a quote": "> ```\n> K1\n> ```",
    "a fence in a list in a quote": "> - ```\n>   K1\n>   ```",
    "indented code": "text\n\n    K1\n\n\tK1",
    "indented code in a list": "- text\n\n      K1",
    "indented code after a list": "- a\n\ntext\n\n    K1",
    "indented code after a heading": "text\n---\n    K1",
    "indented code after a heading of level 1": "text\n=\n    K1",
    "indented code after a rule": "* * *\n    K1",
    "a code span over what looks like item 2": "a `b\n2. K1` c",
    "a code span over what looks like an empty item": "a `b\n*\nK1` c",
    "a code span over a lazy line of a quote": "> a `b\nK1` c",
    "a comment": "a <!-- K1 --> b",
    "a comment over lines": "a\n\n<!-- b\n\nK1\n--> c",
    "a comment with a fence in it": "<!--\n```\nK1\n-->",
    "CRLF fences": "```\r\nK1\r\n```\r\n",
}
SHOWN = {
    "after a code span": "a `b` K1 `c`",
    "after a single backtick": "a ` K1",
    "between unequal runs": "a `b`` K1",
    "after an escaped backtick": "a \\`K1` b",
    "in another paragraph than the closing run": "a `b\n\nK1` c",
    "in another list item than the closing run": "- a `b\n- K1` c",
    "after a fence": "```\na\n```\nK1",
    "after a quote that ends its fence": "> ```\n> a\n\nK1",
    "in the next quote after an open fence": "> ```\n\n> K1",
    "in item 1 after an open code span": "a `b\n1. K1` c",
    "in item 2 of a list": "1. a `b\n2. K1` c",
    "in a heading after an open code span": "a `b\n# K1` c",
    "after a list that ends its fence": "- ```\n  a\n\nK1",
    "in an indented line of a paragraph": "text\n    K1",
    "in a nested list": "- a\n    - K1\n        - K1",
    "in a continued list item": "1. a\n\n   K1",
    "in a comment mark in code": "`<!--` K1 `-->`",
    "after a comment": "<!-- a --> K1",
    "after tildes in a line": "a ~~~ b\nK1",
    "after backticks that are no fence": "``` a ` b\nK1",
    "in a line of CRLF text": "a `b`\r\nK1\r\n",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_code_and_comments_are_blanked(text):
    assert "K1" not in blank_code(text)


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_prose_stays(text):
    assert blank_code(text).count("K1") == text.count("K1")


N = 50_000
LINES = {
    "backticks": "`" * N,
    "runs of many lengths": "".join("`" * (i % 50 + 1) + " " for i in range(N // 25)),
    "escapes": "\\" * N + "`",
    "escaped backticks": "\\`" * N,
    "open comments": "<!--" * N,
    "quotes": "> " * N + "`",
    "list items": "- " * N + "x `",
    "numbered items and empty lines": "1. " * N + "`\n" + "\n" * N,
    "stars": "* " * N + "x `",
    "spaces": " " * N + "`",
    "empty lines": "\n \n" * N + "`",
    "tabs": "\t" * N,
    "fences": "~~~\n" * N,
    "lazy lines": "> a\n" + "b `\n" * N,
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_time_is_linear_in_the_text(text):
    start = time.process_time()
    blank_code(text)
    assert time.process_time() - start < 3  # a quadratic step would take minutes


CONFLICT = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"


def test_a_merge_conflict_is_found_at_its_line():
    assert conflict_line(CONFLICT) == 2
    assert conflict_line(CONFLICT.replace("\n", "\r\n")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "a\n=======\nb",
        "<<<<<<< HEAD\nb\n",
        "a\n>>>>>>> b\n=======\n<<<<<<< c\n",
        f"```\n{CONFLICT}```\n",
        " " + CONFLICT.replace("\n", "\n "),
    ],
)
def test_what_only_resembles_a_merge_conflict_is_none(text):
    assert conflict_line(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\n```\nb", (2, "```")),
        ("~~~~\n~~~\n", (0, "~~~~")),
        ("```\n```\n<!-- a", (8, "-->")),
        ("> ```\n```\nx", (6, "```")),
        ("- ```\n  x", None),
        ("> ```\n> x", None),
        ("```\n```", None),
        ("a `b", None),
        ("", None),
    ],
)
def test_a_block_that_is_left_open_is_told(text, found):
    assert open_block(text) == found
    lasts = not blank_code(f"{text}\n\nx").endswith("x")
    assert lasts is (found is not None)
