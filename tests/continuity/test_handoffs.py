"""Handing work over: who gets it, exactly once, and what becomes of what nobody takes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.folding.handoff_text import WENT_ON
from memory_mcp.model.scope import Scope
from tests.memory import CODEX, Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
THREE = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"


def receiver(
    memory: Memory, session: str = TWO, agent: str = "codex", folder: Path | None = None
) -> Receiver:
    return Receiver(agent, session, str(folder or memory.project))


def start(memory: Memory, session: str, agent: str = "codex", source: str = "startup") -> str:
    """A session starts, as its hook does it."""
    memory.hook("SessionStart", session, agent, source=source)
    return memory.open().continuity.session_start.start(agent, session, str(memory.project), source)


def waiting(memory: Memory) -> list[str]:
    return [each.draft.title for each in memory.app.continuity.handoffs.look().handoffs]


def test_the_next_session_gets_what_the_last_one_left_and_no_other_does(memory: Memory) -> None:
    memory.session(ONE, "Make the pangolin importer retry")
    text = start(memory, TWO)
    assert "Session focused on: Make the pangolin importer retry" in text
    assert "claude-code" in text
    assert waiting(memory) == []
    assert "pangolin importer retry\n\nSession focused" not in start(memory, THREE)


def test_a_handoff_by_hand_comes_before_an_automatic_one(memory: Memory) -> None:
    draft = HandoffDraft("", "Read the runbook first.", next_steps=("deploy",))
    memory.app.continuity.handoffs.begin(draft, CODEX)
    memory.session(ONE, "Automatic work")
    assert "Read the runbook first." in start(memory, TWO)
    assert waiting(memory) == ["Automatic work"]


def test_a_session_that_may_go_on_keeps_its_handoff_and_others_get_an_offer(memory: Memory) -> None:
    memory.session(ONE, "Work in progress", ends=False)
    text = start(memory, TWO)
    assert "Work in progress" not in text
    assert "memory_handoff_accept" in text
    accepted = memory.app.continuity.handoffs.accept("", receiver(memory))
    assert accepted.status == "claimed"
    assert accepted.handoff is not None
    assert accepted.handoff.draft.title == "Work in progress"


def test_a_session_takes_what_others_left_before_what_it_left_itself(memory: Memory) -> None:
    memory.session(ONE, "Work in progress", ends=False)
    start(memory, TWO)
    memory.session(TWO, "Something else first", agent="codex", ends=False)
    memory.fold()
    accepted = memory.app.continuity.handoffs.accept("", receiver(memory))
    assert accepted.handoff is not None
    assert accepted.handoff.draft.title == "Work in progress"


def test_a_session_whose_terminal_was_closed_hands_over_after_ten_minutes(memory: Memory) -> None:
    memory.session(ONE, "Left behind", ends=False)
    memory.fold()
    memory.now += timedelta(minutes=10)
    assert "Left behind" in start(memory, TWO)


def test_a_session_that_only_starts_and_ends_gives_back_what_it_took(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    assert "Real work" in start(memory, TWO)
    memory.hook("SessionEnd", TWO, "codex")
    memory.fold()
    assert waiting(memory) == ["Real work"]
    assert "Real work" in start(memory, THREE)
    memory.hook("UserPromptSubmit", THREE, "codex", prompt="Cap the back-off")
    memory.hook("SessionEnd", THREE, "codex")
    memory.fold()
    assert "Real work" not in waiting(memory)


def test_a_session_that_was_only_told_to_go_on_leaves_what_it_took_in_its_own_name(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    start(memory, TWO)
    memory.session(TWO, "Go on", agent="codex")
    memory.fold()
    assert waiting(memory) == ["Real work"]
    [left] = memory.app.continuity.handoffs.look().handoffs
    assert (left.session, left.draft.summary) == (TWO, f"Session focused on: Real work\n\n{WENT_ON}")
    text = start(memory, THREE)
    assert "Work was left here by codex" in text
    assert "Is this done? Real work" in text


def test_what_a_session_took_over_is_named_in_what_it_leaves(memory: Memory) -> None:
    memory.session(ONE, "Make the pangolin importer retry")
    start(memory, TWO)
    memory.session(TWO, "What is left to do?", agent="codex")
    text = start(memory, THREE)
    assert "Went on from: Make the pangolin importer retry" in text
    assert "What is left to do?" in text


@pytest.mark.parametrize("source", ["resume", "compact", "fork"])
def test_a_session_that_goes_on_takes_nothing(memory: Memory, source: str) -> None:
    memory.session(ONE, "Real work")
    assert "Session focused on" not in start(memory, TWO, source=source)
    assert waiting(memory) == ["Real work"]


def test_the_claimant_may_read_it_again_and_nobody_else(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    start(memory, TWO)
    again = memory.app.continuity.handoffs.accept("", receiver(memory))
    assert again.status == "consumed_by_hook"
    assert again.handoff is not None
    assert again.handoff.draft.summary == "Session focused on: Real work"
    assert memory.app.continuity.handoffs.accept("", receiver(memory, THREE)).status == "none_pending"
    with pytest.raises(Conflict, match="is accepted by codex"):
        memory.app.continuity.handoffs.accept(again.code, receiver(memory, THREE))


def test_of_two_processes_one_gets_it(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    memory.fold()
    apps = [memory.open(lock_timeout=30) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        got = list(
            pool.map(
                lambda at: apps[at].continuity.handoffs.accept(
                    "", Receiver("codex", f"{at:08x}-77aa-4b1f-8a30-1f1f6a2f0c11", str(memory.project))
                ),
                range(8),
            )
        )
    assert sorted(each.status for each in got) == ["claimed", *["none_pending"] * 7]


def test_one_worktree_does_not_get_what_another_left(memory: Memory) -> None:
    other = memory.root / "importer-two"
    other.mkdir()
    (other / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "importer"\n', encoding="utf-8")
    memory.session(ONE, "Of the first worktree")
    memory.fold()
    handoffs = memory.app.continuity.handoffs
    assert handoffs.accept("", receiver(memory, folder=other)).status == "none_pending"
    below = memory.project / "src"
    assert handoffs.accept("", receiver(memory, folder=below)).status == "claimed"


def test_a_later_session_of_the_same_folder_supersedes_the_earlier(memory: Memory) -> None:
    memory.session(ONE, "First")
    memory.session(TWO, "Second", agent="codex")
    memory.fold()
    assert waiting(memory) == ["Second"]
    listed = memory.app.continuity.handoffs.look(closed=True)
    assert [each.state for each in listed.handoffs] == ["expired", "open"]


def test_a_cancelled_handoff_is_not_taken(memory: Memory) -> None:
    memory.session(ONE, "Wrong way")
    memory.fold()
    [handoff] = memory.app.continuity.handoffs.look().handoffs
    _, was_open = memory.app.continuity.handoffs.cancel(handoff.id[-4:], CODEX)
    assert was_open
    _, was_open = memory.app.continuity.handoffs.cancel(handoff.id[-4:], CODEX)
    assert not was_open
    assert memory.app.continuity.handoffs.accept("", receiver(memory)).status == "none_pending"


def test_a_handoff_of_another_project_cannot_be_taken_by_its_code(memory: Memory) -> None:
    memory.session(ONE, "Real work")
    memory.fold()
    [handoff] = memory.app.continuity.handoffs.look().handoffs
    memory.mark('workspace = "acme"\nproject = "other"\n')
    memory.write("notes/a.md")
    refused = memory.refusal(
        lambda: memory.open().continuity.handoffs.accept(handoff.id, receiver(memory), project="other")
    )
    assert "there is no handoff" in refused


@pytest.mark.parametrize("blank", ["", "  \n", "\0", "\u202e\x1b"])
def test_a_blank_handoff_is_refused(memory: Memory, blank: str) -> None:
    with pytest.raises(InvalidInput, match="summary is blank"):
        memory.app.continuity.handoffs.begin(HandoffDraft("", blank), CODEX)


def test_long_parts_are_cut_and_say_so(memory: Memory) -> None:
    draft = HandoffDraft("", "x" * 5_000, open_questions=tuple(f"q{n} " + "y" * 2_000 for n in range(30)))
    begun = memory.app.continuity.handoffs.begin(draft, CODEX)
    said = begun.handoff.draft
    assert len(said.summary) == 3_000
    assert said.summary.endswith("[…]")
    assert sum(map(len, said.open_questions)) < 6_100
    assert "more" in said.open_questions[-1]


def test_secrets_do_not_get_into_a_handoff(memory: Memory) -> None:
    secret = "ghp_" + "Zx9" * 12
    begun = memory.app.continuity.handoffs.begin(
        HandoffDraft("", f"Use {secret}.", next_steps=(secret,)), CODEX
    )
    assert begun.redacted
    assert secret not in memory.git("log", "-p")


def test_all_open_ones_expire_when_a_person_says_so(memory: Memory) -> None:
    memory.app.continuity.handoffs.begin(HandoffDraft("", "Old."), CODEX)
    memory.now += timedelta(days=10)
    memory.app.continuity.handoffs.begin(HandoffDraft("", "New."), CODEX)
    gone = memory.app.continuity.handoffs.expire_all(CODEX, older_than=timedelta(days=7))
    assert [each.draft.summary for each in gone] == ["Old."]
    assert waiting(memory) == ["New."]
    assert memory.app.continuity.handoffs.look().resolved.scope == Scope("acme", "importer")
