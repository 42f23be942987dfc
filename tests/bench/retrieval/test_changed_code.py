import sys
from types import ModuleType

import pytest

from bench.retrieval.changed_code import changed, current
from memory_mcp.search.rank import bm25, scorer
from memory_mcp.search.text import query_text, stop_words, tokenizer


def test_a_constant_is_another_inside_and_itself_again_afterwards():
    before = bm25.saturation(1, 10, 10)
    with changed({"rank.bm25:K1": 9.0}):
        assert current("rank.bm25:K1") == 9.0
        assert bm25.saturation(3, 10, 10) == pytest.approx(3 * 10 / 12)
    assert bm25.saturation(1, 10, 10) == before


def test_it_is_another_in_every_module_that_imported_it():
    own = stop_words.STOP_WORDS
    with changed({"text.stop_words:STOP_WORDS": frozenset({"kayak"})}):
        assert tokenizer.STOP_WORDS == query_text.STOP_WORDS == {"kayak"}
    assert tokenizer.STOP_WORDS is query_text.STOP_WORDS is stop_words.STOP_WORDS is own


def test_a_module_that_is_imported_meanwhile_keeps_nothing(monkeypatch):
    late = ModuleType("memory_mcp.late")
    with changed({"text.stop_words:STOP_WORDS": frozenset({"kayak"})}):
        late.STOP_WORDS = stop_words.STOP_WORDS
        monkeypatch.setitem(sys.modules, late.__name__, late)
    assert late.STOP_WORDS is stop_words.STOP_WORDS


def test_what_was_remembered_is_forgotten_before_and_after():
    tokenizer.terms("paddling")
    with changed({"text.tokenizer:_stem": str}):
        assert list(tokenizer.terms("paddling")) == ["paddling"]
        inside = scorer._saturations(10.0)
    assert list(tokenizer.terms("paddling")) == ["paddl"]
    assert scorer._saturations(10.0) is not inside


def test_all_is_as_it_was_after_an_error():
    with pytest.raises(ZeroDivisionError), changed({"rank.bm25:K1": 9.0, "rank.bm25:B": 0.0}):
        raise ZeroDivisionError
    assert (bm25.K1, bm25.B) == (2.0, 0.75)


@pytest.mark.parametrize("place", ["rank.bm25:K9", "rank.nothing:K1", "K1", ":K1", "..bm25:K1"])
def test_a_place_where_nothing_is_changes_nothing(place):
    with pytest.raises((AttributeError, ImportError)), changed({"rank.bm25:K1": 9.0, place: 1}):
        raise AssertionError
    assert bm25.K1 == 2.0
