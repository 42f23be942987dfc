"""What a tool may have written into a note, a skill or the profile."""

import pytest

from memory_mcp.callers.content_clean import MAX_CONTENT_BYTES, clean_content
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import InvalidInput

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def test_a_text_stays_as_it_is_but_for_secrets():
    assert clean_content("  Täbs\r\n", Sanitizer(), "split it.") == "  Täbs\r\n"
    assert TOKEN not in clean_content(f"x {TOKEN}", Sanitizer(), "split it.")
    assert clean_content("é" * (MAX_CONTENT_BYTES // 2), Sanitizer(), "split it.")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (" \n", "content is blank"),
        ("é" * (MAX_CONTENT_BYTES // 2) + "x", "content has 100,001 bytes; the limit is 100,000: split it."),
        ("a\0", "NUL"),
        ("a\ud800", "surrogate"),
    ],
)
def test_what_cannot_be_kept_is_refused(content, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        clean_content(content, Sanitizer(), "split it.")
