from math import sqrt

import pytest

from bench.retrieval.measures import MEASURES, mean


@pytest.mark.parametrize(
    ("name", "value"),
    [("hit@1", 0), ("hit@5", 1), ("hit@10", 1), ("R@5", 1 / 3), ("R@10", 2 / 3), ("MRR", 1 / 2)],
)
def test_a_ranking_is_measured_by_where_its_answers_stand(name, value):
    found = ["x", "a", "y", "z", "v", "w", "b"]
    assert MEASURES[name](found, {"a", "b", "c"}) == pytest.approx(value)


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_found_is_worth_nothing(name):
    assert MEASURES[name]([], {"a"}) == 0


def test_the_standard_error_is_that_of_a_mean():
    assert mean([0, 1, 1, 1]).value == 0.75
    assert mean([0, 1, 1, 1]).error == pytest.approx(sqrt(0.25 / 4))
    assert mean([1]).error == 0
