from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.query_text import parse_query
from memory_mcp.search.text.snippet import MAX_CHARS, snippet


def cut(body: str, query: str) -> str:
    return snippet(body, parse_query(query).terms)


FILLER = "Nothing of interest is written here at all today. " * 30


def test_the_passage_with_most_of_the_terms_is_shown() -> None:
    body = FILLER + "Use the deploy key. " + FILLER + "The deploy plan names a server. " + FILLER
    shown = cut(body, "deploy plan server")
    assert "deploy plan names a server" in shown
    assert shown.startswith("… ")
    assert shown.endswith("…")


def test_of_equal_passages_the_first_is_shown() -> None:
    body = FILLER + "First deploy. " + FILLER + "Second deploy. " + FILLER
    assert "First deploy" in cut(body, "deploys")


def test_a_rare_term_weighs_more_than_a_frequent_one() -> None:
    body = FILLER + "A common thing. " + FILLER + "A singular thing. " + FILLER
    assert "singular" in snippet(body, {"common": 1.0, "singular": 5.0})
    assert "common" in snippet(body, {"common": 5.0, "singular": 1.0})


def test_words_before_the_passage_are_shown_too() -> None:
    assert "just before the deploy" in cut(FILLER + "What stands just before the deploy counts.", "deploy")


def test_a_short_body_is_shown_whole() -> None:
    assert cut("One deploy\n\nand two.", "deploy") == "One deploy and two."


def test_a_body_without_the_terms_gives_its_beginning() -> None:
    shown = cut(FILLER, "absent")
    assert shown.startswith("Nothing of interest")
    assert shown.endswith("…")


def test_marks_of_markdown_are_left_out() -> None:
    body = "# Title\n\n- item\n* other\n1. third\n\n| a | b |\n|---|:-:|\n\n```python\ndeploy()\n```"
    body += "\n> quoted\n---\n"
    assert cut(body, "deploy") == "Title item other third a b deploy() quoted"


def test_text_without_spaces_is_cut_too() -> None:
    shown = cut("前" * 500 + "検索エンジン" + "後" * 500, "検索")
    assert "検索" in shown
    assert len(shown) <= MAX_CHARS


def test_what_stands_before_the_words_takes_a_quarter_of_the_room_at_most() -> None:
    line = "一つの段落には関係のないことだけが書いてある。" + "\n\n"
    shown = cut(line * 20 + "検索エンジンを使う。\n\n" + line * 20, "検索エンジン")
    assert len(shown[: shown.index("検索")]) <= MAX_CHARS // 4 + 2


@given(st.text() | st.text(alphabet="a b\n日-#`|", max_size=600), st.text(max_size=20))
def test_a_snippet_is_one_short_line(body: str, query: str) -> None:
    shown = cut(body, query)
    assert len(shown) <= MAX_CHARS
    assert "\n" not in shown
    assert shown == shown.strip()


def test_only_the_beginning_of_a_huge_page_is_looked_through() -> None:
    assert "Nothing of interest" in cut(FILLER * 250 + "deploy", "deploy")


@pytest.mark.parametrize("body", ["word " * 200_000, "x" * 1_000_000, "deploy" * 170_000, "日本 " * 300_000])
def test_a_megabyte_takes_bounded_time(body: str) -> None:
    start = time.process_time()
    cut(body, "word deploy 日本")
    assert time.process_time() - start < 2
