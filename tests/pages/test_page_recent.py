"""Which pages changed last."""

from __future__ import annotations

import os

from tests.memory import CODEX, Memory


def paths(memory: Memory, limit: int = 10) -> list[str]:
    return [page.path for page in memory.app.recent.recent(limit).pages]


def test_the_newest_change_comes_first_also_one_by_hand(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.write("notes/b.md")
    memory.write("notes/a.md", "# A\n\nAgain.\n")
    assert paths(memory) == ["notes/a.md", "notes/b.md"]
    assert paths(memory, 1) == ["notes/a.md"]
    file = memory.put("notes/b.md", "# B\n\nBy hand.\n")
    os.utime(file, (memory.now.timestamp() + 60, memory.now.timestamp() + 60))
    assert paths(memory) == ["notes/b.md", "notes/a.md"]


def test_an_entry_tells_scope_file_title_and_time(memory: Memory) -> None:
    memory.write("decisions/db.md", "# Database\n\nWe chose SQLite.\n")
    result = memory.app.recent.recent()
    [page] = result.pages
    assert str(page.scope) == str(result.resolved.scope) == "acme/importer"
    assert page.file == memory.scope / "decisions" / "db.md"
    assert (page.title, page.kind) == ("Database", "decision")
    assert "SQLite" in page.summary
    assert 0 <= (memory.now - page.updated).total_seconds() < 60


def test_expired_and_deleted_pages_and_logs_are_not_listed(memory: Memory) -> None:
    memory.write("notes/gone.md")
    memory.write("notes/kept.md")
    memory.put("notes/old.md", "---\nexpires_at: 2020-01-01\n---\n# Old\n")
    memory.app.deleter.delete("notes/gone.md", CODEX)
    assert paths(memory) == ["notes/kept.md"]


def test_a_marker_may_ask_every_project(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.write("notes/b.md", workspace="other", project="scope")
    memory.mark('workspace = "acme"\nproject = "importer"\n[recall]\ndefault_global = true\n')
    result = memory.app.recent.recent()
    assert result.resolved is None
    assert [str(page.scope) for page in result.pages] == ["other/scope", "acme/importer"]
    named = memory.app.recent.recent(workspace="acme", project="importer")
    assert [page.path for page in named.pages] == ["notes/a.md"]


def test_a_store_without_pages_and_a_wiki_without_git_answer(memory: Memory) -> None:
    assert paths(memory) == []
    memory.put("notes/a.md", "# A\n")
    assert paths(memory) == ["notes/a.md"]


def test_listed_pages_are_noted_as_read_unless_every_project_was_asked(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.write("notes/b.md")
    memory.app.recent.recent(1)
    assert memory.accessed() == ["acme/importer/notes/b.md"]
    memory.mark('workspace = "acme"\nproject = "importer"\n[recall]\ndefault_global = true\n')
    memory.app.recent.recent()
    assert memory.accessed() == []
