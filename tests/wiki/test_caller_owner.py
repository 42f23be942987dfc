"""Whose memory a folder is; two callers may be told apart only by what stands inside."""

import pytest

from memory_mcp.callers.topics.topic_kind import NOTE
from memory_mcp.errors import Conflict
from memory_mcp.wiki.caller_owner import IDENTITY, check_owner
from tests.memory import CODEX


def remember(app):
    app.caller.topic_writer.write(NOTE, "Axolotl", "The axolotl is pink.", CODEX)
    app.caller.profile.write("Keeps an axolotl.", CODEX, section="Profile")
    app.caller.task_writer.add("Feed the axolotl", "today", CODEX)
    app.caller.log.append("fed", "The axolotl.", CODEX)


def reads(app):
    """Every road to what is known about the caller."""
    scope = app.caller.folder.scope
    named = {"workspace": scope.workspace, "project": scope.project}
    return {
        "query": lambda: app.query.query("axolotl").all_hits,
        "named": lambda: app.query.query("axolotl", **named).hits,
        "listed": lambda: app.query.query("axolotl", scopes=[str(scope)]).hits,
        "page": lambda: app.reader.read(path="memory/notes/axolotl.md", **named).body,
        "recent": lambda: app.recent.recent(5, **named).pages,
        "notes": lambda: app.caller.topic_reader.list(NOTE),
        "note": lambda: app.caller.topic_reader.read(NOTE, "axolotl"),
        "profile": lambda: app.caller.profile.show().text,
        "log": lambda: app.caller.log.read(5),
        "tasks": lambda: app.caller.task_snapshots.snapshot().tasks,
        "task": lambda: app.caller.tasks.find_active(app.caller.tasks.active()[0].code),
        "prompt": lambda: app.caller.prompt.build(request="continue").text,
    }


def test_a_caller_who_is_called_as_the_folder_of_another_reads_nothing_there(memory):
    victim = memory.open(caller="telegram:123")
    remember(victim)
    thief = memory.open(caller=victim.caller.folder.scope.project)
    assert thief.caller.folder.root == victim.caller.folder.root
    roads = reads(thief)
    assert roads.pop("query")() == ()  # which answers about the project all the same
    for road, read in roads.items():
        with pytest.raises(Conflict, match="holds the memory of caller 'telegram:123'"):
            print(road, read())
    assert thief.caller.digest() == ""
    for read in reads(victim).values():
        assert read()
    assert "axolotl" in victim.caller.digest()


def test_a_folder_that_does_not_say_whose_it_is_is_refused(memory):
    remember(memory.app)
    file = memory.app.caller.folder.root / IDENTITY
    for text in ("{}", "[]", "x", "[" * 100_000):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(Conflict, match="does not say whose"):
            check_owner(memory.wiki, "default")
    file.unlink()
    check_owner(memory.wiki, "default")
