"""Several sessions in one project: each leaves the right handoff, and each gets the right one."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import receiver_in
from memory_mcp.model.scope import Scope
from tests.memory import CODEX, Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
THREE = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"
FOUR = "2bb6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"
SCOPE = Scope("acme", "importer")


def start(memory: Memory, session: str, folder: Path | None = None) -> str:
    """A session starts, as its hook does it."""
    cwd = str(folder or memory.project)
    memory.hook("SessionStart", session, "codex", source="startup", cwd=cwd)
    return memory.open().continuity.session_start.start("codex", session, cwd, "startup")


def work(memory: Memory, session: str, prompt: str, cwd: Path | None = None) -> None:
    folder = {"cwd": str(cwd)} if cwd else {}
    memory.hook("UserPromptSubmit", session, prompt=prompt, **folder)
    memory.hook("Stop", session, **folder)


def states(memory: Memory) -> dict[str, str]:
    listed = memory.app.continuity.handoffs.look(closed=True)
    return {each.draft.title: each.state for each in listed.handoffs}


def test_two_agents_that_worked_at_once_in_one_folder_both_hand_over(memory: Memory) -> None:
    for session in (ONE, TWO):
        memory.hook("SessionStart", session, source="startup")
    work(memory, ONE, "First of two")
    work(memory, TWO, "Second of two")
    memory.hook("SessionEnd", ONE)
    memory.hook("SessionEnd", TWO)
    memory.fold()
    assert states(memory) == {"First of two": "open", "Second of two": "open"}
    text = start(memory, THREE)
    assert "Session focused on: Second of two" in text
    assert "Session focused on: First of two" not in text
    [other] = memory.app.continuity.handoffs.look().handoffs
    assert other.id in text  # told of, and not taken
    accepted = memory.app.continuity.handoffs.accept(other.id[-6:], receiver_in("codex", THREE, ""))
    assert accepted.status == "claimed"


def test_what_nobody_took_is_over_when_a_later_session_leaves_its_own(memory: Memory) -> None:
    for session in (ONE, TWO):
        memory.hook("SessionStart", session, source="startup")
    work(memory, ONE, "First of two")
    work(memory, TWO, "Second of two")
    for session in (ONE, TWO):
        memory.hook("SessionEnd", session)
    memory.fold()
    start(memory, THREE)
    work(memory, THREE, "Went on")
    memory.fold()
    assert states(memory) == {"First of two": "expired", "Second of two": "accepted", "Went on": "open"}


def test_a_session_that_still_runs_in_the_folder_keeps_its_handoff_from_another_that_ends(
    memory: Memory,
) -> None:
    memory.session(ONE, "Still at it", ends=False)
    memory.fold()
    memory.now += timedelta(hours=1)
    memory.session(TWO, "Done in between")
    memory.fold()
    assert states(memory) == {"Still at it": "open", "Done in between": "open"}


def test_taking_a_handoff_ends_older_ones_of_sessions_that_were_killed(memory: Memory) -> None:
    memory.session(ONE, "Killed", ends=False)
    memory.fold()
    memory.session(TWO, "Later", ends=False)
    memory.fold()
    memory.now += timedelta(minutes=30)
    assert "Session focused on: Later" in start(memory, THREE)
    assert states(memory) == {"Killed": "expired", "Later": "accepted"}


def test_a_handoff_by_hand_ends_no_automatic_one(memory: Memory) -> None:
    memory.session(ONE, "Automatic")
    memory.fold()
    memory.app.continuity.handoffs.begin(HandoffDraft("By hand", "Look."), CODEX)
    assert "By hand" in start(memory, TWO)
    assert states(memory) == {"Automatic": "open", "By hand": "accepted"}


def test_two_worktrees_of_a_repository_each_get_their_own(memory: Memory) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(memory.project), *arguments], check=True, capture_output=True)

    other = memory.root / "importer-two"
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "x")
    git("worktree", "add", "-q", str(other), "-b", "two")
    for session, folder, prompt in ((ONE, memory.project, "In the first"), (TWO, other, "In the second")):
        memory.hook("SessionStart", session, source="startup", cwd=str(folder))
        work(memory, session, prompt, folder)
        memory.hook("SessionEnd", session, cwd=str(folder))
        memory.fold()
    assert states(memory) == {"In the first": "open", "In the second": "open"}
    (other / "src").mkdir()
    assert "Session focused on: In the second" in start(memory, THREE, other / "src")
    assert "Session focused on: In the first" in start(memory, FOUR)


def test_two_clones_of_one_branch_on_this_machine_stay_apart(memory: Memory) -> None:
    other = memory.root / "again"
    other.mkdir()
    (other / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "importer"\n', encoding="utf-8")
    memory.session(ONE, "In the first")
    memory.hook("SessionStart", TWO, source="startup", cwd=str(other))
    work(memory, TWO, "In the second", other)
    memory.hook("SessionEnd", TWO, cwd=str(other))
    memory.fold()
    assert states(memory) == {"In the first": "open", "In the second": "open"}


def test_a_folder_is_the_same_by_way_of_a_symbolic_link(memory: Memory) -> None:
    link = memory.root / "linked"
    link.symlink_to(memory.project, target_is_directory=True)
    memory.session(ONE, "Real work")
    memory.fold()
    assert "Session focused on: Real work" in start(memory, TWO, link)
    work(memory, TWO, "By the link", link)
    memory.hook("SessionEnd", TWO, cwd=str(link))
    memory.fold()
    assert "Session focused on: By the link" in start(memory, THREE)


def test_a_session_killed_in_the_middle_hands_over_where_it_was(memory: Memory) -> None:
    memory.hook("SessionStart", ONE, source="startup")
    work(memory, ONE, "A whole turn")
    memory.hook("UserPromptSubmit", ONE, prompt="Cut off in the")
    memory.fold()
    memory.now += timedelta(minutes=11)
    text = start(memory, TWO)
    assert "Started with: A whole turn" in text
    assert "Last asked for: Cut off in the" in text


def test_turns_rewrite_one_open_handoff_and_a_claimed_one_no_more(memory: Memory) -> None:
    memory.hook("SessionStart", ONE, source="startup")
    for prompt in ("Step one", "Step two"):
        work(memory, ONE, prompt)
        memory.fold()
    [handoff] = memory.app.continuity.handoffs.look().handoffs
    assert "Step two" in handoff.draft.summary
    memory.app.continuity.handoffs.accept(handoff.id, receiver_in("codex", TWO, ""))
    memory.hook("Stop", ONE)
    memory.fold()
    assert list(states(memory).values()) == ["accepted"]  # nothing more to say
    work(memory, ONE, "Step three")
    memory.fold()
    listed = memory.app.continuity.handoffs.look(closed=True).handoffs
    assert [each.state for each in listed] == ["accepted", "open"]
    assert "Step three" not in listed[0].draft.summary


def test_a_release_counts_also_when_the_clock_was_put_back(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    assert "Real work" in start(memory, TWO)
    memory.now -= timedelta(hours=3)
    memory.hook("SessionEnd", TWO, "codex")
    memory.fold()
    assert states(memory) == {"Real work": "open"}


def test_what_a_session_without_hooks_took_is_not_given_back_because_it_was_not_recorded(
    memory: Memory,
) -> None:
    memory.session(ONE, "Real work")
    memory.fold()
    accepted = memory.app.continuity.handoffs.accept("", receiver_in("codex", TWO, str(memory.project)))
    assert accepted.status == "claimed"
    memory.now += timedelta(days=2)
    closer = memory.app.continuity.session_closer
    assert closer.close_stale() == []
    assert closer.finalize(SCOPE, every=True) == []
    assert states(memory) == {"Real work": "accepted"}
