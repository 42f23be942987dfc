from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_mcp.search.text import tokenizer
from memory_mcp.search.text.characters import is_unspaced
from memory_mcp.search.text.stop_words import STOP_WORDS
from memory_mcp.search.text.tokenizer import MAX_TERM_CHARS, chunk_terms, find_terms, stop_words, terms, words

TEXTS = st.text() | st.text(alphabet="aA bB.'_-/#+:@1é日本ขक\u0301😀\ud800\0\n", max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deploy, (deploys) **deploying**. `deployed`", {"deploy"}),
        ("café naïve CAFE\u0301 Straße ﬁle", {"cafe", "naiv", "strass", "file"}),
        ("organization international", {"organiz", "internat"}),
        ("get_user_by_id", {"get_user_by_id", "get", "user", "id"}),
        ("getUserById", {"getuserbyid", "get", "user", "id"}),
        ("iPhone iphones", {"iphon", "phone"}),
        ("HTTPServer2", {"httpserver2", "http", "server"}),
        ("src/app/main.py", {"src/app/main.py", "main.py", "src", "app", "main", "py"}),
        ("./x-y.z", {"x-y.z"}),
        ("v1.2.3", {"v1.2.3", "1.2.3", "v1"}),
        ("E0308", {"e0308", "0308"}),
        ("CVE-2026-1234", {"cve-2026-1234", "cve", "2026", "1234"}),
        ("#1234", {"1234"}),
        ("C++ c# .NET C R go", {"c++", "c#", ".net", "net", "c", "r", "go"}),
        ("end. (.NET) ...more", {"end", ".net", "net"}),
        ("well-known how-to", {"well-known", "well", "know", "how-to"}),
        ("--no-verify", {"no-verify", "verifi"}),
        ("user@example.com", {"user@example.com", "example.com", "user", "exampl", "com"}),
        ("don't what's we'll I'm AGENT'S agent’s", {"agent"}),
        ("O'Brien l’eau", {"obrien", "brien", "leau", "eau"}),
        ("__init__ _emphasis_", {"init", "emphasi"}),
        ("日本語", {"日", "本", "語", "日本", "本語"}),
        ("猫", {"猫"}),
        ("검색 ガ", {"검", "색", "검색", "ガ"}),
        ("Python入門guide", {"python", "入", "門", "入門", "guid"}),
        ("миграции базы данных", {"миграц", "баз", "дан"}),
        ("Миграция Базы", {"миграц", "баз"}),
        ("последний Ёлка ёлки", {"последн", "елк"}),
        ("Über größe", {"uber", "gross"}),
        ("सुरक्षा", {"सुरकषा"}),
        ("fix 🚀 👍🏽", {"fix", "🚀", "👍"}),
        ("C:\\Users\\x", {"c", "user", "x"}),
        ("AND or Not NEAR/3 title:", {"near/3", "near", "titl"}),
        ("the What who", set()),
        ("may", {"may"}),
        ("", set()),
        ("\0 \ud800 -- ~!@#$%^&*(){}[]", set()),
    ],
)
def test_text_gives_these_terms(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


def test_terms_are_counted() -> None:
    assert terms("deploy the main.py, deploys main") == {"deploy": 2, "main.py": 1, "main": 2, "py": 1}


def test_terms_of_a_chunk_come_in_their_order() -> None:
    assert chunk_terms("src/main.py,") == ("src/main.py", "main.py", "src", "main", "py")
    assert chunk_terms("deploys") == ("deploy",)
    assert chunk_terms("the") == ()


def test_wanted_terms_are_found_with_the_place_of_their_chunk() -> None:
    chunks = ["the", "getUserById", "and,", "Users", "use"]
    assert find_terms(chunks, {"user", "id"}) == [(1, "user"), (1, "id"), (3, "user")]


@given(TEXTS, st.data())
def test_all_wanted_terms_are_found_in_their_order(text: str, data) -> None:
    chunks = text.split()
    places = [(place, term) for place, chunk in enumerate(chunks) for term in chunk_terms(chunk)]
    wanted = data.draw(st.sets(st.sampled_from([term for _, term in places]))) if places else {"a"}
    assert find_terms(chunks, wanted) == [found for found in places if found[1] in wanted]


def test_words_keep_stop_words_and_part_identifiers() -> None:
    assert words("How to run src/main.py: don't") == ["how", "to", "run", "src", "main", "py", "dont"]
    assert words("日本 C++ c# agent's") == ["日", "本", "c++", "c#", "agent"]


def test_stop_words_are_found_in_order() -> None:
    assert stop_words("What is the Deploy plan? Don't!") == ["what", "is", "the", "dont"]


def test_stop_words_hold_no_name_that_code_uses() -> None:
    assert not STOP_WORDS & {"go", "c", "r", "id", "set", "may", "us", "well", "shell", "hell", "ill"}


@given(TEXTS)
def test_no_text_raises_and_every_term_is_clean(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= MAX_TERM_CHARS
        assert "\0" not in term
        assert not term.isspace()
    assert all(words(text))


@given(TEXTS)
def test_terms_depend_on_neither_memory_nor_the_text_around(text: str) -> None:
    remembered = terms(text)
    tokenizer.forget_chunks()
    assert terms(text) == remembered
    assert terms(f"{text} {text}") == {term: 2 * times for term, times in remembered.items()}


@given(TEXTS)
@example(".ß")
def test_a_word_of_a_phrase_is_a_term_of_the_text(text: str) -> None:
    for word in words(text):
        if word.isalnum() and word not in STOP_WORDS and (len(word) > 1 or is_unspaced(word)):
            assert word in terms(text)


@given(st.text(alphabet="abAB.,'`()[]*é ", max_size=12))
def test_the_quick_way_for_plain_words_finds_the_same(chunk: str) -> None:
    marked = chunk.replace(" ", "") + "~"  # the general way, since `~` is no closing punctuation
    assert chunk_terms(chunk.replace(" ", "")) == chunk_terms(marked)


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "a1." * 150_000, "aB" * 500_000, "日本" * 100_000, "'s" * 500_000]
)
def test_a_huge_text_without_a_space_takes_linear_time(text: str) -> None:
    start = time.process_time()
    terms(text)
    words(text)
    assert time.process_time() - start < 5


def test_the_memory_of_chunks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "_MAX_REMEMBERED_CHUNKS", 10)
    terms(" ".join(f"word{number}" for number in range(100)) + " " + "z" * 160)
    assert len(tokenizer._memory) <= 10
    assert "z" * 160 not in tokenizer._memory


@given(TEXTS, TEXTS, st.sampled_from(" \n\t\u3000\xa0"))
def test_words_do_not_reach_over_white_space(first: str, second: str, space: str) -> None:
    assert words(first + space + second) == words(first) + words(second)
