"""Stop words that a person adds: what they take out of a query, and what they leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.query_text import parse_query
from memory_mcp.search.text.stop_words import AddedStopWords


def found(query: str, *added: str) -> set[str]:
    return set(parse_query(query, AddedStopWords(added)).terms)


@pytest.mark.parametrize(
    ("query", "added", "terms"),
    [
        ("Où est la BASE de données ?", ("ou", "EST", "la", "de"), {"base", "donne"}),
        ("¿Dónde está la base?", ("donde", "ESTÁ", "la"), {"base"}),
        ("где лежит база", ("Где",), {"леж", "баз"}),
        ("qu’est-ce que walrus", ("qu'est-ce", "que"), {"walrus"}),
        ("什么数据库", ("什么",), {"数据", "据库"}),
        ("について「ペンギン」", ("について",), {"ペン", "ンギ", "ギン"}),
    ],
)
def test_added_words_are_left_out_whatever_their_case_and_accents(query, added, terms) -> None:
    assert found(query, *added) == terms


def test_an_added_word_is_no_part_of_a_longer_word_or_name() -> None:
    assert "le/chat.py" in found("le/chat.py", "le")
    assert found("lemur", "le") == {"lemur"}
    assert found("Dan", "dans") == {"dan"}  # they have one stem
    assert found("目的地", "的") == {"目的", "的地"}


def test_a_query_of_nothing_else_searches_them() -> None:
    assert found("la base", "la", "base") == {"la", "base"}
    assert found("什么", "什么") == {"什么"}
    assert found("how to", "walrus") == {"how", "to"}


def test_a_phrase_keeps_them() -> None:
    query = parse_query('"le chat" dort', AddedStopWords(["le"]))
    assert query.phrases == (("le", "chat"),)
    assert query.required == {"le", "chat"}
    assert set(query.terms) == {"chat", "dort"}


@given(st.text(), st.lists(st.text(min_size=1)))
def test_no_word_and_no_query_is_an_error_and_only_words_disappear(query: str, added: list[str]) -> None:
    with_added = parse_query(query, AddedStopWords(added))
    assert with_added.phrases == parse_query(query).phrases
    assert with_added.is_empty() == parse_query(query).is_empty()
