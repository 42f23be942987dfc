"""Ids that sort by time, and the codes that people type."""

from datetime import datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.record_id import (
    bare_code,
    code_of,
    codes_of,
    find_by_code,
    ids_with_code,
    is_id,
    new_id,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
A = "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4"
B = "019ad4b2-6c1e-7a30-9f11-5d2c80b81234"
C = "019ad4b2-6c1e-7a30-9f11-5d2c80b1e9c4"

ids = st.builds(
    lambda head, tail: f"019ad4b2-6c1e-7a30-9f11-{head:08x}{tail:04x}",
    st.integers(0, 3),
    st.integers(0, 3),
)


def test_the_example_of_the_standard_has_its_time_and_version() -> None:
    moment = datetime(2022, 2, 22, 19, 22, 22, tzinfo=timezone.utc)  # RFC 9562, appendix A.6
    made = new_id(moment)
    assert made.startswith("017f22e2-79b0-7")
    assert UUID(made).version == 7
    assert UUID(made).variant == "specified in RFC 4122"
    assert is_id(made)


@given(st.lists(st.integers(0, 10**9), min_size=2, unique=True))
def test_ids_sort_by_the_time_of_their_making(microseconds: list[int]) -> None:
    made = [(micro, new_id(NOON + timedelta(microseconds=micro))) for micro in microseconds]
    assert [micro for micro, _ in sorted(made, key=lambda each: each[1])] == sorted(microseconds)


def test_a_code_is_the_shortest_end_that_is_unique_and_has_four_digits() -> None:
    assert code_of(A, [A, B]) == "e9c4"
    assert codes_of([A, B, C]) == {A: "7e9c4", B: "1234", C: "1e9c4"}
    assert code_of(A, []) == "e9c4"


@given(st.lists(ids, unique=True, min_size=1))
def test_a_code_finds_its_id_and_no_shorter_end_would(made: list[str]) -> None:
    for each, code in codes_of(made).items():
        assert find_by_code(code, made, "task") == each
        assert len(code) == 4 or len(ids_with_code(code[1:], made)) > 1


@pytest.mark.parametrize(
    "text", ["e9c4", "E9C4", " #e9c4 ", "[e9c4]", "b7-e9c4", A, A.upper(), A.replace("-", "")]
)
def test_a_code_is_taken_in_any_case_and_with_any_hyphens(text: str) -> None:
    assert find_by_code(text, [A, B], "task") == A


@pytest.mark.parametrize("text", ["", "9c4", "e9c4 now", "gggg", "../e9c4", "e" * 33, "e9c4" * 40, "1"])
def test_what_is_no_code_is_refused(text: str) -> None:
    assert bare_code(text) is None
    with pytest.raises(InvalidInput, match="is no code of a task: give the hex digits"):
        find_by_code(text, [A], "task")


def test_an_end_of_several_ids_is_refused_with_their_codes() -> None:
    with pytest.raises(InvalidInput, match=r"e9c4 could be each of 2 tasks \(1e9c4, 7e9c4\): give more"):
        find_by_code("e9c4", [A, B, C], "task")


def test_an_end_of_no_id_is_not_found() -> None:
    with pytest.raises(NotFound, match="there is no handoff ffff:"):
        find_by_code("ffff", [A], "handoff")
