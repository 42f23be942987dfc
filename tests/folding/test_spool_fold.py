"""What hooks spooled becomes sessions, pages, handoffs and log lines, once and whole."""

from __future__ import annotations

import errno
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from memory_mcp.capture.hook_event import take
from memory_mcp.capture.spool import Spool
from memory_mcp.errors import Unavailable
from memory_mcp.folding import spool_fold
from memory_mcp.folding.spool_fold import Folded
from memory_mcp.model.page import version_of
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session
from memory_mcp.sessions.session_lines import mark_line
from memory_mcp.store import steps
from memory_mcp.store.data_dir import DataDir
from tests.memory import Fault, Memory

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


@contextmanager
def killed_at(step: str) -> Iterator[None]:
    """The process ends when it reaches the step."""

    def kill(name: str) -> None:
        if name == step:
            raise Killed

    steps.listeners.append(kill)
    try:
        yield
    finally:
        steps.listeners.remove(kill)


def reopened(memory: Memory) -> Memory:
    """The same store in another process."""
    memory.app = memory.open()
    return memory


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

    with killed_at(step), pytest.raises(Killed):
        memory.fold()
    again = reopened(memory)
    again.fold()
    for session, count in ((ONE, 10), (TWO, 6)):
        found = recorded(again, session)
        assert len(found.events) == len(found.by_key) == count
        assert [event.seq for event in found.events] == list(range(1, count + 1))
        assert [mark.observations for mark in found.marks] == [count]
        [handoff] = [mark.handoff for mark in found.marks]
        assert f"{handoff}.md" in handoff_files(again)
    assert len(handoff_files(again)) == 2
    logged = again.logged()
    assert len(logged) == len(set(logged)) == 7
    assert spooled(again) == []
    assert again.git("status", "--porcelain") == ""


def test_the_data_dir_of_raw_files_is_private(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.fold()
    root = DataDir(memory.data)
    file = root.raw / "acme" / "importer" / "sessions" / f"{ONE}.jsonl"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def events_of(memory: Memory, session: str, scope: Scope = SCOPE) -> list[str]:
    return [event.kind for event in recorded(memory, session, scope).events]


def test_a_session_that_ends_and_is_resumed_in_one_fold_goes_on(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.hook("SessionStart", ONE, source="resume")
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.fold()
    session = recorded(memory, ONE)
    assert [mark.observations for mark in session.marks] == [6]
    assert not session.has_ended
    assert [line.split(" | ")[0] for line in memory.logged()].count("session-end") == 1


def test_what_comes_late_does_not_open_a_session_again(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.hook("Notification", ONE, message="Idle")
    memory.fold()
    assert recorded(memory, ONE).has_ended


def test_numbers_of_events_are_not_used_again(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.fold()
    path = memory.app.continuity.session_files.path(SCOPE, ONE)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"torn\n", *lines[3:]]))
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.fold()
    assert [event.seq for event in recorded(memory, ONE).events] == [1, 3, 4, 5, 6]


def test_a_clock_that_jumps_back_loses_no_event_and_mixes_up_none(memory: Memory) -> None:
    memory.session(ONE, "Before the jump", ends=False)
    memory.fold()
    memory.now -= timedelta(days=40)
    memory.hook("UserPromptSubmit", ONE, prompt="After the jump")
    memory.hook("SessionEnd", ONE)
    memory.fold()
    session = recorded(memory, ONE)
    assert [event.seq for event in session.events] == list(range(1, 8))
    assert session.has_ended
    [handoff] = handoff_files(memory)
    assert "Last asked for: After the jump" in memory.bytes_of(f"_handoffs/{handoff}").decode()
    months = sorted(file.name for file in memory.scope.glob("log-*.md"))
    assert months == ["log-2026-10.md", "log-2026-11.md"]


def test_events_whose_order_a_jump_of_the_clock_turned_round_are_all_kept(memory: Memory) -> None:
    memory.session(ONE, "Before the jump", ends=False)
    memory.now -= timedelta(days=40)
    memory.hook("UserPromptSubmit", ONE, prompt="After the jump")
    memory.hook("SessionEnd", ONE)
    memory.fold()
    assert len(recorded(memory, ONE).events) == 7
    [handoff] = handoff_files(memory)
    said = memory.bytes_of(f"_handoffs/{handoff}").decode()
    assert "Before the jump" in said
    assert "After the jump" in said


def managed(memory: Memory, event: str, session: str = ONE, **fields: object) -> None:
    """The hook of a session that somebody else started and keeps track of."""
    arguments = ["--event", event, "--agent", "claude-code", "--data-dir", str(memory.data)]
    payload = {"session_id": session, "cwd": str(memory.project), **fields}
    environ = {"HOME": str(memory.root / "home"), "MEMORY_MCP_RUN_ID": TWO}
    take(arguments, json.dumps(payload).encode(), environ, lambda: int(memory.tick().timestamp() * 1000))


def test_a_run_that_somebody_else_keeps_track_of_leaves_a_page_and_no_handoff(memory: Memory) -> None:
    for event, fields in (("UserPromptSubmit", {"prompt": "First thing"}), ("Stop", {}), ("SessionEnd", {})):
        managed(memory, event, **fields)
        memory.fold()
    assert recorded(memory, ONE).head.managed_run == TWO
    assert (memory.scope / "sessions" / f"{ONE}.md").exists()
    assert handoff_files(memory) == []


@pytest.mark.parametrize("known_from", ["the first event", "a later one"])
def test_a_managed_run_hands_nothing_over_and_a_session_beside_it_does(
    memory: Memory, known_from: str
) -> None:
    first, later = (managed, Memory.hook) if known_from == "the first event" else (Memory.hook, managed)
    first(memory, "UserPromptSubmit", ONE, prompt="Of the run")
    memory.hook("UserPromptSubmit", TWO, prompt="Of a person")
    memory.fold()
    later(memory, "Stop", ONE)
    memory.hook("Stop", TWO)
    memory.fold()
    [handoff] = handoff_files(memory)
    assert f"session: {TWO}" in memory.bytes_of(f"_handoffs/{handoff}").decode()


def test_what_an_agent_of_an_agent_does_ends_nothing(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.fold()
    [handoff] = handoff_files(memory)
    before = memory.bytes_of(f"_handoffs/{handoff}")
    memory.hook("PreCompact", ONE, agent_id="sub-1")
    memory.hook("Stop", ONE, agent_id="sub-1")
    memory.fold()
    assert memory.bytes_of(f"_handoffs/{handoff}") == before
    assert recorded(memory, ONE).marks == ()


def test_a_session_that_wanders_has_a_file_in_each_project_and_ends_in_both(memory: Memory) -> None:
    other = memory.root / "other"
    other.mkdir()
    (other / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "other"\n', encoding="utf-8")
    memory.hook("UserPromptSubmit", ONE, prompt="Here")
    memory.hook("UserPromptSubmit", ONE, prompt="There", cwd=str(other))
    memory.hook("SessionEnd", ONE, cwd=str(other))
    memory.fold()
    assert events_of(memory, ONE) == ["user-prompt", "session-end"]
    assert events_of(memory, ONE, Scope("acme", "other")) == ["user-prompt", "session-end"]
    assert recorded(memory, ONE).has_ended
    assert recorded(memory, ONE, Scope("acme", "other")).has_ended
    assert b"There" not in memory.bytes_of(f"sessions/{ONE}.md")


def claimed_by(memory: Memory, session: str) -> None:
    """A handoff waits, and the session takes it when it starts."""
    memory.session(ONE, "Left to others")
    memory.fold()
    memory.hook("SessionStart", session, "codex", source="startup")
    start = memory.open().continuity.session_start
    assert "Left to others" in start.start("codex", session, str(memory.project), "startup")


def handoff_states(memory: Memory) -> list[str]:
    return [each.state for each in memory.app.continuity.handoffs.look(closed=True).handoffs]


def test_a_session_that_did_nothing_gives_back_what_it_took(memory: Memory) -> None:
    claimed_by(memory, TWO)
    assert handoff_states(memory) == ["accepted"]
    memory.hook("SessionEnd", TWO, "codex")
    memory.fold()
    assert handoff_states(memory) == ["open"]


def test_a_session_that_worked_in_another_project_keeps_what_it_took(memory: Memory) -> None:
    other = memory.root / "other"
    other.mkdir()
    (other / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "other"\n', encoding="utf-8")
    claimed_by(memory, TWO)
    memory.hook("UserPromptSubmit", TWO, "codex", prompt="There", cwd=str(other))
    memory.hook("SessionEnd", TWO, "codex", cwd=str(other))
    memory.fold()
    assert handoff_states(memory)[0] == "accepted"


@pytest.mark.parametrize("step", ["fold.append", "fold.appended", "journal.written", "fold.committed"])
def test_what_an_empty_session_took_goes_back_though_the_fold_is_killed(memory: Memory, step: str) -> None:
    claimed_by(memory, TWO)
    memory.hook("SessionEnd", TWO, "codex")
    with killed_at(step), pytest.raises(Killed):
        memory.fold()
    again = reopened(memory)
    again.fold()
    assert handoff_states(again) == ["open"]


def test_a_checkpoint_that_is_folded_again_by_another_version_keeps_its_page(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.fold()
    page = memory.scope / "sessions" / f"{ONE}.md"
    page.write_bytes(page.read_bytes().replace(b"no model read it", b"nobody read it"))
    data = page.read_bytes()
    mark = recorded(memory, ONE).marks[-1]._replace(version=version_of(data))
    memory.app.continuity.session_files.append(SCOPE, ONE, [mark_line(mark)])
    closer = memory.app.continuity.session_closer
    assert closer.finalize(SCOPE, session_id=ONE, reopen=True) == [ONE]
    assert b"no model read it" in page.read_bytes()
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.hook("SessionEnd", ONE)
    memory.fold()
    assert b"Second thing" in page.read_bytes()


def poison(memory: Memory, session: str) -> None:
    """Let nothing more be appended to the file of a session."""
    path = memory.app.continuity.session_files.path(SCOPE, session)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir()


def test_a_session_that_cannot_be_written_holds_up_no_other(memory: Memory) -> None:
    poison(memory, ONE)
    memory.session(ONE, "Poison")
    memory.session(TWO, "Sound")
    folded = memory.fold()
    assert (folded.events, folded.sessions, folded.remaining) == (6, 1, 6)
    assert recorded(memory, TWO).has_ended
    assert memory.fold() == Folded(remaining=6)  # this process does not try again
    for _ in range(6):
        memory.open().continuity.spool_fold.fold()
    assert len(spooled(memory)) == 6
    assert memory.open().continuity.spool_fold.fold().buried == 6
    assert spooled(memory) == []
    assert len(list((memory.data / "spool" / "dead").iterdir())) == 6


def test_events_of_a_session_of_a_newer_version_wait_for_that_version(memory: Memory) -> None:
    memory.session(ONE, "First thing", ends=False)
    memory.fold()
    path = memory.app.continuity.session_files.path(SCOPE, ONE)
    sound = path.read_bytes()
    path.write_bytes(sound + b'{"v": 2, "type": "observation", "id": "x"}\n')
    memory.hook("UserPromptSubmit", ONE, prompt="Second thing")
    memory.session(TWO, "Another thing")
    for _ in range(10):
        memory.open().continuity.spool_fold.fold()
    assert len(spooled(memory)) == 1
    assert recorded(memory, TWO).has_ended
    path.write_bytes(sound)
    memory.open().continuity.spool_fold.fold()
    assert len(recorded(memory, ONE).events) == 6


@pytest.mark.parametrize("place", ["sessions", "_handoffs", "log-2026-11.md"])
@pytest.mark.parametrize("kind", ["link", "other"])
def test_what_is_in_the_way_in_the_wiki_costs_the_page_and_no_event(
    memory: Memory, place: str, kind: str
) -> None:
    outside = memory.root / "outside"
    outside.mkdir()
    memory.scope.mkdir(parents=True)
    if kind == "link":
        target = outside if not place.endswith(".md") else outside / "x.md"
        (memory.scope / place).symlink_to(target)
    elif place.endswith(".md"):
        (memory.scope / place).mkdir()
    else:
        (memory.scope / place).write_text("A file.\n", encoding="utf-8")
    memory.session(ONE, "First thing")
    memory.session(TWO, "Second thing", agent="codex")
    memory.fold()
    assert spooled(memory) == []
    assert len(recorded(memory, ONE).events) == 6
    assert list(outside.iterdir()) == []
    (memory.scope / place).rmdir() if (memory.scope / place).is_dir() and kind == "other" else (
        memory.scope / place
    ).unlink()
    closer = memory.app.continuity.session_closer
    for session in (ONE, TWO):
        closer.finalize(SCOPE, session_id=session, reopen=True)
        assert (memory.scope / "sessions" / f"{session}.md").exists()
    assert len(handoff_files(memory)) == 2


def test_a_full_disk_leaves_everything_in_the_spool(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    waiting = spooled(memory)
    with Fault(errno.ENOSPC, "file.write", lasting=True), pytest.raises(Unavailable, match="disk is full"):
        memory.fold()
    assert spooled(memory) == waiting
    memory.fold()
    assert spooled(memory) == []
    session = recorded(memory, ONE)
    assert [event.seq for event in session.events] == [1, 2, 3, 4, 5, 6]
    assert [mark.observations for mark in session.marks] == [6]
    assert len(handoff_files(memory)) == 1


def test_a_fold_ends_when_its_time_is_over(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        memory.hook("UserPromptSubmit", ONE, prompt=f"Step {number}")
    moments = iter(range(1_000))
    monkeypatch.setattr(spool_fold.time, "monotonic", lambda: float(next(moments)))
    monkeypatch.setattr(spool_fold, "FIRST_RATE", 10)
    folded = memory.app.continuity.spool_fold.fold(2.0)
    assert 0 < folded.events < 30
    assert folded.remaining == 30 - folded.events
    assert memory.app.continuity.spool_fold.fold(0).events == 0
    assert memory.app.continuity.spool_fold.fold().remaining == 0


def test_the_branch_is_cleaned_like_all_that_is_recorded(memory: Memory) -> None:
    secret = "ghp_" + "a1B2" * 9
    (memory.project / ".git").mkdir()
    (memory.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{secret}\n", encoding="utf-8")
    memory.session(ONE, "First thing")
    memory.fold()
    for file in [*memory.wiki.rglob("*.md"), *(memory.data / "raw").rglob("*.jsonl")]:
        assert secret not in file.read_text(encoding="utf-8")
    assert "[REDACTED]" in recorded(memory, ONE).head.branch


def test_everything_is_found_again_after_index_and_state_are_gone(memory: Memory) -> None:
    memory.session(ONE, "Make the pangolin importer retry")
    memory.session(TWO, "Teach the okapi to dance", ends=False)
    memory.fold()
    memory.app.close()
    for folder in ("index", "state"):
        shutil.rmtree(memory.data / folder)
    again = reopened(memory)
    assert again.found("pangolin importer") == [f"sessions/{ONE}.md"]
    assert [hit.session_id for hit in again.app.query.query("okapi dance").raw_hits][:1] == [TWO]
    assert again.app.continuity.session_reader.read().session.head.id == ONE
    again.hook("SessionEnd", TWO)
    again.fold()
    assert again.found("okapi dance") == [f"sessions/{TWO}.md"]
    assert handoff_states(again) == ["expired", "open"]
    page = again.scope / "sessions" / f"{ONE}.md"
    page.unlink()
    again.app.continuity.session_closer.finalize(SCOPE, session_id=ONE, reopen=True)
    assert page.exists()
