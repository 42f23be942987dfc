from __future__ import annotations

import pytest

from memory_mcp.search.text.irregular import IRREGULAR
from memory_mcp.search.text.stop_words import STOP_WORDS
from memory_mcp.search.text.tokenizer import terms


@pytest.mark.parametrize(
    ("form", "base"),
    [
        *(("bought", "buy"), ("went", "going"), ("Children", "child"), ("written", "write")),
        *(("rewrote", "rewrites"), ("people", "person"), ("criteria", "criterion"), ("taught", "teaching")),
    ],
)
def test_irregular_forms_find_each_other(form: str, base: str) -> None:
    assert terms(form).keys() == terms(base).keys()


@pytest.mark.parametrize("word", ["left", "rose", "bit", "ground", "leaves", "axes", "may", "indices"])
def test_words_that_are_words_of_their_own_stay(word: str) -> None:
    assert word not in IRREGULAR


def test_the_table_is_one_step_deep_and_holds_no_stop_word() -> None:
    assert not IRREGULAR.keys() & set(IRREGULAR.values())
    assert not STOP_WORDS & (IRREGULAR.keys() | set(IRREGULAR.values()))
