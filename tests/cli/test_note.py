"""`note` and `skill`: the same commands over two folders."""

import json

import pytest

from memory_mcp.callers.topics.topic_kind import NOTE, SKILL

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def root(wiki):
    return wiki / "_callers" / "default"


@pytest.mark.parametrize("kind", [NOTE, SKILL], ids=["note", "skill"])
def test_a_topic_is_written_listed_and_read(memory, root, kind):
    done = memory(kind.name, "write", "Use tabs!", "--hook", "when editing", stdin=b"Tabs.\n")
    path = kind.path("use-tabs")
    assert done.out == f"created {path}\n{root / path}\n"
    listed = memory(kind.name, "list").out.splitlines()
    assert [line.split() for line in listed] == [
        ["slug", "updated", "hook"],
        ["use-tabs", (root / path).read_text(encoding="utf-8").split("created: ")[1][:10], "when", "editing"],
    ]
    assert memory(kind.name, "read", "use tabs").out == (root / path).read_text(encoding="utf-8")


def test_a_text_comes_from_a_file_too(memory, place, root):
    (place / "text.md").write_text("From a file.\n", encoding="utf-8")
    memory("note", "write", "A", "--file", str(place / "text.md"))
    assert "From a file." in (root / "memory/notes/a.md").read_text(encoding="utf-8")


def test_rotating_keeps_the_former_text(memory):
    memory("note", "write", "A", stdin=b"v1")
    memory("note", "write", "A", "--rotate", stdin=b"v2")
    shown = memory("note", "read", "a", "--json").json
    assert shown["current"] == "v2"
    assert "v1" in memory("note", "read", "a").out


def test_json_says_what_became_of_a_write(memory, root):
    memory("note", "write", "C++", stdin=b"x")
    done = memory("note", "write", "C#", "--json", stdin=f"x {SECRET}".encode()).json
    commit = done.pop("commit")
    assert len(commit) == 40
    assert done == {
        "path": "memory/notes/c-951a.md",
        "file": str(root / "memory/notes/c-951a.md"),
        "outcome": "created",
        "redacted": True,
        "warnings": ["memory/notes/c.md is about 'C++', so 'C#' has its own file, memory/notes/c-951a.md."],
    }


def test_warnings_go_to_stderr(memory):
    memory("note", "write", "C++", stdin=b"x")
    done = memory("note", "write", "C#", stdin=f"x {SECRET}".encode())
    assert done.err == (
        "note: memory/notes/c.md is about 'C++', so 'C#' has its own file, memory/notes/c-951a.md.\n"
        "note: something that looked like a secret was replaced by [REDACTED].\n"
    )


def test_topics_are_kept_in_order_by_slug_or_topic(memory, root):
    memory("note", "write", "Use tabs", stdin=b"x")
    assert memory("note", "touch", "use-tabs").code == 0
    assert memory("note", "permanent", "Use tabs").out == "permanent: memory/notes/use-tabs.md\n"
    assert memory("note", "permanent", "Use tabs").out == "permanent: memory/notes/use-tabs.md (no change)\n"
    done = memory("note", "archive", "Use tabs", "--json").json
    assert (done["path"], done["changed"], done["warnings"]) == ("memory/notes/use-tabs.md", True, [])
    assert memory("note", "list").out == "No notes.\n"
    [archived] = memory("note", "list", "--archived", "--json").json["notes"]
    assert (archived["slug"], archived["archived"], archived["permanent"]) == ("use-tabs", True, True)


def test_a_missing_file_is_pruned_by_its_slug(memory, root):
    memory("skill", "write", "Deploy", stdin=b"x")
    (root / "skills/deploy.md").unlink()
    assert memory("skill", "prune", "deploy").out == "prune: skills/deploy.md\n"
    refused = memory("skill", "prune", "deploy")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("error: path = 'skills/deploy.md' is no entry of skills/SKILLS.md")


def test_pruning_goes_by_the_slug_though_another_topic_is_called_so(memory, root):
    memory("note", "write", "C++", stdin=b"x")
    memory("note", "write", "C", stdin=b"x")
    (root / "memory/notes/c.md").unlink()
    assert memory("note", "prune", "c").out == "prune: memory/notes/c.md\n"


def test_a_file_that_cannot_be_read_is_told(memory, root):
    memory("note", "write", "A", stdin=b"x")
    (root / "memory/notes/b.md").write_bytes(b"\xff")
    assert "note: memory/notes/b.md is not UTF-8 text" in memory("note", "list").err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("note", "write", "!!!"), "topic = '!!!' has no ASCII letter"),
        (("skill", "write", "con"), "name = 'con' gives the reserved"),
        (("note", "read", "nothing"), "there is no note 'nothing'"),
        (("note", "archive", "nothing"), "memory/notes/nothing.md' does not exist"),
        (("note", "import", "nowhere"), "does not exist"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(memory, unchanged, args, says):
    memory("note", "write", "A", stdin=b"x")
    unchanged()
    done = memory(*args, stdin=b"x")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_the_notes_of_a_caller_are_chosen_by_name(memory, wiki):
    memory("note", "write", "A", "--caller", "ana", stdin=b"x")
    assert (wiki / "_callers/ana/memory/notes/a.md").is_file()
    assert memory("note", "list").out == "No notes.\n"


def test_another_memory_is_imported(memory, place):
    line = {"type": "entity", "name": "Ana", "entityType": "person", "observations": [f"token {SECRET}"]}
    source = place / "memory.jsonl"
    source.write_text(json.dumps(line) + "\nnot json\n", encoding="utf-8")
    dry = memory("note", "import", str(source), "--dry-run").out
    assert dry.endswith("would import 1 notes; 0 there already, 1 skipped\n")
    assert memory("note", "list").out == "No notes.\n"
    done = memory("note", "import", str(source)).out
    assert done.startswith("skipped memory.jsonl:2: it is neither")
    assert "secret? memory.jsonl:1: looks like a secret" in done
    assert SECRET not in done
    again = memory("note", "import", str(source), "--json").json
    assert again["unchanged"] == ["memory/notes/ana.md"]
    assert set(again) == {"dry_run", "imported", "unchanged", "skipped", "secrets"}
