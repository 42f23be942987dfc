"""The scalar rule: what is typed, what stays text, and how a text is written."""

import pytest
import yaml
from hypothesis import given

from memory_mcp.wiki.yaml_entries import read_entries
from memory_mcp.wiki.yaml_scalar import quote_scalar, resolve_scalar, scalar_text
from memory_mcp.wiki.yaml_subset import read_subset
from tests.wiki.yaml_texts import TEXTS


@given(TEXTS)
def test_a_quoted_scalar_reads_back_in_every_position(text):
    quoted = quote_scalar(text)
    assert "\n" not in quoted
    front = f"title: {quoted}\ntags:\n  - {quoted}\n"
    for values in (yaml.safe_load(front), read_entries(front).values(), read_subset(front)):
        assert values is None or values == {"title": text, "tags": [text]}


@pytest.mark.parametrize(
    "text", ["yes", "NO", "1.0", "0o17", "1:30", "2026-11-30", "-5", "~", ".5", "1e3", "<<", ""]
)
def test_strings_that_another_reader_takes_for_something_else_are_quoted(text):
    assert quote_scalar(text)[0] == "'"


@pytest.mark.parametrize(
    "text", ["Use WAL mode", "C# notes", "a/b.md", "3 ways (really)", "é🦔", "a:b", "-v flag"]
)
def test_ordinary_strings_stay_plain(text):
    assert quote_scalar(text) == text


@pytest.mark.parametrize("text", ["true", "false", "0", "-12", "1.5", "9007199254740993"])
def test_scalars_with_a_type_keep_their_text(text):
    value = resolve_scalar(text)
    assert not isinstance(value, str)
    assert scalar_text(value) == text


@pytest.mark.parametrize(
    "text",
    [
        "True",
        "yes",
        "1.10",
        "010",
        "1_000",
        "1:30",
        "-0",
        "1.",
        "0x1f",
        ".inf",
        "nan",
        "2026-11-30",
        "1" * 30,
    ],
)
def test_scalars_that_a_type_would_change_stay_strings(text):
    assert resolve_scalar(text) == text


@pytest.mark.parametrize("text", ["", "~", "null"])
def test_nothing_is_null(text):
    assert resolve_scalar(text) is None
