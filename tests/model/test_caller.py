"""What a caller may be called."""

import pytest

from memory_mcp.errors import InvalidInput
from memory_mcp.model.caller import caller_scope, check_caller


@pytest.mark.parametrize("name", ["default", "telegram:123", "Ana Pérez", "日本", "a/b", "x" * 200])
def test_a_caller_may_be_called_anything_readable(name):
    assert check_caller(name, "--caller") == name
    assert caller_scope(name).workspace == "_callers"


@pytest.mark.parametrize(
    "name", ["", "..", ".", "/", "con", "CON", "nul.txt", "com1", "a\nb", " a", "a\x00", "\ud800", "x" * 201]
)
def test_what_names_nobody_is_refused_in_a_sentence(name):
    with pytest.raises(InvalidInput) as refused:
        check_caller(name, "--caller")
    sentence = str(refused.value)
    assert sentence.startswith("--caller = ")
    assert sentence.endswith(".")
    assert len(sentence) < 300
    sentence.encode()
