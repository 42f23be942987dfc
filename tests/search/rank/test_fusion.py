"""One score from several signals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.rank.fusion import Scale, Signals, relevance, scale_of, score
from memory_mcp.search.rank.weights import Weights

WEIGHTS = Weights(page=0.5, passage=0.5, vector=0.3, entity=0.05, link=0.05, time=0.2)
SCALE = Scale(bm25=10.0, passage=4.0, entity=2.0, least_cosine=0.2, most_cosine=0.6)

signals = st.builds(
    Signals,
    bm25=st.floats(0, 100),
    passage=st.floats(0, 100),
    cosine=st.none() | st.floats(-1, 1),
    entity=st.floats(0, 9),
    link=st.floats(0, 1),
    time=st.floats(0, 1),
)


def test_page_and_passage_count_half_each_relative_to_the_best() -> None:
    assert relevance(Signals(bm25=10, passage=4), SCALE, WEIGHTS) == 1
    assert relevance(Signals(bm25=5, passage=4), SCALE, WEIGHTS) == 0.75


def test_before_passages_are_read_the_page_stands_for_them() -> None:
    assert relevance(Signals(bm25=5), Scale(10, 0, 0, 0, 0), WEIGHTS) == 0.5


def test_a_cosine_takes_its_share_between_the_least_and_the_greatest() -> None:
    assert relevance(Signals(bm25=10, passage=4, cosine=0.6), SCALE, WEIGHTS) == 1
    assert round(relevance(Signals(bm25=10, passage=4, cosine=0.2), SCALE, WEIGHTS), 9) == 0.7
    assert round(relevance(Signals(cosine=0.4), SCALE, WEIGHTS), 9) == 0.15


def test_a_page_without_a_vector_is_at_no_disadvantage() -> None:
    assert relevance(Signals(bm25=10, passage=4, cosine=None), SCALE, WEIGHTS) == 1


def test_names_links_and_dates_are_small_boosts() -> None:
    assert round(relevance(Signals(entity=2, link=1, time=0.5), SCALE, WEIGHTS), 9) == 0.2


def test_authority_is_a_factor_and_the_score_is_rounded() -> None:
    assert score(Signals(bm25=1, passage=0), Scale(3, 1, 0, 0, 0), WEIGHTS, 1.25) == 0.208333


def test_nothing_found_scores_nothing() -> None:
    assert score(Signals(), scale_of([]), WEIGHTS, 1.5) == 0


@given(st.lists(signals, min_size=1, max_size=8))
def test_relevance_stays_between_nothing_and_the_sum_of_all_weights(pages: list[Signals]) -> None:
    scale = scale_of(pages)
    for page in pages:
        assert 0 <= relevance(page, scale, WEIGHTS) <= 1 + 0.05 + 0.05 + 0.2 + 1e-9
