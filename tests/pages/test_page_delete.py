"""Deleting pages: git keeps them, and nothing else goes."""

from __future__ import annotations

import pytest

from tests.memory import CODEX, Memory


def test_a_deleted_page_is_gone_from_files_and_answers_and_stays_in_git(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    memory.write("notes/b.md", "# B\n\nA walrus too.\n")
    deleted = memory.app.deleter.delete("notes/a.md", CODEX)
    assert deleted.deleted
    assert memory.found("walrus", limit=1) == ["notes/b.md"]
    assert not deleted.file.exists()
    assert memory.git("show", f"{deleted.commit}~1:acme/importer/notes/a.md").endswith("A walrus.")


def test_deleting_what_is_not_there_changes_nothing(memory: Memory) -> None:
    memory.write("notes/a.md")
    before = memory.state()
    deleted = memory.app.deleter.delete("notes/none.md", CODEX)
    assert (deleted.deleted, deleted.commit) == (False, None)
    assert memory.state() == before


def test_a_hand_edit_is_in_git_before_its_page_goes(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.put("notes/a.md", "# A\n\nBy hand.\n")
    memory.put("notes/new.md", "# New\n\nNever committed.\n")
    memory.app.deleter.delete("notes/a.md", CODEX)
    memory.app.deleter.delete("notes/new.md", CODEX)
    assert memory.app.history.restore("notes/a.md", "", CODEX).restored
    assert memory.app.history.restore("notes/new.md", "", CODEX).restored
    assert memory.bytes_of("notes/a.md") == b"# A\n\nBy hand.\n"
    assert memory.bytes_of("notes/new.md") == b"# New\n\nNever committed.\n"


def test_a_page_that_a_person_named_oddly_can_be_deleted_and_restored(memory: Memory) -> None:
    memory.put("notes/why?.md", "# Why\n")
    assert memory.app.deleter.delete("notes/why?.md", CODEX).deleted
    assert memory.app.history.restore("notes/why?.md", "", CODEX).restored
    assert memory.bytes_of("notes/why?.md") == b"# Why\n"


@pytest.mark.parametrize("path", ["log-2026-11.md", "../x.md", "notes", "_handoffs/x.md", "con.md", "a?.md"])
def test_what_is_no_page_is_not_deleted(memory: Memory, path: str) -> None:
    memory.write("notes/a.md")
    assert "path = " in memory.refusal(lambda: memory.app.deleter.delete(path, CODEX))


def test_deleting_in_an_unknown_scope_is_refused_and_makes_none(memory: Memory) -> None:
    memory.write("notes/a.md")
    where = {"workspace": "acme", "project": "none"}
    assert "no scope" in memory.refusal(lambda: memory.app.deleter.delete("notes/a.md", CODEX, **where))
