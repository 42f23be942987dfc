"""The one write path: what people did stays theirs, and a change of ours is one commit that says whose."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from memory_mcp.errors import Busy, Conflict
from memory_mcp.store import steps
from tests.memory import CLAUDE, CODEX, Memory


def test_each_change_is_one_commit_of_its_own_paths_with_its_trailers(memory: Memory) -> None:
    memory.write("notes/a.md", actor=CODEX)
    memory.write("notes/a.md", "# A\n\nMore.\n", actor=CLAUDE)
    memory.app.deleter.delete("notes/a.md", CODEX)
    assert memory.operations() == ["init", "write-page", "write-page", "delete-page"]
    trailers = "%(trailers:key=Memory-Operation,key=Memory-Actor,key=Memory-Session,valueonly,separator=%x20)"
    assert memory.git("log", "-3", f"--format=%an|{trailers}").splitlines() == [
        f"codex|delete-page codex {CODEX.session}",
        f"claude-code|write-page claude-code {CLAUDE.session}",
        f"codex|write-page codex {CODEX.session}",
    ]
    for commit in memory.git("rev-list", "-3", "HEAD").split():
        paths = memory.git("show", "--name-only", "--format=", commit).splitlines()
        assert paths == ["acme/importer/log-2026-11.md", "acme/importer/notes/a.md"]
    assert memory.logged() == [
        "write-page | notes/a.md",
        "write-page | notes/a.md",
        "delete-page | notes/a.md",
    ]


def test_an_identical_write_makes_no_commit_and_no_log_line(memory: Memory) -> None:
    first = memory.write("notes/a.md")
    before = memory.state()
    again = memory.write("notes/a.md", actor=CLAUDE)
    assert (again.outcome, again.commit, again.version) == ("unchanged", None, first.version)
    assert memory.state() == before


def test_a_hand_edit_is_committed_alone_in_the_persons_name_before_it_is_overwritten(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.put("notes/a.md", "# A\n\nBy hand.\n")
    memory.put("notes/other.md", "# Other\n\nAlso by hand, but nobody writes here.\n")
    memory.write("notes/a.md", "# A\n\nBy an agent.\n", CLAUDE)
    rows = memory.git("log", "-2", "--format=%an <%ae>|%s", "--name-only").splitlines()
    assert [row for row in rows if row] == [
        "claude-code <claude-code@memory-mcp.invalid>|write-page: acme/importer/notes/a.md",
        "acme/importer/log-2026-11.md",
        "acme/importer/notes/a.md",
        "Ana Pérez <ana@example.org>|edit: acme/importer/notes/a.md",
        "acme/importer/notes/a.md",
    ]
    assert memory.git("show", "HEAD~1:acme/importer/notes/a.md") == "# A\n\nBy hand."
    assert memory.git("status", "--porcelain") == "?? acme/importer/notes/other.md"


def test_a_line_that_a_person_put_into_the_log_stays_and_is_the_persons(memory: Memory) -> None:
    memory.write("notes/a.md")
    log = memory.scope / "log-2026-11.md"
    with log.open("a", encoding="utf-8", newline="") as file:
        file.write("A remark of mine")
    memory.write("notes/b.md")
    assert "A remark of mine\n## [" in log.read_text(encoding="utf-8")
    assert memory.git("log", "-1", "--skip=1", "--format=%an") == "Ana Pérez"
    assert memory.logged() == ["write-page | notes/a.md", "write-page | notes/b.md"]


def test_what_the_person_has_staged_and_edited_elsewhere_stays_so(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.put("notes/staged.md", "# Staged\n")
    memory.git("add", "acme/importer/notes/staged.md")
    memory.put("notes/staged.md", "# Staged\n\nAnd edited on.\n")
    before = memory.git("status", "--porcelain"), memory.git("diff", "--cached")
    memory.write("notes/a.md", "# A\n\nNew.\n")
    assert (memory.git("status", "--porcelain"), memory.git("diff", "--cached")) == before


def test_a_log_that_is_a_symbolic_link_is_not_followed(memory: Memory, tmp_path: Path) -> None:
    memory.write("notes/a.md")
    outside = tmp_path / "outside.md"
    outside.write_text("private\n", encoding="utf-8")
    log = memory.scope / "log-2026-11.md"
    log.unlink()
    log.symlink_to(outside)
    assert "symbolic link" in memory.refusal(lambda: memory.write("notes/b.md"))
    assert outside.read_text(encoding="utf-8") == "private\n"
    with pytest.raises(Conflict):
        memory.write("notes/b.md")


HOLD = """
import sys, time
from pathlib import Path
from memory_mcp.store.lock import WriterLock
with WriterLock(Path(sys.argv[1]), 5).hold("import"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_writer_waits_for_a_bound_and_then_names_who_holds_the_store(memory: Memory) -> None:
    memory.write("notes/a.md")
    command = [sys.executable, "-c", HOLD, str(memory.data / "locks")]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        other = memory.open(lock_timeout=0.1)
        from memory_mcp.pages.page_write import PageDraft

        with pytest.raises(Busy, match=rf"process {holder.pid} \(import\)"):
            other.writer.write(PageDraft("notes/b.md", "x"), CODEX)
        assert memory.found("text") == ["notes/a.md"]
        holder.communicate("", timeout=10)
    assert other.writer.write(PageDraft("notes/b.md", "x"), CODEX).outcome == "created"


class Killed(BaseException):
    """Stands for a kill: nothing of ours catches it."""


def kill_at(step: str) -> object:
    def listener(reached: str) -> None:
        if reached == step:
            raise Killed

    steps.listeners.append(listener)
    return listener


def test_an_edit_made_after_a_kill_is_kept_and_the_rest_of_the_change_is_finished(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nOld.\n")
    listener = kill_at("journal.written")
    with pytest.raises(Killed):
        memory.write("notes/a.md", "# A\n\nNew.\n")
    steps.listeners.remove(listener)
    memory.put("notes/a.md", "# A\n\nA person was quicker.\n")
    memory.open().changes.repair_if_due()
    assert memory.bytes_of("notes/a.md") == b"# A\n\nA person was quicker.\n"
    assert memory.logged() == ["write-page | notes/a.md", "write-page | notes/a.md"]
    assert memory.git("status", "--porcelain") == " M acme/importer/notes/a.md"
    assert not list((memory.data / "state").iterdir())


def test_a_wiki_that_a_person_put_there_is_backed_up_and_taken_with_the_first_change(memory: Memory) -> None:
    memory.put("notes/mine.md", "# Mine\r\n\r\nAn okapi.\r\n")
    assert not (memory.data / "format").exists()
    assert memory.found("okapi") == ["notes/mine.md"]
    memory.write("notes/a.md")
    assert (memory.data / "format").read_text(encoding="utf-8") == "1\n"
    [backup] = (memory.data / "backups").iterdir()
    with tarfile.open(backup) as archive:
        assert "wiki/acme/importer/notes/mine.md" in archive.getnames()
    assert memory.bytes_of("notes/mine.md") == b"# Mine\r\n\r\nAn okapi.\r\n"
    assert memory.git("status", "--porcelain") == "?? acme/importer/notes/mine.md"
    memory.app.changes.commit_hand_edits("acme/importer")
    assert memory.git("log", "-1", "--format=%an|%s") == "Ana Pérez|edit: acme/importer/notes/mine.md"


def test_a_clone_of_a_wiki_is_adopted_without_a_commit(memory: Memory, tmp_path: Path) -> None:
    memory.write("notes/a.md")
    other = Memory(tmp_path, "other")
    other.data.mkdir()
    subprocess.run(["git", "clone", "-q", str(memory.wiki), str(other.wiki)], check=True)
    head = other.git("rev-parse", "HEAD")
    assert other.found("text") == ["notes/a.md"]
    other.app.changes.prepare()
    assert other.git("rev-parse", "HEAD") == head
    assert not (other.data / "backups").exists()
    assert other.write("notes/a.md").outcome == "unchanged"
    assert other.git("rev-parse", "HEAD") == head
    other.app.close()


def test_without_git_writes_are_refused_once_backed_up_and_reads_go_on(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.put("notes/mine.md", "# Mine\n\nAn okapi.\n")
    assert memory.found("okapi") == ["notes/mine.md"]
    from memory_mcp.errors import Unavailable
    from memory_mcp.store import git_run

    def missing() -> None:
        raise git_run._git_missing()

    monkeypatch.setattr(git_run, "_import_git", missing)
    for _ in range(3):
        with pytest.raises(Unavailable, match="git is not installed"):
            memory.write("notes/a.md")
    assert memory.found("okapi") == ["notes/mine.md"]
    assert memory.app.recent.recent().pages[0].path == "notes/mine.md"
    assert len(list((memory.data / "backups").iterdir())) == 1
