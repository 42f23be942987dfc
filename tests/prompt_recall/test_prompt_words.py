"""What of a prompt is searched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.prompt_recall.prompt_words import HEAD_CHARS, TAIL_CHARS, prompt_words
from memory_mcp.search.text.query_text import parse_query


def test_a_short_prompt_is_searched_whole() -> None:
    assert prompt_words("why does the importer wait?\n") == "why does the importer wait?"


def test_of_a_long_prompt_the_beginning_and_the_end_are_searched() -> None:
    middle = " ".join(map(str, range(1_000_000)))
    words = prompt_words(f"begin {middle} end")
    assert words.startswith("begin 0 1 2")
    assert words.endswith("999999 end")
    assert len(words) <= HEAD_CHARS + TAIL_CHARS + 1


def test_what_a_paste_says_again_and_again_counts_once() -> None:
    assert prompt_words("why?\n" + "error: no route\n" * 50) == "why? error: no route"
    assert prompt_words("last week and last month") == "last week and last month"


@given(st.text('"“”„«»* ab', max_size=40))
def test_nothing_in_a_prompt_is_a_phrase_or_a_prefix(prompt: str) -> None:
    query = parse_query(prompt_words(prompt))
    assert (query.phrases, query.prefixes, query.required) == ((), (), frozenset())
