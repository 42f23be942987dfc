"""Foreign text as lines of ours."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.plain_text import plain_lines, with_lf


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ""),
        ("a\nb", "a\nb"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\r\r\nb\r", "a\nb"),
        ("a\rb\n", "a\rb\n"),
    ],
)
def test_lines_end_with_a_line_feed_alone(text: str, lines: str) -> None:
    assert with_lf(text) == lines


@given(st.text("a\r\n"))
def test_line_ends_are_ours_after_one_turn(text: str) -> None:
    once = with_lf(text)
    assert with_lf(once) == once
    assert "\r\n" not in once


def test_many_carriage_returns_take_no_longer_than_other_text() -> None:
    started = time.process_time()
    with_lf("\r" * 1_000_000 + "x")
    assert time.process_time() - started < 1


@given(st.text())
def test_lines_stay_and_what_hides_from_people_goes(text):
    plain = plain_lines(text)
    assert len(plain) <= len(text)
    assert plain_lines(plain) == plain
    assert "\x1b" not in plain
    plain.encode()


def test_a_text_keeps_its_lines_and_loses_what_a_terminal_obeys():
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    assert plain_lines(f"a\tb\r\nc\x1b[2Jd\u202ee{hidden}\u2028f") == "a\tb\nc[2Jde\nf"
