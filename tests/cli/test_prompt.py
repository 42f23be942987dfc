"""The command `prompt`."""

from __future__ import annotations

from memory_mcp.callers.prompt.rules import RULES
from tests.callers.prompt.files import PROFILE, task


def put(wiki, path, text, caller="default"):
    file = wiki / "_callers" / caller / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_it_prints_what_a_session_starts_with(memory, wiki):
    put(wiki, "memory/USER.md", PROFILE)
    done = memory("prompt")
    assert done.code == 0
    assert done.out.startswith(RULES)
    assert "Ana; prefers short answers." in done.out


def test_an_identity_comes_first_and_a_vague_request_brings_candidates(memory, wiki, place):
    put(wiki, *task("e9c4", "Ship the importer"))
    (place / "bo.md").write_text("You are Bo.\n", encoding="utf-8")
    done = memory("prompt", "--identity", str(place / "bo.md"), "--request", "continue the importer")
    assert done.out.startswith("You are Bo.\n\n---\n\n")
    assert "## Recall-on-Ambiguity" in done.out


def test_json_has_text_and_stamp(memory):
    printed = memory("prompt", "--json").json
    assert set(printed) == {"version", "text"}
    assert len(printed["version"]) == 16


def test_it_is_that_of_the_caller_who_is_named(memory, wiki):
    put(wiki, "memory/USER.md", PROFILE, caller="ana")
    assert "Ana; prefers" in memory("prompt", "--caller", "ana").out
    assert "Ana; prefers" not in memory("prompt").out


def test_an_identity_that_cannot_be_read_is_one_sentence(memory, place, unchanged):
    memory("prompt")
    unchanged()
    (place / "bad.md").write_bytes(b"\xff")
    for name, reason in (("none.md", "cannot read"), ("bad.md", "not UTF-8")):
        done = memory("prompt", "--identity", str(place / name))
        assert done.code == 1
        assert reason in done.err
        assert len(done.err.splitlines()) == 1


def test_rules_of_the_person_are_taken_from_the_configuration(memory, place):
    (place / "data").mkdir()
    (place / "data" / "config.toml").write_text('[prompt]\nrules = "rules.md"\n', encoding="utf-8")
    assert "does not exist" in memory("prompt").err
    (place / "data" / "rules.md").write_text("Be brief.", encoding="utf-8")
    assert memory("prompt").out.startswith("Be brief.\n\n---\n\n## Current memory")
