"""Half a surrogate pair reaches the SDK as U+FFFD; everything else as it was."""

import json

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.server.stdin_lines import mend_surrogates


def test_lone_halves_are_replaced_and_pairs_stay():
    assert json.loads(mend_surrogates(r'{"a": "x\ud83d", "b": "\udc00y"}')) == {
        "a": "x\ufffd",
        "b": "\ufffdy",
    }
    assert json.loads(mend_surrogates(r'{"a": "\ud83d\ude00"}' + "\n")) == {"a": "😀"}


def test_an_escaped_backslash_is_no_surrogate():
    line = r'{"a": "\\ud83d"}' + "\n"
    assert json.loads(mend_surrogates(line)) == {"a": r"\ud83d"}


def test_what_is_no_json_stays_for_the_sdk_to_drop():
    assert mend_surrogates('garbage \\ud83d {"\n') == 'garbage \\ud83d {"\n'
    assert mend_surrogates("[" * 100_000 + "\\ud83d") == "[" * 100_000 + "\\ud83d"


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists), st.booleans())
def test_valid_messages_keep_their_meaning(value, ascii_only):
    line = json.dumps(value, ensure_ascii=ascii_only)
    if ascii_only or "\\u" in line:
        assert json.loads(mend_surrogates(line)) == value
    else:
        assert mend_surrogates(line) == line
