"""When the best page is worth showing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.prompt_recall.confidence import LEAST_MATCHED, Evidence, confidence, is_worth_showing


def test_a_page_far_before_the_others_that_holds_the_words_is_worth_showing() -> None:
    assert is_worth_showing(Evidence([1.0, 0.3, 0.2, 0.2, 0.1], 6, 5))
    assert not is_worth_showing(Evidence([1.0, 0.99, 0.98, 0.97, 0.96], 12, 3))
    assert not is_worth_showing(Evidence([1.0], 2, LEAST_MATCHED - 1))
    assert not is_worth_showing(Evidence([], 0, 0))


def test_a_page_is_less_sure_where_others_are_near_or_more_was_asked() -> None:
    alone = confidence(Evidence([1.0, 0.2], 5, 4))
    assert confidence(Evidence([1.0, 0.9], 5, 4)) < alone
    assert confidence(Evidence([1.0, 0.2], 15, 4)) < alone


@given(
    scores=st.lists(st.floats(0.01, 2), min_size=1, max_size=6).map(lambda each: sorted(each, reverse=True)),
    asked=st.integers(0, 50),
    matched=st.integers(0, 20),
)
def test_more_matched_words_never_lower_the_confidence(scores: list[float], asked: int, matched: int) -> None:
    less, more = Evidence(scores, asked, matched), Evidence(scores, asked, matched + 1)
    assert confidence(more) >= confidence(less)
