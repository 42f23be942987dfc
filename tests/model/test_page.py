"""Versions."""

from __future__ import annotations

from memory_mcp.model.page import version_of


def test_a_version_is_the_beginning_of_the_hash_of_the_bytes() -> None:
    assert version_of(b"") == "e3b0c44298fc1c14"
    assert version_of(b"a\n") != version_of(b"a\r\n")
