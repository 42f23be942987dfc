"""What a topic's file is called, and which topics are one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.topics.slug import check_slug, is_same_topic, slugify, told_apart
from memory_mcp.errors import InvalidInput


@pytest.mark.parametrize(
    ("topic", "slug"),
    [
        ("User Preferences", "user-preferences"),
        ("!!!", ""),
        ("  --A--B  ", "a-b"),
        ("-a-", "a"),
        ("hello\tworld\nz", "hello-world-z"),
        ("Café déjà vu", "caf-dj-vu"),
        ("日本語", ""),
        ("a_b.c/d", "abcd"),
        ("C++ & Rust 2.0", "c-rust-20"),
        ("İstanbul", "istanbul"),
        ("x" * 80, "x" * 64),
        ("a\u00a0b\u3000c", "a-b-c"),
        ("\ufeffa", "a"),
        ("a" * 63 + " b", "a" * 63),
    ],
)
def test_a_slug_is_made_of_ascii_letters_and_digits(topic, slug):
    assert slugify(topic) == slug


@given(st.text())
def test_a_slug_is_a_file_name_and_its_own_slug(topic):
    slug = slugify(topic)
    assert re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*)?", slug)
    assert len(slug) <= 64
    assert slugify(slug) == slug


@pytest.mark.parametrize("topic", ["!!!", "日本語", "-", "."])
def test_a_topic_without_letter_or_digit_is_refused(topic):
    with pytest.raises(InvalidInput, match=r"^topic = .* has no ASCII letter or digit .*\.$"):
        check_slug(topic, "topic")


@pytest.mark.parametrize("topic", ["SKILLS", "skills!", "Memory", "user", "LOG", "con", "Aux", "NUL", "com1"])
def test_names_of_other_files_and_devices_are_reserved(topic):
    with pytest.raises(InvalidInput, match=r"^name = .* reserved file name"):
        check_slug(topic, "name")


def test_a_word_more_makes_a_reserved_name_a_topic():
    assert check_slug("log files", "topic") == "log-files"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Release steps", "release-steps"),
        ("Use WAL!", "use wal"),
        ("a_b.c/d", "abcd"),
        ("Straße", "STRASSE"),
        ("What's new?", "whats new"),
        ("(draft) plan", "Draft: plan"),
    ],
)
def test_case_space_and_punctuation_make_no_other_topic(one, other):
    assert is_same_topic(one, other)


@pytest.mark.parametrize(("one", "other"), [("C++", "C"), ("C#", "C++"), ("Café", "Caf"), ("a&b", "a b")])
def test_what_the_slug_drops_makes_another_topic(one, other):
    assert not is_same_topic(one, other)


def test_topics_told_apart_have_names_that_never_change():
    assert told_apart("c", "C++") == "c-cedb"
    assert told_apart("c", "c++ ") == "c-cedb"
    assert told_apart("c", "C#") == "c-951a"
    long = told_apart("x" * 64, "x" * 80)
    assert len(long) == 64
    assert slugify(long) == long
