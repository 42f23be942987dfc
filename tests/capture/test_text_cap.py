"""Cutting clean text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.capture.text_cap import cap_end, cap_middle, cap_title

TEXT = st.text(st.characters(codec="utf-8"), max_size=400)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("\n\n  first\nsecond", "first"),
        ("first\r\nsecond", "first"),
        ("first\rsecond", "first"),
        ("first\u2028second", "first"),
        ("first\x0bsecond", "first"),
        ("a\x1b[31m\x00b\x7f", "a [31m b"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…"),
        ("x" * 78 + " yz", "x" * 78 + "…"),
    ],
)
def test_a_title_is_the_first_line_that_says_something(text, title):
    assert cap_title(text) == title


@given(TEXT, st.integers(3, 200))
def test_a_cut_text_has_its_beginning_an_ellipsis_and_at_most_its_bytes(text, limit):
    cut = cap_end(text, limit)
    assert len(cut.encode()) <= limit
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]) and len(text.encode()) > limit)


@given(TEXT, st.integers(64, 200))
def test_a_text_cut_in_the_middle_has_both_ends_and_says_how_much_is_missing(text, limit):
    cut = cap_middle(text, limit)
    assert len(cut.encode()) <= limit
    if cut == text:
        return
    head, mark, tail = cut.partition("\n[… ")
    missing, _, end = tail.partition(" bytes left out …]\n")
    assert mark
    assert text.startswith(head)
    assert text.endswith(end)
    assert len(head.encode()) + int(missing) + len(end.encode()) == len(text.encode())


def test_halves_of_a_surrogate_pair_become_question_marks():
    assert cap_end("a\ud800b", 10) == "a?b"
    assert cap_middle("\udfff", 100) == "?"
