"""Arguments against the schema: what is accepted, and the sentence for what is not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput
from memory_mcp.server.arguments import Parameter, check_arguments

PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter("query", {"type": "string"}, required=True, aliases=("q", "search")),
        Parameter("limit", {"type": "integer", "minimum": 1, "maximum": 100}, False, ("n",)),
        Parameter("offset", {"type": "integer", "minimum": 0}, False),
        Parameter("global", {"type": "boolean"}, False),
        Parameter("scopes", {"type": "array", "items": {"type": "string"}, "maxItems": 2}, False),
        Parameter("tier", {"type": "string", "enum": ["working", "semantic"]}, False),
        Parameter("title", {"type": "string"}, False, blank_counts=True),
        Parameter("code", {"type": "string"}, False, least_digits=4),
    )
}


def test_aliases_become_the_names_of_the_schema():
    assert check_arguments(PARAMETERS, {"q": "a", "n": 3}) == {"query": "a", "limit": 3}


def test_null_and_blank_optional_arguments_are_absent():
    given = {"query": "a", "limit": None, "tier": "  ", "scopes": None, "title": None}
    assert check_arguments(PARAMETERS, given) == {"query": "a"}


def test_blank_stays_where_it_is_required_or_counts():
    assert check_arguments(PARAMETERS, {"query": " ", "title": ""}) == {"query": " ", "title": ""}


def test_a_list_may_come_as_its_json_text():
    assert check_arguments(PARAMETERS, {"query": "a", "scopes": '["x/y"]'})["scopes"] == ["x/y"]


def test_a_whole_number_may_be_written_with_a_fraction_of_zero():
    assert check_arguments(PARAMETERS, {"query": "a", "limit": 7.0}) == {"query": "a", "limit": 7}


@pytest.mark.parametrize(("number", "text"), [(4821, "4821"), (421, "0421"), (0, "0000"), (48210, "48210")])
def test_a_text_of_digits_may_come_as_a_number_where_that_is_said(number, text):
    assert check_arguments(PARAMETERS, {"query": "a", "code": number})["code"] == text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "query is missing."),
        ({"query": None}, "query is missing."),
        ({"query": "a", "limt": 3}, "there is no argument 'limt'; did you mean 'limit'?"),
        ({"query": "a", "zzz": 3}, "there is no argument 'zzz'; it takes query, limit, offset, global, "),
        ({"query": "a", "q": "b"}, "query and q and search are one argument: give it once."),
        ({"query": "a", "limit": 0}, "limit = 0 is out of range: 1 to 100."),
        ({"query": "a", "n": 500}, "n = 500 is out of range: 1 to 100."),
        ({"query": "a", "offset": -1}, "offset = -1 is out of range: at least 0."),
        ({"query": "a", "limit": "7"}, "limit = '7' is not a whole number."),
        ({"query": "a", "limit": 7.5}, "limit = 7.5 is not a whole number."),
        ({"query": "a", "code": -1}, "code = -1 is not a text."),
        ({"query": "a", "code": True}, "code = True is not a text."),
        ({"query": "a", "code": 4e21}, "code = 4e+21 is not a text."),
        ({"query": 5}, "query = 5 is not a text."),
        ({"query": "a", "limit": True}, "limit = True is not a whole number."),
        ({"query": 5}, "query = 5 is not a text."),
        ({"query": "a", "global": "yes"}, "global = 'yes' is not true or false."),
        ({"query": "a", "scopes": "x/y"}, "scopes = 'x/y' is not a list of texts"),
        ({"query": "a", "scopes": ["x", 1]}, "scopes = ['x', 1] is not a list of texts"),
        ({"query": "a", "scopes": "[" * 100_000}, "scopes = '[[[[["),
        ({"query": "a", "scopes": ["a", "b", "c"]}, "scopes holds 3 entries: at most 2 are allowed."),
        ({"query": "a", "tier": "hot"}, "tier = 'hot' is not one of: working, semantic."),
        ({"query": "a\ud83d"}, "query is not valid Unicode"),
        ({"query": "a", "scopes": ["\udc00"]}, "scopes is not valid Unicode"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(arguments, sentence):
    with pytest.raises(InvalidInput, match="^" + re.escape(sentence)) as error:
        check_arguments(PARAMETERS, arguments)
    assert "\n" not in str(error.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*PARAMETERS, "q", "n"]) | st.text(max_size=5), json_values))
def test_no_arguments_raise_anything_else(arguments):
    try:
        checked = check_arguments(PARAMETERS, arguments)
    except InvalidInput as error:
        assert str(error).endswith((".", "?"))
    else:
        assert set(checked) <= set(PARAMETERS)
