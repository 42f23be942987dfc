"""A person works on two machines that share a wiki by plain git: nothing that either learnt is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory_mcp.callers.profile.profile_text import parse_profile
from memory_mcp.callers.topics.topic_index import parse_index
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from tests.memory import CLAUDE, CODEX, Memory


def learn(memory: Memory, name: str) -> None:
    """Three notes, two skills, two log lines and two tasks of one machine; one of them is closed."""
    app = memory.app
    for number in range(3):
        app.caller.topic_writer.write(
            NOTE, f"{name} note {number}", f"What {name} knows.", CODEX, hook=f"{name} hook"
        )
    for number in range(2):
        app.caller.topic_writer.write(SKILL, f"{name} skill {number}", "Step by step.", CODEX)
    for number in range(2):
        app.caller.log.append("decision_made", f"{name} decided {number}", CODEX)
    app.caller.task_writer.add(f"{name} open", "today", CODEX)
    closed = app.caller.task_writer.add(f"{name} closed", "today", CODEX)
    app.caller.task_writer.complete(closed.task.code, CODEX)


def slugs(memory: Memory, kind) -> list[str]:
    text = memory.app.caller.folder.read_text(kind.index)
    index = parse_index(text)
    assert index.malformed == ()
    return sorted(entry.slug for entry in index.entries)


def logged_lines(memory: Memory) -> list[str]:
    lines = memory.app.caller.folder.read_text("memory/log.md").splitlines()
    assert lines[0] == "# Log"
    return sorted(line.split("] ", 1)[1] for line in lines if line.startswith("## ["))


@pytest.fixture(params=["known before", "new on both"])
def machines(request: pytest.FixtureRequest, memory: Memory) -> Iterator[tuple[Memory, Memory]]:
    """Two data dirs whose wikis push to and pull from one bare repository."""
    memory.write("notes/shared.md")
    if request.param == "known before":
        memory.app.caller.profile.write("Ana.", CODEX, section="Profile")
    other = memory.clone()
    yield memory, other
    for app in other.opened:
        app.close()


@pytest.mark.parametrize("way", ["--no-rebase", "--rebase"])
def test_every_entry_of_both_is_in_its_index_after_a_pull(machines: tuple[Memory, Memory], way: str) -> None:
    one, two = machines
    learn(one, "one")
    learn(two, "two")
    one.git("push", "-q")
    two.git("pull", "-q", way)
    two.git("push", "-q")
    one.git("pull", "-q", way)
    both = ("one", "two")
    for each in machines:
        assert slugs(each, NOTE) == [f"{name}-note-{number}" for name in both for number in range(3)]
        assert slugs(each, SKILL) == [f"{name}-skill-{number}" for name in both for number in range(2)]
        assert sorted(task.title for task in each.app.caller.tasks.active()) == ["one open", "two open"]
        assert len(each.app.caller.tasks.all()) == 4
        decided = [f"decision_made | {name} decided {number}" for name in both for number in range(2)]
        assert [line for line in logged_lines(each) if line.startswith("decision")] == decided
        assert len([line for line in logged_lines(each) if line.startswith("task_completed")]) == 2
        assert each.git("status", "--porcelain") == ""
        each.git("fsck", "--strict")
        told = each.app.caller.prompt.build().text
        assert "one-note-2" in told
        assert "two-note-2" in told


def test_the_next_write_leaves_an_index_in_order(machines: tuple[Memory, Memory]) -> None:
    one, two = machines
    learn(one, "one")
    learn(two, "two")
    one.git("push", "-q")
    two.git("pull", "-q", "--no-rebase")
    two.app.caller.topic_writer.write(NOTE, "Three", "More.", CLAUDE)
    index = two.app.caller.folder.read_text(NOTE.index)
    lines = index.split("## Index\n")[1].splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(set(lines)) == 7
    assert index.count("# MEMORY.md") == index.count("## Index") == 1


def test_sections_of_the_profile_that_differ_are_merged(machines: tuple[Memory, Memory]) -> None:
    one, two = machines
    for memory in machines:
        memory.app.caller.profile.write("Lisbon.", CODEX, section="Environment")
    one.git("push", "-q")
    two.git("pull", "-q", "--no-rebase")
    two.git("push", "-q")
    one.git("pull", "-q", "--no-rebase")
    one.app.caller.profile.write("Ana.", CODEX, section="Profile")
    two.app.caller.profile.write("Which shift?", CODEX, section="Open Questions")
    one.git("push", "-q")
    two.git("pull", "-q", "--no-rebase")
    sections = parse_profile(two.app.caller.folder.read_text("memory/USER.md")).sections
    assert (sections["Profile"], sections["Open Questions"]) == ("Ana.", "Which shift?")
