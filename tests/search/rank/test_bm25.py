from __future__ import annotations

import pytest
from whoosh.scoring import bm25

from memory_mcp.search.rank.bm25 import K1, B, idf, saturation


@pytest.mark.parametrize(("weight", "length", "average"), [(1, 10, 100.0), (255, 5000, 180.5), (3, 1, 1.0)])
def test_saturation_is_that_of_whoosh(weight: int, length: int, average: float) -> None:
    assert saturation(weight, length, average) == pytest.approx(bm25(1, weight, length, average, B, K1))
    assert saturation(weight, length, average) < K1 + 1


def test_idf_falls_with_frequency_but_not_below_zero() -> None:
    values = [idf(100, count) for count in range(101)]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0
