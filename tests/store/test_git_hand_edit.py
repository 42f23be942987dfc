from __future__ import annotations

import os
from datetime import datetime, timezone

from memory_mcp.store.git_hand_edit import commit_hand_edits

NOW = datetime(2026, 11, 30, tzinfo=timezone.utc)


def test_a_hand_edit_gets_a_commit_of_its_own_in_the_persons_name(person, tool):
    person.put("a.md", "by hand\n")
    person.put("b.md", "not asked for\n")
    assert commit_hand_edits(tool.repo, ["a.md"], NOW) == ["a.md"]
    assert person.git("log", "-1", "--format=%an <%ae> %s") == "Ana Pérez <ana@example.org> edit: a.md"
    assert tool.repo.log(["a.md"], 1)[0].operation == "hand-edit"
    assert person.status() == " M b.md"


def test_a_file_made_or_removed_by_hand_is_an_edit_too(person, tool):
    person.put("new.md", "n\n")
    (person.root / "b.md").unlink()
    assert commit_hand_edits(tool.repo, ["new.md", "b.md", "a.md"], NOW) == ["new.md", "b.md"]
    assert person.status() == ""


def test_nothing_edited_makes_no_commit(person, tool):
    before = person.git("rev-parse", "HEAD")
    assert commit_hand_edits(tool.repo, ["a.md", "never.md"], NOW) == []
    assert person.git("rev-parse", "HEAD") == before


def test_an_edit_that_the_person_has_staged_in_part_stays_staged(person, tool):
    person.put("a.md", "staged\n")
    person.git("add", "a.md")
    person.put("a.md", "staged and more\n")
    commit_hand_edits(tool.repo, ["a.md"], NOW)
    assert person.git("show", "HEAD:a.md") == "staged and more"
    assert person.git("show", ":a.md") == "staged"


def test_the_target_of_a_symbolic_link_is_never_read_into_a_commit(person, tool, tmp_path):
    (tmp_path / "secret").write_text("secret\n", encoding="utf-8")
    (person.root / "a.md").unlink()
    os.symlink(tmp_path / "secret", person.root / "a.md")
    assert commit_hand_edits(tool.repo, ["a.md"], NOW) == []


def test_a_person_without_an_identity_is_called_by_their_login(person, tool, monkeypatch):
    person.config.write_text("[user]\n\tuseConfigOnly = true\n", encoding="utf-8")
    monkeypatch.setenv("LOGNAME", "ana")
    person.put("a.md", "by hand\n")
    commit_hand_edits(tool.repo, ["a.md"], NOW)
    assert person.git("log", "-1", "--format=%an <%ae>") == "ana <ana@memory-mcp.invalid>"


def test_an_identity_of_this_repository_alone_is_used(person, tool):
    person.git("config", "user.name", "Team <Wiki>\tBot")
    person.put("a.md", "by hand\n")
    commit_hand_edits(tool.repo, ["a.md"], NOW)
    assert person.git("log", "-1", "--format=%an <%ae>") == "Team Wiki Bot <ana@example.org>"
