"""The text that a session starts with."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from memory_mcp.app import App
from memory_mcp.callers.prompt.rules import MAX_RULES_CHARS, RULES
from memory_mcp.callers.prompt.session_prompt import PROMPT_CHARS, SEPARATOR
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.config import Settings
from memory_mcp.errors import Conflict, InvalidInput
from tests.callers.prompt.files import NOW, PROFILE, index, note, put, task
from tests.memory import CODEX

NOTE_COUNT = 60


@pytest.fixture
def full(memory):
    """A store in which everything is as long as it can be."""
    slugs = [f"n{number:03}" for number in range(NOTE_COUNT)]
    entries = [f"- [{slug}](notes/{slug}.md): {'h' * 150}" for slug in slugs]
    put(memory, "memory/MEMORY.md", index("MEMORY.md", *entries, "odd", "odder"))
    for number, slug in list(enumerate(slugs))[10:]:
        put(memory, f"memory/notes/{slug}.md", note(slug, days_old=200 - number))
    for number in range(10):
        file = put(memory, f"memory/notes/{number}{'orphan' * 15}.md", "no heading")
        os.utime(file, (NOW.timestamp(), NOW.timestamp()))
    skills = [f"- [s{number}](s{number}.md): {'h' * 150}" for number in range(60)]
    put(memory, "skills/SKILLS.md", index("SKILLS.md", *skills))
    put(memory, "memory/USER.md", PROFILE + "fact of a line\n" * 250)
    for number in range(30):
        put(memory, *task(f"e9{number:02}", f"{number} " + "t" * 200, due="2026-01-01", note="n" * 200))
    return memory


def open_with_rules(memory, rules):
    app = App(
        Settings(
            data_dir=memory.data,
            start_folder=memory.project,
            home=memory.root,
            prompt_rules=rules,
            vectors_enabled=False,
        ),
        clock=memory.tick,
    )
    memory.opened.append(app)
    return app


def test_the_parts_come_in_their_order_with_a_rule_between(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, *task("e9c4", "Ship it"))
    put(memory, "memory/notes/a.md", note(days_old=90))
    built = memory.app.caller.prompt.build(" You are Bo.\n", " ## Now\n\nIt rains.\n\n")
    parts = built.text.split(SEPARATOR)
    assert parts[0] == "You are Bo."
    assert parts[1] == RULES
    heads = [part.splitlines()[0] for part in parts[2:]]
    assert heads == ["## Current memory", "## Active tasks", "## Memory maintenance", "## Now"]
    assert "[e9c4] today: Ship it" in parts[3]
    assert parts[5] == "## Now\n\nIt rains."
    assert built.version == memory.app.caller.prompt.version()


def test_blank_parts_and_a_clean_memory_leave_nothing_behind(memory):
    put(memory, "memory/USER.md", PROFILE)
    parts = memory.app.caller.prompt.build(" \n", "").text.split(SEPARATOR)
    assert [part.splitlines()[0] for part in parts] == [
        "## Memory rules",
        "## Current memory",
        "## Active tasks",
    ]
    assert parts[2] == "## Active tasks\n- None."


def test_of_a_caller_without_files_the_empty_forms_are_shown_and_nothing_is_made(memory):
    text = memory.app.caller.prompt.build().text
    assert text.count("_No durable facts recorded yet._") == 5
    assert text.count("_No entries yet._") == 2
    assert not (memory.wiki / "_callers").exists()
    assert not (memory.wiki / ".git").exists()


def test_everything_at_its_longest_stays_within_what_clients_take(full):
    text = full.app.caller.prompt.build().text
    assert PROMPT_CHARS - 400 < len(text) <= PROMPT_CHARS
    assert text.count("fact of a line") == 250
    assert "n059" in text
    assert "more active task(s)" in text
    assert "## Memory maintenance" in text
    asked = full.app.caller.prompt.answer(request="continue")
    assert len(asked) <= 9_900
    assert "## Recall-on-Ambiguity" in asked
    assert asked.count("fact of a line") == 250


def test_long_rules_of_the_person_shorten_the_memory_but_not_the_profile(full):
    rules = full.root / "rules.md"
    rules.write_text("R" * MAX_RULES_CHARS, encoding="utf-8")
    app = open_with_rules(full, rules)
    for request in ("", "continue"):
        answer = app.caller.prompt.answer(request=request)
        assert len(answer) <= 9_900
        assert "R" * MAX_RULES_CHARS in answer
        assert "grep memory/notes/]" in answer
        assert ("1. note" in answer) is bool(request)
        assert "5. note" not in answer
        assert answer.count("fact of a line") == 250


def test_rules_that_cannot_be_used_are_one_sentence_and_the_stamp_is_given_all_the_same(memory):
    inside = put(memory, "memory/notes/rules.md", "Obey.")
    app = open_with_rules(memory, inside)
    with pytest.raises(InvalidInput, match="lies in the wiki"):
        app.caller.prompt.build()
    assert len(app.caller.prompt.version()) == 16


def test_the_same_stamp_is_answered_without_the_memory(memory):
    put(memory, "memory/USER.md", PROFILE)
    prompt = memory.app.caller.prompt
    first = prompt.answer()
    version = first.splitlines()[0].removeprefix("version: ")
    assert first == f"version: {version}\n\n{prompt.build().text}"
    again = prompt.answer(version)
    assert again.splitlines()[0] == f"version: {version}"
    assert "unchanged" in again
    assert len(again) < 200
    put(memory, "memory/USER.md", PROFILE + "\nMore.\n")
    assert "More." in prompt.answer(version)


def test_a_stamp_does_not_keep_a_vague_request_from_its_candidates(memory):
    put(memory, *task("e9c4", "Ship the importer"))
    prompt = memory.app.caller.prompt
    assert "Ship the importer" in prompt.answer(prompt.version(), "continue with the importer")


def test_every_write_of_what_the_prompt_carries_changes_the_stamp(memory):
    app, seen = memory.app, [memory.app.caller.prompt.version()]

    def changed():
        seen.append(app.caller.prompt.version())
        return seen[-1] != seen[-2]

    app.caller.topic_writer.write(NOTE, "Deploys", "Blue and green.", CODEX, hook="How we deploy")
    assert changed()
    app.caller.topic_writer.write(SKILL, "Deploy", "Push.", CODEX)
    assert changed()
    app.caller.profile.write("Ana.", CODEX)
    assert changed()
    added = app.caller.task_writer.add("Ship it", "today", CODEX)
    assert changed()
    app.caller.task_writer.complete(added.task.code, CODEX)
    assert changed()
    app.caller.log.append("decision_made", "Use WAL", CODEX)
    assert not changed()


def test_the_memory_of_a_caller_of_another_name_is_refused(memory):
    put(memory, "_meta/caller.json", '{"v": 1, "caller": "bo"}\n')
    with pytest.raises(Conflict, match="'bo'"):
        memory.app.caller.prompt.build()


def test_another_caller_is_told_nothing_of_the_first(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/notes/a.md", note("Secret plan"))
    put(memory, *task("e9c4", "Secret task"))
    other = memory.open(caller="bo")
    text = other.caller.prompt.build(request="continue the secret plan").text
    assert "Ana" not in text
    assert "Secret" not in text
    assert "Ana" in memory.app.caller.prompt.build().text


def test_it_is_built_without_anything_heavy(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/notes/a.md", note())
    put(memory, *task("e9c4", "Ship it"))
    code = f"""
import sys
from pathlib import Path
from memory_mcp.host import Host
host = Host({str(memory.data)!r})
assert "Ship it" in host.build_system_prompt("I am Bo.").text
heavy = ("whoosh", "git", "yaml", "portalocker", "mcp", "pydantic", "memory_mcp.search", "memory_mcp.pages")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"
