"""Setting a value in a JSON text leaves every other byte alone."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_mcp.clients.json_text import load_jsonc, set_json_items, set_json_value

PATH = ("mcpServers", "memory-mcp")
VALUE = {"type": "stdio", "args": ["serve"]}


def test_an_empty_object_gets_the_value_on_lines_of_its_own():
    assert set_json_value("{}\n", ("a", "b"), 1) == '{\n  "a": {\n    "b": 1\n  }\n}\n'


def test_a_member_is_added_behind_the_last_one_with_the_indentation_of_its_neighbours():
    text = '{\n    "numStartups": 7,\n    "theme": "dark"\n}'
    assert set_json_value(text, PATH, {"a": 1}) == (
        '{\n    "numStartups": 7,\n    "theme": "dark",\n'
        '    "mcpServers": {\n        "memory-mcp": {\n            "a": 1\n        }\n    }\n}'
    )


def test_a_text_on_one_line_stays_on_one_line():
    assert set_json_value('{"a":1,"mcpServers":{}}', PATH, VALUE) == (
        '{"a":1,"mcpServers":{"memory-mcp": {"type": "stdio", "args": ["serve"]}}}'
    )


def test_tabs_and_windows_line_endings_are_continued():
    text = '{\r\n\t"mcpServers": {\r\n\t\t"x": {}\r\n\t}\r\n}\r\n'
    assert set_json_value(text, PATH, {"a": 1}) == (
        '{\r\n\t"mcpServers": {\r\n\t\t"x": {},\r\n'
        '\t\t"memory-mcp": {\r\n\t\t\t"a": 1\r\n\t\t}\r\n\t}\r\n}\r\n'
    )


def test_an_old_value_is_replaced_where_it_stands():
    text = '{ "mcpServers" : { "memory-mcp" :{"old": "}"} , "z" : [1,2] } , "k":"é\\u00e9" }'
    changed = set_json_value(text, PATH, 5)
    assert changed == '{ "mcpServers" : { "memory-mcp" :5 , "z" : [1,2] } , "k":"é\\u00e9" }'


def test_of_equal_keys_the_last_one_counts_as_it_does_for_readers():
    text = '{"mcpServers": {"memory-mcp": 1}, "mcpServers": {"memory-mcp": 2}}'
    changed = set_json_value(text, PATH, 3)
    assert changed == '{"mcpServers": {"memory-mcp": 1}, "mcpServers": {"memory-mcp": 3}}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
SERVERS = st.dictionaries(st.sampled_from(["memory-mcp", "x", 'q"}{', "é"]), JSON, max_size=3)


@settings(max_examples=150)
@given(
    rest=st.dictionaries(st.text(), JSON, max_size=4),
    servers=st.none() | SERVERS,
    place=st.integers(0, 4),
    indent=st.sampled_from([None, 0, 1, 2, "\t"]),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]),
    ascii_only=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_whatever_the_text_the_result_holds_the_old_values_and_the_new(
    rest, servers, place, indent, separators, ascii_only, newline
):
    members = [item for item in rest.items() if item[0] != "mcpServers"]
    if servers is not None:
        members.insert(min(place, len(members)), ("mcpServers", servers))
    root = dict(members)
    text = json.dumps(root, indent=indent, separators=separators, ensure_ascii=ascii_only)
    text = text.replace("\n", newline) + newline
    changed = set_json_value(text, PATH, VALUE)
    wanted = {**root, "mcpServers": {**(servers or {}), "memory-mcp": VALUE}}
    assert json.loads(changed) == wanted
    assert list(json.loads(changed)) == list(wanted)
    assert _is_one_splice(text, changed)
    assert set_json_value(changed, PATH, VALUE) == changed


def _is_one_splice(old: str, new: str) -> bool:
    """Whether `new` is `old` with one run of characters replaced that lies around the value."""
    head = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    tail = 0
    while tail < len(old) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    gone = old[head : len(old) - tail]
    return '"mcpServers"' not in gone


@pytest.mark.parametrize("text", ["{\n}", "{ }", "{\n\n}\n"])
def test_an_object_of_white_space_gets_the_value(text):
    assert json.loads(set_json_value(text, PATH, VALUE)) == {"mcpServers": {"memory-mcp": VALUE}}


SOURCES = ['{"a":1 }', '{ "b" : [1, 2] }', '"x,]"', "3", "[\n]", '{"c": "}", /* "d": 1, */ "e": {}}', "null"]
"""Items of a list, in layouts that nobody but a person writes."""


@given(
    st.lists(st.sampled_from(SOURCES), min_size=1, max_size=4),
    st.lists(st.sampled_from([{"new": 1}, 7, "y"]), max_size=2),
    st.sampled_from([", ", ",\n    ", " ,// one\n  ", ",\r\n\t"]),
    st.sampled_from(["", "\n", " // last\n", ",\n"]),
    st.data(),
)
def test_the_items_of_a_list_that_stay_keep_every_byte(sources, added, comma, end, data):
    text = '{"x": 0, "hooks": {"Stop": [' + comma.join(sources) + end + "]}}\n"
    old = load_jsonc(text)["hooks"]["Stop"]
    first = data.draw(st.integers(0, len(old)))
    last = data.draw(st.integers(first, len(old)))
    new = [*old[:first], *added, *old[last:]]
    changed = set_json_items(text, ("hooks", "Stop"), old, new)
    assert load_jsonc(changed) == {"x": 0, "hooks": {"Stop": new}}
    at = 0
    for source in [*sources[:first], *sources[last:]]:
        at = changed.find(source, at)
        assert at >= 0, (source, changed)
        at += len(source)


@pytest.mark.parametrize(
    "text", ['{"a": [{"b":1 }]}', '{"a": [\n  {"b" : 1},\n  2 // two\n]}', '{"a":[1,\r\n 2]}']
)
def test_an_item_that_is_added_and_removed_again_leaves_no_trace(text):
    old = load_jsonc(text)["a"]
    more = set_json_items(text, ("a",), old, [*old, {"ours": True}])
    assert load_jsonc(more)["a"] == [*old, {"ours": True}]
    assert set_json_items(more, ("a",), [*old, {"ours": True}], old) == text
