"""Which file a topic has: one for each, and always the same one."""

from memory_mcp.callers.topics.slug import told_apart
from memory_mcp.callers.topics.topic_kind import NOTE
from memory_mcp.callers.topics.topic_place import by_slug, place_topic
from memory_mcp.callers.topics.topic_scan import TopicFacts


def place(name, **titles):
    files = {slug.replace("_", "-"): title for slug, title in titles.items()}
    return place_topic(
        name, by_slug(TopicFacts(slug, NOTE.path(slug), title) for slug, title in files.items()), NOTE
    )


def test_a_new_topic_has_the_file_of_its_slug():
    found = place("Release steps")
    assert (found.slug, found.path, found.topic, found.warning) == (
        "release-steps",
        "memory/notes/release-steps.md",
        None,
        "",
    )


def test_the_same_topic_has_the_file_that_is_there():
    for name in ("Release steps", "release-steps", "RELEASE, steps!"):
        found = place(name, release_steps="Release Steps")
        assert (found.topic.slug, found.warning) == ("release-steps", "")


def test_a_file_without_title_is_that_of_its_slug():
    assert place("C++", c="").topic.slug == "c"


def test_another_topic_of_the_same_slug_has_a_file_of_its_own():
    found = place("C#", c="C++")
    assert (found.path, found.topic) == ("memory/notes/c-951a.md", None)
    assert found.warning == (
        "memory/notes/c.md is about 'C++', so 'C#' has its own file, memory/notes/c-951a.md."
    )


def test_a_slug_names_its_file_whatever_that_is_about():
    assert place("c", c="C++").topic.slug == "c"
    assert place("c-951a", c="C++", c_951a="C#").topic.slug == "c-951a"


def test_a_topic_with_a_file_of_its_own_keeps_it():
    assert place("C#", c="C++", c_951a="C#").topic.slug == "c-951a"
    assert place("C#", c_951a="C#").topic.slug == "c-951a"
    assert place("C#", c="C++", c_951a="C#").warning == ""


def test_a_collision_of_the_digits_too_is_told_apart():
    found = place("C#", c="C++", c_951a="C&")
    assert found.slug == told_apart("c", "C#", 8)


def test_a_file_whose_name_differs_by_case_is_the_same():
    assert place("readme", **{"README": "Readme"}).path == "memory/notes/README.md"
