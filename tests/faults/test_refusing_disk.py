"""A disk that is full or read-only, at any step of a change: a sentence, and everything is as it was."""

from __future__ import annotations

import errno
import shutil
from dataclasses import replace

import pytest

from memory_mcp.app import App
from memory_mcp.errors import UserError
from memory_mcp.pages.page_write import PageDraft
from tests.memory import CLAUDE, CODEX, Fault, Memory

OLD = "# Page\n\nThe walrus sleeps.\n"
NEW = "# Page\n\nThe pangolin digs.\n"

BEFORE_THE_COMMIT = [
    ("file.write", 0),  # the journal
    ("file.written", 0),
    ("file.renamed", 0),
    ("journal.written", 0),
    ("file.write", 1),  # the page
    ("file.written", 1),
    ("file.renamed", 1),
    ("file.write", 2),  # the log
    ("file.written", 2),
    ("file.renamed", 2),
    ("index.updated", 0),
    ("git.import", 0),
    ("git.imported", 0),
    ("git.ref-move", 0),
]
AFTER_THE_COMMIT = ["git.index-tell", "git.index-told"]


def change(memory: Memory, operation: str) -> object:
    match operation:
        case "update":
            return memory.write("notes/page.md", NEW, CLAUDE)
        case "create":
            return memory.write("deep/down/new.md", NEW, CLAUDE)
        case "delete":
            return memory.app.deleter.delete("notes/page.md", CLAUDE)
        case "restore":
            return memory.app.history.restore("notes/gone.md", "", CLAUDE)
        case "first":
            return memory.write("a.md", NEW, CLAUDE, workspace="other", project="fresh")
    raise AssertionError(operation)


@pytest.fixture
def used(memory: Memory) -> Memory:
    memory.write("notes/page.md", OLD)
    memory.write("notes/gone.md", OLD)
    memory.app.deleter.delete("notes/gone.md", CODEX)
    assert memory.found("walrus") == ["notes/page.md"]
    return memory


def assert_nothing_is_left(memory: Memory) -> None:
    assert not list(memory.data.rglob(".memory-mcp-tmp.*"))
    assert not list((memory.data / "state").glob("*.json"))


@pytest.mark.parametrize("operation", ["update", "create", "delete", "restore", "first"])
def test_a_disk_that_refuses_once_changes_nothing(used: Memory, operation: str) -> None:
    before = used.state()
    for number, (step, skip) in enumerate(BEFORE_THE_COMMIT):
        if operation == "delete" and skip == 2:
            continue  # a deletion writes a file less
        code, words = [(errno.ENOSPC, "full"), (errno.EROFS, "read-only")][number % 2]
        with Fault(code, step, lasting=False, skip=skip) as fault, pytest.raises(Exception) as caught:
            change(used, operation)
        assert fault.struck, (step, skip)
        if step.startswith("file."):  # elsewhere nothing of ours meets the disk: that is a step for kills
            assert isinstance(caught.value, UserError)
            assert words in str(caught.value)
        assert used.state() == before, (step, skip)
        assert_nothing_is_left(used)
        assert used.found("walrus") == ["notes/page.md"]
        assert used.found("pangolin") == []
        assert used.open().scopes.resolve_read("acme", "importer")
    change(used, operation)
    assert used.git("status", "--porcelain") == ""
    assert_nothing_is_left(used)


@pytest.mark.parametrize("operation", ["update", "create", "delete", "restore", "first"])
def test_a_disk_that_stays_full_is_put_right_by_the_next_process(used: Memory, operation: str) -> None:
    before = used.state()
    for step, skip in BEFORE_THE_COMMIT[3:]:
        if operation == "delete" and skip == 2:
            continue
        with Fault(errno.ENOSPC, step, lasting=True, skip=skip) as fault:
            with pytest.raises(Exception):  # noqa: B017 - see above
                change(used, operation)
            used.found("walrus")  # a read goes on whatever the disk does
        assert fault.struck, (step, skip)
        other = used.open()
        assert [hit.path for hit in other.query.query("walrus").hits] == ["notes/page.md"]
        assert [hit.path for hit in other.query.query("pangolin").hits] == []
        after = used.state()
        if operation in ("create", "first"):  # empty folders, which git does not know, may stay
            after = {path: data for path, data in after.items() if data is not False or path in before}
        assert after == before, (step, skip)
        assert_nothing_is_left(used)
        other.close()


@pytest.mark.parametrize("step", AFTER_THE_COMMIT)
def test_a_commit_that_git_cannot_note_in_its_index_counts(used: Memory, step: str) -> None:
    with Fault(errno.ENOSPC, step, lasting=False) as fault:
        written = change(used, "update")
    assert fault.struck
    assert used.git("rev-parse", "HEAD") == written.commit
    assert used.found("pangolin") == ["notes/page.md"]
    other = used.open()
    other.changes.repair_if_due()
    assert used.git("status", "--porcelain") == ""
    assert_nothing_is_left(used)


def test_a_journal_that_cannot_be_cleared_does_not_fail_a_change_that_is_whole(used: Memory) -> None:
    with Fault(errno.EROFS, "file.remove", lasting=False) as fault:
        written = change(used, "update")
    assert fault.struck
    assert used.git("rev-parse", "HEAD") == written.commit
    used.open().changes.repair_if_due()
    assert used.git("rev-parse", "HEAD") == written.commit
    assert_nothing_is_left(used)


def test_an_index_that_cannot_be_written_does_not_fail_a_change(used: Memory) -> None:
    with Fault(errno.ENOSPC, "index.committed", lasting=False) as fault:
        change(used, "update")
    assert fault.struck
    assert used.found("pangolin") == ["notes/page.md"]
    assert used.found("walrus") == []


def test_a_lock_that_cannot_be_opened_stops_writes_and_not_reads(used: Memory) -> None:
    lock = used.data / "locks" / "writer.lock"
    lock.unlink()
    lock.mkdir()
    assert "cannot lock" in used.refusal(lambda: used.write("notes/page.md", NEW))
    used.put("notes/hand.md", "# Hand\n\nAn okapi.\n")
    assert used.found("okapi") == ["notes/hand.md"]
    assert used.app.reader.read(path="notes/page.md").body == OLD
    assert used.app.recent.recent().pages
    used.app.maintain()
    lock.rmdir()
    assert used.app.writer.write(PageDraft("notes/page.md", NEW), CODEX).outcome == "updated"


def test_a_first_change_that_the_disk_refuses_can_be_repeated(memory: Memory) -> None:
    for step in ("wiki.init", "wiki.ready", "git.import", "file.write"):
        with Fault(errno.ENOSPC, step, lasting=True), pytest.raises(Exception):  # noqa: B017
            memory.write("a.md")
    assert memory.write("a.md").outcome == "created"
    assert memory.operations() == ["init", "write-page"]
    assert memory.git("status", "--porcelain") == ""
    assert_nothing_is_left(memory)


@pytest.fixture
def meant(used: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """The same store, searched by meaning too."""
    pytest.importorskip("wordllama")
    used.app = App(replace(used.app.settings, vectors_enabled=True), clock=used.tick)
    used.opened.append(used.app)
    return used


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_vectors_that_the_disk_refuses_stay_in_memory(meant: Memory, code: int) -> None:
    meant.put("notes/car.md", "# Wheels\n\nThe automobile has a strong engine.\n")
    for number, step in enumerate(("vectors.write", "vectors.written", "vectors.append")):
        with Fault(code, step, lasting=False) as fault:
            meant.put(f"notes/{number}.md", f"# Wheels\n\nThe automobile has strong engine {number}.\n")
            assert {"notes/car.md", f"notes/{number}.md"} <= set(meant.found("car"))
            change(meant, "update")
        assert fault.struck, step
        assert {"notes/car.md", f"notes/{number}.md"} <= set(meant.found("car"))
        assert not list(meant.data.rglob("passages.tmp"))
        if step == "vectors.write":  # written anew when the file is gone
            shutil.rmtree(meant.data / "vectors")
    assert meant.app.vectors.embed().failed == 0
    assert meant.app.vectors.embed(dry_run=True).pages == 0
    assert not meant.app.page_map.health(None).problems


def test_a_command_that_cannot_write_vectors_says_so(meant: Memory) -> None:
    with (
        Fault(errno.ENOSPC, "vectors.write", lasting=False),
        Fault(errno.ENOSPC, "vectors.write", lasting=False),
    ):
        assert "cannot write the vectors" in meant.refusal(meant.app.vectors.embed)
    assert meant.app.vectors.embed(force=True).pages


@pytest.mark.parametrize("step", ["history.started", "history.indexed"])
def test_a_history_that_the_disk_refuses_is_one_sentence_and_queries_of_now_go_on(
    used: Memory, step: str
) -> None:
    with Fault(errno.ENOSPC, step, lasting=False) as fault:
        sentence = used.refusal(lambda: used.app.query.query("walrus", include_superseded=True))
    assert fault.struck
    assert "cannot build the history index" in sentence
    assert "the disk is full" in sentence
    assert used.found("walrus") == ["notes/page.md"]
    assert set(used.found("walrus", include_superseded=True)) == {"notes/page.md", "notes/gone.md"}


def test_accesses_that_the_disk_refuses_fail_no_read(used: Memory) -> None:
    file = used.data / "state" / "access.jsonl"
    file.unlink(missing_ok=True)
    file.mkdir()
    assert used.found("walrus") == ["notes/page.md"]
    assert used.app.reader.read(path="notes/page.md").body == OLD
