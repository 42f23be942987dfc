"""Patterns of paths."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.capture.path_glob import BadPattern, PathGlob, normal_path, path_glob

PIECES = st.lists(st.sampled_from(["a", "b", "/", "*", "**", "?", "/**/", "/*"]), max_size=8)
PATHS = st.text("ab/", max_size=10)


def as_expression(pattern):
    found = re.split(r"((?<=/)\*\*/|\*\*|\*|\?)", pattern)
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(meant.get(piece, re.escape(piece)) for piece in found)


@given(PIECES, PATHS)
def test_a_pattern_matches_what_the_same_regular_expression_does(pieces, rest):
    pattern = re.sub(r"\*{3,}", "**", "/" + "".join(pieces))
    path = "/" + rest
    wanted = re.fullmatch(as_expression(pattern), path)
    if pattern.endswith("/**"):
        wanted = wanted or re.fullmatch(as_expression(pattern[:-3]), path)
    assert PathGlob(pattern).matches(path) == bool(wanted)
    if wanted:
        assert path.startswith(PathGlob(pattern).fixed.rstrip("/"))


def test_a_hostile_pattern_costs_no_more_than_the_product_of_both_lengths():
    assert not PathGlob("/" + "*a" * 500).matches("/" + "a" * 499 + "b" * 3_000)
    assert not PathGlob("/" + "**a" * 300).matches("/" + "a" * 299 + "b" * 3_000)
    assert not PathGlob("/" + "**/a/" * 200 + "b").matches("/" + "a/" * 1_500)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("secret.txt", "/p/secret.txt"),
        ("./secrets/*.key", "/p/secrets/a.key"),
        ("secrets/**", "/p/secrets"),
        ("secrets/**", "/p/secrets/a/b"),
        ("secrets/", "/p/secrets"),
        ("**/.env", "/p/.env"),
        ("**/.env", "/p/a/b/.env"),
        ("a?.py", "/p/ab.py"),
        ("~/keys/**", "/home/ana/keys/x"),
        ("/etc/*", "/etc/passwd"),
        ("a\\b", "/p/a/b"),
    ],
)
def test_a_pattern_is_taken_from_its_folder_from_home_or_from_the_root(pattern, path):
    assert path_glob(pattern, "/p", "/home/ana").matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("secret.txt", "/p/a/secret.txt"),
        ("secrets/*", "/p/secrets/a/b"),
        ("secrets/**", "/p/secrets2"),
        ("a?b", "/p/a/b"),
        ("Secret.txt", "/p/secret.txt"),
        ("~/keys", "/p/~/keys"),
    ],
)
def test_a_pattern_names_no_more_than_it_says(pattern, path):
    assert not path_glob(pattern, "/p", "/home/ana").matches(path)


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "  ", "!a", "{a,b}", "[ab]", "a(b)", "a|b", "^a", "a$", "%APPDATA%", "a/***", "../a", "a/../b"),
        *("~ana/x", "C:x", "a\0b", "x" * 1_025),
    ],
)
def test_what_means_something_elsewhere_is_refused(pattern):
    with pytest.raises(BadPattern):
        path_glob(pattern, "/p", "/home/ana")


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("a", "/p/a"),
        ("./a//b/../c", "/p/a/c"),
        ("../x", "/x"),
        ("/etc/../a", "/a"),
        ("~", "/home/ana"),
        ("~/a", "/home/ana/a"),
        ("$HOME/a", "/home/ana/a"),
        ("${HOME}/a", "/home/ana/a"),
        ("file:///a/b", "/a/b"),
        ("a\\b", "/p/a/b"),
        (".", "/p"),
    ],
)
def test_a_path_is_made_absolute_without_a_look_at_the_disk(path, normal):
    assert normal_path(path, "/p", "/home/ana") == normal
