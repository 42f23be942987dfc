"""Names of scopes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import Scope, check_scope_name, derive_name, parse_scope


@given(st.text(max_size=150))
def test_a_derived_name_is_always_a_name(text: str) -> None:
    name = derive_name(text)
    assert check_scope_name(name, "project") == name
    assert derive_name(name) == name


def test_names_derived_from_folders_are_readable_and_stay_apart() -> None:
    assert derive_name("My Größe (old)") == "my-gro-e-old"
    assert derive_name("...") != derive_name("大小")
    assert derive_name("大小") != derive_name("小大")
    assert derive_name("con").startswith("project-")


@pytest.mark.parametrize(
    "name", ["", "A", "-a", ".a", "a/b", "a b", "a.", "con", "_global", "_callers", "a" * 101, "é", "a\n"]
)
def test_what_is_no_name_is_refused_with_the_rule(name: str) -> None:
    with pytest.raises(InvalidInput, match="is not a scope name: use lower-case letters"):
        check_scope_name(name, "workspace")


@pytest.mark.parametrize("text", ["", "a", "a/", "/a", "a/b/c", "a//b", "A/b", "_callers/ana", "../x"])
def test_what_is_no_scope_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_scope(text, "scopes")


def test_a_scope_is_parsed_as_it_is_written() -> None:
    assert parse_scope("acme/importer", "scopes") == Scope("acme", "importer")
    assert str(parse_scope("default/_global", "scopes")) == "default/_global"
