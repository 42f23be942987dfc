"""What hooks spooled becomes sessions, pages, handoffs and log lines, once and whole."""

from __future__ import annotations

import json
import threading

import pytest

from memory_mcp.capture.spool import Spool
from memory_mcp.folding import spool_fold
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import Session
from memory_mcp.store import steps
from memory_mcp.store.data_dir import DataDir
from tests.memory import Memory

SCOPE = Scope("acme", "importer")
ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"


def recorded(memory: Memory, session: str, scope: Scope = SCOPE) -> Session:
    found = memory.app.continuity.session_files.read(scope, session)
    assert found is not None
    return found


def spooled(memory: Memory) -> list[str]:
    return Spool(str(memory.data / "spool")).names()


def handoff_files(memory: Memory) -> list[str]:
    return sorted(file.name for file in (memory.scope / "_handoffs").glob("*.md"))


def test_a_session_leaves_its_events_a_page_a_handoff_and_log_lines_in_one_commit(memory: Memory) -> None:
    memory.session(ONE, "Make the pangolin importer retry")
    folded = memory.fold()
    assert (folded.events, folded.sessions, folded.remaining) == (6, 1, 0)
    assert spooled(memory) == []
    session = recorded(memory, ONE)
    assert [event.kind for event in session.events] == [
        "session-start",
        "user-prompt",
        "pre-tool-use",
        "post-tool-use",
        "stop",
        "session-end",
    ]
    assert [event.seq for event in session.events] == [1, 2, 3, 4, 5, 6]
    assert session.has_ended
    assert session.watermark == 6
    page = memory.bytes_of(f"sessions/{ONE}.md").decode()
    assert page.startswith("---\ntitle: Make the pangolin importer retry\n")
    assert "summary: 1 prompt, 1 completed tool call across file, over 5 s.\n" in page.replace("'", "")
    assert [line.split(" | ")[0] for line in memory.logged()] == ["session", "user-prompt", "session-end"]
    assert len(handoff_files(memory)) == 1
    assert memory.operations() == ["init", "fold"]
    assert memory.found("pangolin importer") == [f"sessions/{ONE}.md"]


def test_a_session_without_a_prompt_or_a_tool_leaves_nothing_in_the_wiki(memory: Memory) -> None:
    memory.session(ONE)
    memory.fold()
    assert recorded(memory, ONE).has_ended
    assert not memory.scope.exists()
    assert spooled(memory) == []


def test_an_event_that_is_spooled_twice_counts_once(memory: Memory) -> None:
    for _ in range(2):
        memory.hook("PostToolUse", ONE, tool_name="Edit", tool_use_id="t1", tool_response="done")
    memory.fold()
    assert len(recorded(memory, ONE).events) == 1
    memory.hook("PostToolUse", ONE, tool_name="Edit", tool_use_id="t1", tool_response="done")
    memory.fold()
    assert len(recorded(memory, ONE).events) == 1


def test_a_stop_refreshes_the_sessions_own_open_handoff(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.fold()
    [first] = handoff_files(memory)
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.hook("Stop", ONE)
    memory.fold()
    assert handoff_files(memory) == [first]
    text = memory.bytes_of(f"_handoffs/{first}").decode()
    assert "Last asked for: Second thing" in text
    assert text.count("event: opened") == 1
    assert "updated: " in text


def test_a_resumed_session_is_ended_again_only_when_more_happened(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.fold()
    memory.hook("SessionEnd", ONE, reason="other")
    memory.fold()
    ends = [mark for mark in recorded(memory, ONE).marks if mark.is_end]
    assert [mark.observations for mark in ends] == [6, 7]
    assert recorded(memory, ONE).has_ended
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.fold()
    assert not recorded(memory, ONE).has_ended


def test_a_page_that_somebody_else_wrote_is_never_replaced(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.hook("PreCompact", ONE, trigger="auto")
    memory.fold()
    assert b"First thing" in memory.bytes_of(f"sessions/{ONE}.md")
    memory.write(f"sessions/{ONE}.md", "# What we really did\n\nMuch.\n")
    written = memory.bytes_of(f"sessions/{ONE}.md")
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.hook("SessionEnd", ONE)
    memory.fold()
    assert memory.bytes_of(f"sessions/{ONE}.md") == written
    assert len(handoff_files(memory)) == 1


def test_a_checkpoint_writes_the_page_and_leaves_the_session_open(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.hook("PreCompact", ONE, trigger="auto")
    memory.fold()
    session = recorded(memory, ONE)
    assert not session.has_ended
    assert [(mark.is_end, mark.reason) for mark in session.marks] == [(False, "pre-compact")]
    assert "checkpoint" in memory.logged()[-1]


def test_a_file_that_is_no_entry_is_put_aside_and_holds_up_nothing(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    spool = memory.data / "spool"
    bad = f"0000000000001-{'a' * 32}.json"
    (spool / bad).write_text("{ torn", encoding="utf-8")
    (spool / "notes.txt").write_text("mine", encoding="utf-8")
    folded = memory.fold()
    assert folded.buried == 1
    assert (spool / "dead" / bad).exists()
    assert (spool / "notes.txt").exists()
    assert recorded(memory, ONE).has_ended


def test_an_entry_of_a_newer_version_stays_where_it_is(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    spool = memory.data / "spool"
    name = spooled(memory)[2]
    entry = json.loads((spool / name).read_text(encoding="utf-8"))
    (spool / name).write_text(json.dumps({**entry, "v": 2}), encoding="utf-8")
    assert memory.fold().remaining == 1
    assert spooled(memory) == [name]
    assert recorded(memory, ONE).has_ended


def test_two_projects_of_one_name_in_two_workspaces_stay_apart(memory: Memory) -> None:
    memory.session(ONE, "Of acme")
    memory.mark('workspace = "other"\nproject = "importer"\n')
    memory.session(TWO, "Of other")
    memory.fold()
    assert recorded(memory, ONE).head.scope == SCOPE
    assert recorded(memory, TWO, Scope("other", "importer")).head.scope == Scope("other", "importer")
    assert memory.app.continuity.session_files.read(SCOPE, TWO) is None


def test_what_happens_in_no_project_is_not_kept(memory: Memory) -> None:
    home = memory.root / "home"
    home.mkdir()
    memory.hook("UserPromptSubmit", ONE, prompt="In home", cwd=str(home))
    memory.fold()
    assert list((memory.data / "raw").glob("**/*.jsonl")) == []
    assert spooled(memory) == []


def test_while_another_process_writes_everything_stays_in_the_spool(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    waiting = spooled(memory)
    with memory.open().lock.hold("test"):
        assert memory.fold().remaining == len(waiting)
    assert spooled(memory) == waiting


def test_another_writer_goes_between_two_batches(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_fold, "MAX_BATCH", 2)
    memory.session(ONE, "First thing", "Second thing")
    waiting = len(spooled(memory))
    left = []

    def write() -> None:
        with memory.open().lock.hold("test"):
            left.append(len(spooled(memory)))

    writer = threading.Thread(target=write)

    def start(step: str) -> None:
        if step == "fold.append" and writer.ident is None:
            writer.start()

    steps.listeners.append(start)
    try:
        memory.fold()
    finally:
        steps.listeners.remove(start)
        writer.join()
    assert waiting == 10
    assert 0 < left[0] < waiting


class Killed(BaseException):
    pass


STEPS = [
    "fold.append",
    "fold.appended",
    "journal.written",
    "file.renamed",
    "git.committed",
    "journal.cleared",
    "fold.committed",
    "fold.removed",
]


@pytest.mark.parametrize("step", STEPS)
def test_a_fold_that_is_killed_at_any_step_is_finished_by_the_next(memory: Memory, step: str) -> None:
    memory.session(ONE, "First thing", "Second thing")
    memory.session(TWO, "Another thing", agent="codex")

    def kill(name: str) -> None:
        if name == step:
            raise Killed

    steps.listeners.append(kill)
    try:
        with pytest.raises(Killed):
            memory.fold()
    finally:
        steps.listeners.remove(kill)
    again = Memory(memory.root)
    again.now = memory.now
    again.fold()
    try:
        for session, count in ((ONE, 10), (TWO, 6)):
            found = recorded(again, session)
            assert len(found.events) == len(found.keys) == count
            assert [event.seq for event in found.events] == list(range(1, count + 1))
            assert [mark.observations for mark in found.marks] == [count]
            [handoff] = [mark.handoff for mark in found.marks]
            assert f"{handoff}.md" in handoff_files(again)
        assert len(handoff_files(again)) == 2
        logged = again.logged()
        assert len(logged) == len(set(logged)) == 7
        assert spooled(again) == []
        assert again.git("status", "--porcelain") == ""
    finally:
        for app in again.opened:
            app.close()


def test_the_data_dir_of_raw_files_is_private(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.fold()
    root = DataDir(memory.data)
    file = root.raw / "acme" / "importer" / "sessions" / f"{ONE}.jsonl"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
