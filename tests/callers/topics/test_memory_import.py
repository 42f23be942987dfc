"""Taking in another memory: every topic a note, one commit, nothing altered at the source."""

import json

import pytest

from memory_mcp.errors import Conflict
from tests.memory import CODEX

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def take(memory):
    return lambda source, **how: memory.app.caller.memory_importer.import_path(source, CODEX, **how)


@pytest.fixture
def claude(tmp_path):
    folder = tmp_path / "-home-ana-importer" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(b"- [Use tabs](tabs.md) \xe2\x80\x94 prefers tabs\n\nRun make lint.\n")
    (folder / "tabs.md").write_bytes(b"---\ntype: feedback\n---\nUse tabs.\n\n## Archive\n\nx\n")
    return folder


def graph(tmp_path, *objects):
    file = tmp_path / "memory.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in objects), encoding="utf-8")
    return file


def entity(name, *observations, kind="thing"):
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations)}


def relation(start, kind, end):
    return {"type": "relation", "from": start, "to": end, "relationType": kind}


def test_a_memory_folder_becomes_notes_in_one_commit(take, claude, topics, memory):
    before = {file: file.read_bytes() for file in claude.iterdir()}
    report = take(claude)
    assert report.imported == (
        "memory/notes/claude-code-memory-home-ana-importer.md",
        "memory/notes/use-tabs.md",
    )
    assert (report.unchanged, report.skipped, report.secrets) == ((), (), ())
    assert topics.entries()[1] == "- [use-tabs](notes/use-tabs.md): prefers tabs"
    text = topics.text("memory/notes/use-tabs.md")
    assert "\ntags:\n  - feedback\n---\n" in text
    assert topics.body("memory/notes/use-tabs.md") == (
        "# Use tabs\n\n## Actuel\n\nUse tabs.\n\n### Archive\n\nx\n"
    )
    assert memory.operations()[-1] == "memory-import"
    assert len(memory.git("show", "--format=", "--name-only").splitlines()) == 7
    assert {file: file.read_bytes() for file in claude.iterdir()} == before


def test_the_same_again_is_unchanged(take, claude, memory):
    first = take(claude)
    before = memory.state()
    again = take(claude)
    assert (again.imported, again.unchanged) == ((), first.imported)
    assert memory.state() == before


def test_a_graph_becomes_notes_that_link_to_each_other(take, topics, tmp_path):
    source = graph(
        tmp_path,
        entity("Ana", "Prefers tabs", kind="person"),
        entity("C++", "fast"),
        entity("C#", "managed"),
        entity("R [core]", "statistics"),
        relation("Ana", "likes", "C#"),
        relation("Ana", "uses", "R [core]"),
        relation("Ana", "knows", "nobody"),
    )
    report = take(source)
    assert [path.removeprefix("memory/notes/") for path in report.imported] == [
        "ana.md",
        "c.md",
        "c-951a.md",
        "r-core.md",
    ]
    assert topics.body("memory/notes/ana.md") == (
        "# Ana\n\n## Actuel\n\n- Prefers tabs\n\n- likes [C#](c-951a.md)\n- uses [R \\[core\\]](r-core.md)\n"
        "- knows nobody\n"
    )
    assert "- [ana](notes/ana.md): person: Prefers tabs" in topics.entries()
    assert take(source).unchanged == report.imported


def test_a_note_that_exists_is_kept_and_listed(take, topics, tmp_path):
    topics.write("Ana", "Mine.")
    report = take(graph(tmp_path, entity("Ana", "Other"), entity("Bo", "New")))
    assert report.imported == ("memory/notes/bo.md",)
    assert report.skipped == (
        ("memory.jsonl:1", "memory/notes/ana.md says something else already, and was kept."),
    )
    assert "Mine." in topics.text("memory/notes/ana.md")


def test_what_cannot_be_a_note_is_skipped_with_the_reason(take, topics, tmp_path):
    report = take(
        graph(
            tmp_path,
            entity("日本語", "x"),
            entity("con", "x"),
            entity("Empty"),
            entity("Long", "x" * 100_001),
            entity("Nul", "a\0b"),
            entity("Ana", "x"),
            entity("ANA!", "y"),
            entity(f"key {SECRET}", "x"),
        )
    )
    assert report.imported == ("memory/notes/ana.md",)
    reasons = dict(report.skipped)
    assert len(reasons) == 7
    assert "has no ASCII letter or digit" in reasons["memory.jsonl:1"]
    assert "reserved file name" in reasons["memory.jsonl:2"]
    assert reasons["memory.jsonl:3"] == "it says nothing."
    assert "more than 100,000 bytes" in reasons["memory.jsonl:4"]
    assert "NUL" in reasons["memory.jsonl:5"]
    assert reasons["memory.jsonl:7"] == "it has the topic of another one, memory/notes/ana.md."
    assert "looks like it holds a secret" in reasons["memory.jsonl:8"]
    assert SECRET not in repr(report)


def test_secrets_are_told_by_line_and_never_printed(take, topics, tmp_path):
    report = take(graph(tmp_path, entity("Ana", "x"), entity("Bo", f"token {SECRET}")))
    [(name, line, _)] = report.secrets
    assert (name, line) == ("memory.jsonl", 2)
    assert SECRET not in repr(report)
    assert SECRET in topics.text("memory/notes/bo.md")  # what a person imports is theirs


def test_a_dry_run_tells_the_same_and_changes_nothing(take, claude, memory):
    report = take(claude, dry_run=True)
    assert not (memory.wiki / "_callers").exists()
    assert take(claude) == report


def test_the_folder_of_another_caller_is_not_looked_at(take, claude, topics):
    topics.write()
    topics.put("_meta/caller.json", '{"v": 1, "caller": "somebody else"}\n')
    for dry_run in (True, False):
        with pytest.raises(Conflict, match="somebody else"):
            take(claude, dry_run=dry_run)


def test_one_unreadable_file_does_not_stop_the_others(take, claude):
    (claude / "bad.md").write_bytes(b"\xff")
    (claude / "merge.md").write_bytes(b"x\n<<<<<<< a\n=======\n>>>>>>> b\n")
    report = take(claude)
    assert len(report.imported) == 2
    assert report.skipped == (
        ("bad.md", "it is not UTF-8 (byte 0): convert it first."),
        ("merge.md", "its text has merge conflict markers at line 2: resolve them first."),
    )


@pytest.mark.parametrize(
    "make", ["nothing", "empty folder", "empty file", "binary file", "a text", "the wiki itself"]
)
def test_what_holds_no_memory_is_refused(take, topics, memory, tmp_path, make):
    topics.write()
    source = tmp_path / "source"
    if make == "empty folder":
        source.mkdir()
    elif make == "empty file":
        source.write_bytes(b"\n")
    elif make == "binary file":
        source.write_bytes(b"\xff\xfe")
    elif make == "a text":
        source.write_bytes(b"root:x:0:0\nbin:x:1:1\n")
    elif make == "the wiki itself":
        source = topics.root / "memory"
    assert memory.refusal(lambda: take(source)).startswith(f"PATH = {str(source)!r} ")
