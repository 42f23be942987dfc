"""Which scopes a query reaches."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from memory_mcp.callers.topics.topic_kind import NOTE
from tests.memory import CODEX, Memory

DOC = "# Page\n\nA walrus sleeps.\n"


@pytest.fixture
def full(memory: Memory) -> Memory:
    memory.write("notes/here.md", DOC)
    memory.write("notes/there.md", DOC, workspace="acme", project="other")
    memory.write("notes/far.md", DOC, workspace="elsewhere", project="third")
    memory.write("_rules/everywhere.md", DOC, workspace="default", project="_global")
    return memory


def reached(memory: Memory, **how: object) -> tuple[set[str], set[str]]:
    result = memory.app.query.query("walrus", **how)
    return {str(hit.scope) for hit in result.hits}, {str(each.scope) for each in result.joined if each.hits}


def test_without_a_scope_the_projects_pages_and_the_standing_preferences_answer(full: Memory) -> None:
    assert reached(full) == ({"acme/importer"}, {"default/_global"})
    result = full.app.query.query("walrus")
    assert result.resolved is not None
    assert (str(result.resolved.scope), result.resolved.source) == ("acme/importer", "marker")


def test_a_named_scope_is_asked_alone(full: Memory) -> None:
    assert reached(full, workspace="acme", project="other") == ({"acme/other"}, set())
    assert reached(full, project="other") == ({"acme/other"}, set())
    assert reached(full, scopes=["acme/other", "elsewhere/third"]) == (
        {"acme/other", "elsewhere/third"},
        set(),
    )


def test_standing_preferences_are_not_joined_to_themselves(full: Memory) -> None:
    full.mark('workspace = "default"\nproject = "_global"\n')
    assert reached(full, project="_global") == ({"default/_global"}, set())


def test_everywhere_reaches_every_scope_once(full: Memory) -> None:
    everything = {"acme/importer", "acme/other", "elsewhere/third", "default/_global"}
    assert reached(full, everywhere=True) == (everything, set())
    full.mark('workspace = "acme"\nproject = "importer"\n[recall]\ndefault_global = true\n')
    assert reached(full) == (everything, set())
    assert reached(full, workspace="acme", project="importer") == ({"acme/importer"}, set())


@pytest.mark.parametrize(
    "how",
    [
        {"everywhere": True, "project": "importer"},
        {"everywhere": True, "scopes": ["acme/importer"]},
        {"scopes": ["acme/importer"], "workspace": "acme", "project": "importer"},
        {"scopes": ["acme/importer"], "project": "importer"},
    ],
)
def test_ways_to_choose_the_scope_exclude_each_other(full: Memory, how: dict[str, object]) -> None:
    assert "exclude each other" in full.refusal(lambda: full.app.query.query("walrus", **how))


def test_a_blank_query_and_an_unknown_scope_are_refused(full: Memory) -> None:
    query = full.app.query.query
    assert "query is blank" in full.refusal(lambda: query(" \n"))
    assert "without project" in full.refusal(lambda: query("x", workspace="acme"))
    assert "nearest" in full.refusal(lambda: query("x", scopes=["acme/importr"]))
    assert "'workspace/project'" in full.refusal(lambda: query("x", scopes=["acme"]))


def test_expired_pages_are_hidden_unless_asked_for(full: Memory) -> None:
    full.put("notes/old.md", "---\nexpires_at: 2020-01-01\npinned: true\n---\n# Old\n\nAn okapi.\n")
    assert full.found("okapi", pin_first=True) == []
    [hit] = full.app.query.query("okapi", include_expired=True).hits
    assert (hit.path, hit.expired) == ("notes/old.md", True)


def test_a_page_expires_at_the_end_of_its_day(full: Memory) -> None:
    full.put("notes/today.md", f"---\nexpires_at: {full.now:%Y-%m-%d}\n---\n# T\n\nAn okapi.\n")
    assert full.found("okapi") == ["notes/today.md"]
    full.now = full.now.replace(hour=23, minute=59, second=59)
    full.tick()
    assert full.found("okapi") == []


def test_pinned_pages_come_first_within_one_scope(full: Memory) -> None:
    full.put("notes/pin.md", "---\npinned: true\n---\n# Pin\n\nNothing of it.\n")
    assert full.found("walrus", pin_first=True)[0] == "notes/pin.md"
    assert "notes/pin.md" not in full.found("walrus", pin_first=True, everywhere=True)


def test_added_stop_words_do_not_decide_what_is_found(memory: Memory) -> None:
    memory.put("notes/a.md", "# A\n\nNous avons le walrus.\n")
    memory.put("notes/b.md", "# B\n\nNous avons tout.\n")
    assert set(memory.found("Où avons nous le walrus")) == {"notes/a.md", "notes/b.md"}
    app = memory.open(search_stop_words=("nous", "AVONS", "le"))
    assert [hit.path for hit in app.query.query("Où avons nous le walrus").hits] == ["notes/a.md"]


def test_the_pages_that_answer_are_noted_as_read(full: Memory) -> None:
    full.found("walrus")
    assert full.accessed() == ["acme/importer/notes/here.md", "default/_global/_rules/everywhere.md"]
    full.found("walrus", scopes=["acme/other", "elsewhere/third"])
    assert sorted(full.accessed()) == ["acme/other/notes/there.md", "elsewhere/third/notes/far.md"]
    full.found("okapi")
    full.found("walrus", everywhere=True)
    full.refusal(lambda: full.found("walrus", scopes=["acme/none"]))
    assert full.accessed() == []


def test_a_page_that_is_there_only_because_it_is_pinned_is_not_noted(full: Memory) -> None:
    full.put("notes/pin.md", "---\npinned: true\n---\n# Pin\n\nNothing of it.\n")
    full.put("notes/pin2.md", "---\npinned: true\n---\n# Pin\n\nA walrus.\n")
    full.found("walrus", pin_first=True, project="importer")
    assert sorted(full.accessed()) == ["acme/importer/notes/here.md", "acme/importer/notes/pin2.md"]


def test_nothing_of_a_reader_is_noted_in_the_wiki(full: Memory) -> None:
    app = full.open(caller="telegram:ana")
    before = full.state()
    app.query.query("walrus")
    app.reader.read(path="notes/here.md")
    assert full.state() == before
    text = (full.data / "state" / "access.jsonl").read_text(encoding="utf-8")
    assert "here.md" in text
    assert "telegram" not in text


def capture(memory: Memory, scope: str, text: str) -> None:
    """Let a session of a scope hold an observation that says this."""
    sessions = memory.data / "raw" / scope / "sessions"
    sessions.mkdir(parents=True, exist_ok=True)
    observation = {"v": 1, "type": "observation", "id": scope, "at": "2026-11-30T11:20:09.120Z", "body": text}
    (sessions / "s.jsonl").write_text(json.dumps(observation) + "\n", encoding="utf-8")


def captured(memory: Memory, text: str, **how: object) -> list[str]:
    return [hit.id for hit in memory.app.query.query(text, **how).raw_hits]


def test_what_sessions_captured_answers_when_no_page_of_the_scope_does(full: Memory) -> None:
    for scope in ("acme/importer", "acme/other"):
        capture(full, scope, "An okapi and a walrus.")
    assert captured(full, "okapi") == ["acme/importer"]
    assert captured(full, "okapi", project="other") == ["acme/other"]
    assert len(captured(full, "okapi", scopes=["acme/importer", "acme/other"], limit=1)) == 1
    assert captured(full, "walrus") == []
    assert captured(full, "okapi", everywhere=True) == []
    full.accessed()
    captured(full, "okapi")
    assert full.accessed() == []


def test_only_an_answer_without_hits_says_what_else_to_try(full: Memory) -> None:
    full.write("notes/okapi.md", "# Okapi\n\nAn okapi.\n", workspace="acme", project="other")
    assert full.app.query.query("walrus").zero_hits is None
    zero = full.app.query.query("okapi").zero_hits
    assert zero is not None
    assert [(str(scope), count) for scope, count in zero.elsewhere] == [("acme/other", 1)]
    nowhere = full.app.query.query("zebra", everywhere=True).zero_hits
    assert nowhere is not None
    assert nowhere.elsewhere == ()


def test_standing_preferences_that_were_asked_are_not_named_again(full: Memory) -> None:
    full.write("_rules/okapi.md", "# Okapi\n", workspace="default", project="_global")
    joined = full.app.query.query("okapi")
    named = full.app.query.query("okapi", project="importer")
    assert [hit.path for each in joined.joined for hit in each.hits] == ["_rules/okapi.md"]
    assert (joined.zero_hits.elsewhere, len(named.zero_hits.elsewhere)) == ((), 1)


def test_a_page_without_a_date_counts_in_the_days_when_it_was_written(memory):
    memory.write("notes/a.md", "# Cache\n\nWe dropped the walrus cache.\n")
    memory.now += timedelta(days=40)
    memory.write("notes/b.md", "# Parser\n\nWe split the walrus parser.\n")
    memory.now += timedelta(days=1)
    assert memory.found("what did we do yesterday?") == ["notes/b.md"]
    assert memory.found("which decisions did we write yesterday?") == ["notes/b.md"]
    assert memory.found("zebra yesterday") == []
    assert memory.found("walrus yesterday") == ["notes/b.md", "notes/a.md"]
    memory.now -= timedelta(days=40)
    assert memory.found("what did we do yesterday?") == ["notes/a.md"]
    assert memory.found("walrus yesterday") == ["notes/a.md", "notes/b.md"]


def test_what_is_known_about_the_caller_joins_a_query_that_names_no_scope(full: Memory) -> None:
    full.app.caller.topic_writer.write(NOTE, "Okapi", "Ana feeds the okapi.", CODEX)
    [joined] = [each for each in full.app.query.query("okapi").joined if each.hits]
    assert (joined.name, str(joined.scope)) == ("caller", "_callers/default")
    assert [(hit.path, hit.snippet) for hit in joined.hits] == [
        ("memory/notes/okapi.md", "Ana feeds the okapi.")
    ]
    assert full.app.query.query("okapi", project="importer").joined == ()
    assert full.accessed()[-1] == "_callers/default/memory/notes/okapi.md"


def test_words_of_the_form_of_a_profile_find_nothing(full: Memory) -> None:
    full.app.caller.topic_writer.write(NOTE, "Okapi", "Feed it.", CODEX)
    full.app.caller.topic_writer.write(NOTE, "Okapi", "Feed it twice.", CODEX, mode="rotate_actuel")
    for query in ("environment", "open questions", "archive", "actuel", "durable facts"):
        assert not [hit for each in full.app.query.query(query).joined for hit in each.hits], query
