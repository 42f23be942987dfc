"""The history of pages: who did what, and any old version back."""

from __future__ import annotations

import pytest

from memory_mcp.errors import NotFound
from tests.memory import CLAUDE, CODEX, Memory


def test_checkpoints_tell_operation_actor_session_and_author(memory: Memory) -> None:
    memory.write("notes/a.md", actor=CODEX)
    memory.put("notes/a.md", "# A\n\nBy hand.\n")
    memory.write("notes/a.md", "# A\n\nMore.\n", CLAUDE)
    memory.write("x.md", workspace="other", project="scope")
    resolved, commits = memory.app.history.checkpoints()
    assert str(resolved.scope) == "acme/importer"
    assert [(each.operation, each.actor, each.session, each.author) for each in commits] == [
        ("write-page", "claude-code", CLAUDE.session, "claude-code"),
        ("hand-edit", "person", "", "Ana Pérez"),
        ("write-page", "codex", CODEX.session, "codex"),
    ]
    _, of_page = memory.app.history.checkpoints(1, path="notes/a.md")
    assert [each.commit for each in of_page] == [commits[0].commit]
    assert memory.app.history.checkpoints(path="notes/none.md")[1] == ()


def test_an_old_version_comes_back_byte_for_byte_and_that_can_be_undone(memory: Memory) -> None:
    old = b"---\r\ntitle: x # mine\r\n---\r\nOld walrus.\r\n"
    memory.put("notes/a.md", old)
    memory.app.changes.commit_hand_edits("acme/importer")
    source = memory.git("rev-parse", "HEAD")
    memory.write("notes/a.md", "# A\n\nNew okapi.\n")
    restored = memory.app.history.restore("notes/a.md", source[:10], CODEX)
    assert memory.bytes_of("notes/a.md") == old
    assert memory.found("walrus") == ["notes/a.md"]
    assert memory.logged()[-1] == "restore-page | notes/a.md"
    assert not memory.app.history.restore("notes/a.md", source, CODEX).restored
    before = memory.git("rev-parse", f"{restored.commit}~1")
    assert memory.app.history.restore("notes/a.md", before, CODEX).restored
    assert memory.found("okapi") == ["notes/a.md"]


def test_a_deleted_page_comes_back_from_the_last_commit_that_held_it(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nOne.\n")
    last = memory.write("notes/a.md", "# A\n\nTwo walruses.\n")
    memory.app.deleter.delete("notes/a.md", CODEX)
    restored = memory.app.history.restore("notes/a.md", "", CODEX)
    assert (restored.source, restored.version) == (last.commit, last.version)
    assert memory.found("walruses") == ["notes/a.md"]


@pytest.mark.parametrize("source", ["0" * 40, "deadbeef", "HEAD", "--all", "zzzz", "a", "HEAD~1:x"])
def test_an_unknown_commit_is_refused(memory: Memory, source: str) -> None:
    memory.write("notes/a.md")
    assert source in memory.refusal(lambda: memory.app.history.restore("notes/a.md", source, CODEX))


def test_restoring_what_no_commit_holds_is_refused(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no commit holds"):
        memory.app.history.restore("notes/a.md", "", CODEX)
    first = memory.write("notes/a.md")
    memory.write("notes/b.md")
    assert "no commit holds" in memory.refusal(lambda: memory.app.history.restore("notes/x.md", "", CODEX))
    assert first.commit is not None
    assert "notes/b.md" in memory.refusal(
        lambda: memory.app.history.restore("notes/b.md", first.commit, CODEX)
    )


def test_restoring_does_not_overwrite_a_name_that_collides(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.app.deleter.delete("notes/a.md", CODEX)
    memory.write("notes/A.md")
    assert "differs only by case" in memory.refusal(
        lambda: memory.app.history.restore("notes/a.md", "", CODEX)
    )


def test_the_log_cannot_be_restored(memory: Memory) -> None:
    memory.write("notes/a.md")
    assert "log" in memory.refusal(lambda: memory.app.history.restore("log-2026-11.md", "", CODEX))
