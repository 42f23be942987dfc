"""JSON values as text without secrets, at any size."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.capture.clean_flat import EDGE_CHARS, clean_flat, clean_within
from memory_mcp.capture.sanitizer import REPLACEMENT, Sanitizer
from tests.capture.json_values import JSON

KEY = "sk-" + "Ab3dE5gH" * 4
CLEAN = Sanitizer().clean
LIMIT = 40_000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("text", "text"),
        (7, "7"),
        (2.5, "2.5"),
        (True, "true"),
        (["a", None, ["b", 1]], "a\nb\n1"),
        ({"text": "a", "content": "b"}, "a"),
        ({"content": [{"type": "text", "text": "a"}, {"text": "b"}]}, "a\nb"),
        ({"stdout": "a\nb", "code": 0}, '{"stdout":"a\\nb","code":0}'),
        ({}, ""),
    ],
)
def test_a_value_is_told_as_text(value, text):
    assert clean_flat(value, CLEAN, LIMIT) == text


@pytest.mark.parametrize(
    "value",
    [
        KEY,
        [KEY],
        {"stdout": f"first\n{KEY}"},
        {"stdout": f"first\t{KEY}\nlast"},
        {"deep": {"er": [f"\n{KEY}"]}},
        {KEY: "value"},
        {"db_password": "hunter2hunter2"},
        {"text": f"a\n{KEY}"},
        f"\x1b[1;32m{KEY}\x1b[0m",
        {"stdout": f"\x1b[m\x1b[32m{KEY}"},
        f'{{"log": "first\\n{KEY}"}}',
    ],
)
def test_no_secret_hides_in_the_form_of_a_value(value):
    text = clean_flat(value, CLEAN, LIMIT)
    assert REPLACEMENT in text
    assert KEY[:12] not in text
    assert "hunter2" not in text


@given(
    st.integers(LIMIT - 80, LIMIT) | st.integers(LIMIT - 2 * EDGE_CHARS, LIMIT + 60),
    st.sampled_from([KEY, f"postgres://ana:{'s3cret' * 3}@db/x", f"<private>{'secret ' * 9}</private>"]),
)
def test_no_cut_leaves_a_part_of_a_secret(before, secret):
    text = "word " * (before // 5) + secret + " end" + " word" * 10_000
    cut = clean_within(text, CLEAN, LIMIT)
    assert len(cut) <= LIMIT
    for part in ("sk-", "s3cret", "secret", "ana"):
        assert part not in cut


@given(st.integers(0, 60))
def test_no_cut_inside_an_object_leaves_a_part_of_a_secret(shift):
    value = {"a": "word " * 7_990 + "x" * shift + f" {KEY} end", "b": [f"y {KEY}"] * 900}
    text = clean_flat(value, CLEAN, LIMIT)
    assert len(text) <= LIMIT
    assert "sk-" not in text


@pytest.mark.parametrize(
    "value",
    [
        "word " * 4_000_000,
        ["word " * 1_000] * 4_000,
        {str(number): "" for number in range(500_000)},
        {"a": [[]] * 1_000_000},
    ],
    ids=["text", "list", "members", "empty"],
)
def test_of_a_huge_value_only_the_beginning_is_looked_at(value):
    looked_at = []

    def clean(text):
        looked_at.append(len(text))
        return text

    assert len(clean_flat(value, clean, LIMIT)) <= LIMIT
    assert len(looked_at) <= LIMIT / 8
    assert sum(looked_at) < 3 * LIMIT + 2 * EDGE_CHARS


def test_a_value_nested_without_end_is_cut():
    value = []
    for _ in range(500):
        value = [value, {"a": value}]
    assert len(clean_flat(value, CLEAN, LIMIT)) <= LIMIT


@given(JSON)
def test_every_value_has_a_text(value):
    assert isinstance(clean_flat(json.loads(json.dumps(value)), CLEAN, LIMIT), str)
