from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.query_text import (
    MAX_PHRASES,
    MAX_PREFIXES,
    MAX_QUERY_CHARS,
    QueryTerms,
    holds_phrases,
    parse_query,
)
from memory_mcp.search.text.tokenizer import terms


def test_a_question_is_its_words_without_stop_words() -> None:
    assert set(parse_query("what's the deploy plan (draft)?!").terms) == {"deploy", "plan", "draft"}


def test_punctuation_changes_nothing() -> None:
    assert parse_query("deploy plan").terms == parse_query('^deploy: {plan} -- *~!"').terms


def test_operators_are_plain_words() -> None:
    assert set(parse_query("tier1-test AND unicode OR title:foo NOT bar").terms) == {
        "tier1-test", "tier1", "tier", "test", "unicod", "title:foo", "titl", "foo", "bar",
    }  # fmt: skip


def test_a_word_that_is_repeated_counts_more() -> None:
    assert parse_query("deploy deploys plan").terms == {"deploy": 2, "plan": 1}


def test_a_query_of_stop_words_alone_keeps_them() -> None:
    assert parse_query("how to").terms == {"how": 1, "to": 1}
    assert parse_query("The Who").terms == {"the": 1, "who": 1}


def test_quotes_make_a_phrase_whose_terms_are_required() -> None:
    query = parse_query('error in “get user” "src/main.py" maybe')
    assert query.phrases == (("get", "user"), ("src", "main", "py"))
    assert query.required == {"get", "user", "src", "main", "py"}
    assert {"error", "get", "user", "src/main.py", "mayb"} <= set(query.terms)


def test_a_phrase_requires_no_stop_word() -> None:
    query = parse_query('"to be or not to deploy"')
    assert query.phrases == (("to", "be", "or", "not", "to", "deploy"),)
    assert query.required == {"deploy"}


@pytest.mark.parametrize("text", ['"unbalanced', 'a "', '""', '"  "', '"!?"'])
def test_quotes_around_no_word_or_without_their_pair_are_nothing(text: str) -> None:
    assert parse_query(text).phrases == ()


def test_too_many_phrases_are_plain_words() -> None:
    query = parse_query(" ".join(f'"word{number}"' for number in range(MAX_PHRASES + 5)))
    assert len(query.phrases) == MAX_PHRASES
    assert f"word{MAX_PHRASES + 4}" in query.terms


def test_a_phrase_that_is_typed_again_and_again_is_one_phrase() -> None:
    assert parse_query('"get user" ' * 3000).phrases == (("get", "user"),)


def test_a_text_must_hold_each_phrase() -> None:
    phrases = parse_query('"get user" "main.py"').phrases
    assert holds_phrases("main.py: get user", phrases)
    assert not holds_phrases("get user", phrases)
    assert holds_phrases("anything", ())


def test_a_star_at_the_end_of_a_word_is_a_prefix() -> None:
    assert parse_query("Déploy* get_u* a*").prefixes == ("deploy", "get_u")
    assert parse_query("* ** a*b *x (foo*)").prefixes == ()


def test_unspaced_scripts_are_asked_by_bigrams_and_single_characters_alone() -> None:
    assert parse_query("日本語").terms == {"日本": 1, "本語": 1}
    assert parse_query("猫").terms == {"猫": 1}


@pytest.mark.parametrize("text", ["", " \n", "*", "--", "(", '"', "\ud800", "\0"])
def test_text_without_words_is_empty(text: str) -> None:
    assert parse_query(text).is_empty()


@given(st.text() | st.text(alphabet='a b"*()-:^~日', max_size=40))
def test_no_text_raises(text: str) -> None:
    assert isinstance(parse_query(text), QueryTerms)


@given(st.text())
def test_terms_of_a_query_are_terms_of_a_page_with_its_text(text: str) -> None:
    query = parse_query(text)
    if set(query.terms) - set(terms(text.replace('"', " "))):
        assert not terms(text)  # nothing but stop words


@given(
    st.text(alphabet="ab _-/.日é'\n", min_size=1), st.text(alphabet="ab .", max_size=5), st.text(max_size=5)
)
def test_a_page_with_the_phrase_contains_it_and_has_its_required_terms(
    quoted: str, before: str, after: str
) -> None:
    for phrase in parse_query(f'"{quoted}"').phrases:
        text = f"{before} {quoted} {after}"
        assert holds_phrases(text, [phrase])
        assert parse_query(f'"{quoted}"').required <= terms(text).keys()


@pytest.mark.parametrize(
    ("text", "phrase", "contained"),
    [
        ("We get users today", "get user", True),
        ("user get", "get user", False),
        ("get the user", "get user", False),
        ("get get user", "get user", True),
        ("see src/app/main.py", "main.py", True),
        ("get_user()", "get user", True),
        ("to be, or NOT to be", "or not to", True),
        ("日本語の本", "本語", True),
        ("", "x", False),
    ],
)
def test_a_phrase_is_words_that_follow_each_other(text: str, phrase: str, contained: bool) -> None:
    assert holds_phrases(text, parse_query(f'"{phrase}"').phrases) == contained


def test_a_pasted_log_takes_bounded_time() -> None:
    start = time.process_time()
    parse_query('error "a b* ' * 10_000)
    assert time.process_time() - start < 2


def test_characters_that_stand_for_many_do_not_make_a_query_longer() -> None:
    assert sum(parse_query("\ufdfa" * MAX_QUERY_CHARS).terms.values()) <= MAX_QUERY_CHARS
    assert parse_query("\ufdfa walrus").terms.keys() >= {"walrus"}


def test_only_the_first_prefixes_count() -> None:
    text = " ".join(f"ab{number}*" for number in range(50))
    assert parse_query(text).prefixes == tuple(f"ab{number}" for number in range(MAX_PREFIXES))
