"""Listing and reading notes and skills."""

import pytest

from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.errors import Conflict, NotFound


def test_notes_and_archived_notes_are_listed_apart(topics, memory):
    topics.write("B", hook="second")
    topics.write("A", hook="first")
    topics.maintain("archive", "memory/notes/a.md")
    reader = memory.app.caller.topic_reader
    assert [(each.slug, each.summary) for each in reader.list(NOTE)] == [("b", "second")]
    assert [each.slug for each in reader.list(NOTE, archived=True)] == ["a"]
    assert reader.list(SKILL) == []


@pytest.mark.parametrize("name", ["retries", "Retries!", "memory/notes/retries.md"])
def test_a_note_is_read_by_slug_topic_or_path(topics, memory, name):
    topics.write(content="v1")
    topics.write(content="v2", mode="rotate_actuel")
    view = memory.app.caller.topic_reader.read(NOTE, name)
    assert (view.facts.title, view.current) == ("Retries", "v2")
    assert view.data == (topics.root / "memory/notes/retries.md").read_bytes()


def test_what_is_missing_is_told_with_the_nearest(topics, memory):
    topics.write()
    with pytest.raises(NotFound, match=r"^there is no note 'retrys'; did you mean retries\?$"):
        memory.app.caller.topic_reader.read(NOTE, "retrys")
    for name in ("!!!", "quite another"):
        with pytest.raises(NotFound, match="memory-mcp note list"):
            memory.app.caller.topic_reader.read(NOTE, name)


def test_reading_makes_nothing(memory):
    assert memory.app.caller.topic_reader.list(NOTE) == []
    with pytest.raises(NotFound):
        memory.app.caller.topic_reader.read(NOTE, "x")
    assert not (memory.wiki / "_callers").exists()


def test_the_folder_of_another_caller_is_not_read(topics, memory):
    topics.write()
    topics.put("_meta/caller.json", '{"v": 1, "caller": "somebody else"}\n')
    for read in (
        lambda: memory.app.caller.topic_reader.list(NOTE),
        lambda: memory.app.caller.topic_reader.read(NOTE, "retries"),
    ):
        with pytest.raises(Conflict, match="somebody else"):
            read()


def test_the_path_of_a_topic_is_told_whether_it_has_a_file_or_not(topics, memory):
    topics.write("C++")
    topics.write("C#")
    path_of = memory.app.caller.topic_reader.path_of
    assert path_of(NOTE, "C#") == "memory/notes/c-951a.md"
    assert path_of(NOTE, "Gone away") == "memory/notes/gone-away.md"
    assert path_of(NOTE, "memory/notes/x.md") == "memory/notes/x.md"
    assert path_of(SKILL, "c") == "skills/c.md"
