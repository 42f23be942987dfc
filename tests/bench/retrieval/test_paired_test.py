import pytest

from bench.retrieval.paired_test import compare


def test_the_difference_counts_from_before_to_after():
    compared = compare([0, 0, 1, 0], [1, 0, 1, 1])
    assert compared.difference.value == 0.5


def test_equal_runs_differ_by_nothing_for_certain():
    compared = compare([0.5, 1, 0], [0.5, 1, 0])
    assert (compared.difference.value, compared.difference.error, compared.p) == (0, 0, 1)


def test_p_is_the_share_of_sign_flips_that_differ_as_much():
    """Ten differences of one sign: 2 of the 1,024 ways to flip them are as extreme."""
    compared = compare([0] * 40, [1] * 10 + [0] * 30)
    assert compared.p == pytest.approx(2 / 1024, rel=0.5)


def test_differences_that_cancel_out_are_no_finding():
    assert compare([0, 1] * 20, [1, 0] * 20).p == 1
