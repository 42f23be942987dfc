"""Which things a vague request may mean, and how sure that is."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memory_mcp.callers.recall_score import Evidence, is_vague, rank, request_words

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def ranked(request, *evidence):
    """Names, scores and confidence of the candidates."""
    found = rank(request, evidence, NOW, datetime.date)
    return [(each.evidence.name, each.score, each.confidence) for each in found]


def thing(name, title, text="", days=None, source="note"):
    return Evidence(source, name, title, text, None if days is None else ago(days))


@pytest.mark.parametrize(
    "request_",
    [
        "continue",
        "Continue with the importer.",
        "please carry on",
        "keep going",
        "same thing as last week",
        "do that again",
        "like before, please",
        "what we discussed",
        "the thing we talked about",
        "that importer",
        "The importer retry!",
        "go on from yesterday",
        "what has happened since last time",
        "  CONTINUE\n",
    ],
)
def test_a_request_that_points_without_naming_is_vague(request_):
    assert is_vague(request_)


@pytest.mark.parametrize(
    "request_",
    [
        "",
        "Write a test for the importer",
        "Why does the continuous build fail?",
        "the importer fails with a time-out when the bucket is empty",
        "What is two plus two?",
        "discontinue the old plan",
    ],
)
def test_a_request_that_says_what_it_wants_is_not(request_):
    assert not is_vague(request_)


def test_the_words_that_point_are_no_words_of_the_subject():
    assert request_words("Please continue the same importer thing as yesterday") == ["import"]
    assert request_words("carry on") == []


def test_each_word_counts_ten_and_newness_up_to_three():
    both = thing("both", "Importer retry", days=0.5)
    one = thing("one", "Importer", days=3)
    old = thing("old", "The retry", days=90)
    none = thing("none", "Lunch", days=0)
    assert ranked("continue the importer retry", one, none, old, both) == [
        ("both", 23, "high"),
        ("one", 12, "medium"),
        ("old", 11, "medium"),
    ]


def test_one_word_is_never_sure_and_no_date_is_no_newness():
    assert ranked("continue the importer", thing("a", "Importer", days=0)) == [("a", 13, "medium")]
    assert ranked("continue the importer", thing("p", "the profile", "importer")) == [("p", 10, "medium")]


def test_two_that_are_as_good_are_not_sure_of_each_other():
    pair = [thing("a", "Importer retry", days=0), thing("b", "Importer retry", days=30)]
    assert ranked("continue the importer retry", *pair) == [("a", 23, "medium"), ("b", 21, "medium")]
    third = thing("c", "Importer retry bucket", days=0)
    assert ranked("continue the importer retry bucket", *pair, third)[0] == ("c", 33, "high")


def test_a_request_without_words_brings_what_is_newest_with_low_confidence():
    things = [
        thing("old", "Lunch", days=30),
        thing("new", "Importer", days=0),
        thing("week", "Retry", days=5),
    ]
    assert ranked("continue", *things) == [("new", 4, "low"), ("week", 3, "low"), ("old", 2, "low")]


def test_yesterday_means_the_day_before_and_nothing_else():
    things = [
        thing("today", "Importer", days=0),
        thing("yesterday", "Importer", days=1),
        thing("before", "Importer", days=2),
        thing("undated", "Importer"),
    ]
    assert ranked("continue the importer from yesterday", *things) == [("yesterday", 18, "medium")]
    assert ranked("go on from yesterday", *things) == [("yesterday", 9, "low")]


def test_yesterday_is_that_of_the_caller():
    late = Evidence("log", "log", "Importer", "", datetime(2026, 11, 29, 23, 30, tzinfo=timezone.utc))
    east = timezone(timedelta(hours=2))

    def day_of(moment):
        return moment.astimezone(east).date()

    assert [each.score for each in rank("from yesterday", [late], NOW, datetime.date)] == [9]
    assert rank("from yesterday", [late], NOW, day_of) == []


def test_five_are_told_at_most_and_equal_ones_in_the_order_of_their_sources():
    things = [thing(str(number), "Importer", days=10) for number in range(9)]
    assert [name for name, _, _ in ranked("continue the importer", *things)] == ["0", "1", "2", "3", "4"]


def test_forms_of_a_word_are_one_word():
    assert ranked("continue the importers", thing("a", "Importing it", days=0)) == [("a", 13, "medium")]
