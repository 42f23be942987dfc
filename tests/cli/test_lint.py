"""The command `lint`."""

from __future__ import annotations

import json

from tests.callers.prompt.files import PROFILE, index, note


def put(wiki, path, text):
    file = wiki / "_callers" / "default" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_a_caller_without_files_gets_advice_and_no_error(memory, wiki):
    done = memory("lint")
    assert done.code == 0
    assert done.out.count("\n") == 1
    assert done.out.startswith("memory/USER.md: info: ")
    assert done.out.endswith(" [profile-empty]\n")
    assert not (wiki / "_callers").exists()


def test_a_clean_memory_has_nothing_to_mend(memory, wiki):
    put(wiki, "memory/USER.md", PROFILE)
    done = memory("lint")
    assert (done.code, done.out) == (0, "nothing to mend\n")


def test_findings_are_lines_and_end_the_command_with_one(memory, wiki, unchanged):
    put(wiki, "memory/USER.md", PROFILE)
    put(wiki, "memory/MEMORY.md", index("MEMORY.md", "odd", "- [gone](notes/gone.md): x"))
    put(wiki, "memory/notes/a.md", note())
    unchanged()
    done = memory("lint")
    assert done.code == 1
    lines = done.out.splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == ["[orphan]", "[malformed]", "[dangling]"]
    assert lines[1].startswith("memory/MEMORY.md:6: warning: ")


def test_json_holds_the_same(memory, wiki):
    put(wiki, "memory/USER.md", PROFILE)
    put(wiki, "memory/MEMORY.md", index("MEMORY.md", "odd"))
    done = memory("lint", "--json")
    assert done.code == 1
    [finding] = json.loads(done.out)["findings"]
    assert set(finding) == {"code", "severity", "path", "line", "message", "pages"}
    assert (finding["code"], finding["severity"], finding["line"]) == ("malformed", "warning", 6)
    assert memory("lint", "--json", "--caller", "ana").json["v"] == 1


def test_a_task_that_cannot_be_read_is_a_finding(memory, wiki):
    memory("task", "add", "Ship it")
    [file] = (wiki / "_callers" / "default" / "tasks").glob("*.md")
    file.write_bytes(b"\xff\n")
    done = memory("lint")
    assert done.code == 1
    assert "is not UTF-8 text: mend it by hand." in done.out
