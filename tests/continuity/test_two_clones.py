"""Two machines that share a wiki by git decide about one handoff or message before they sync."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.continuity.handoff_service import AcceptedHandoff
from memory_mcp.server.briefing_answer import briefing_answer
from memory_mcp.server.handoff_answer import accepted_answer, listed_answer
from tests.continuity.conftest import LEFT, Clones
from tests.memory import CLAUDE, CODEX, Memory

TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
THREE = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"
FOUR = "2bb6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"


def accept(memory: Memory, session: str, agent: str = "codex", code: str = "") -> AcceptedHandoff:
    return memory.app.continuity.handoffs.accept(code, Receiver(agent, session, str(memory.project)))


def start(memory: Memory, session: str) -> str:
    return memory.open().continuity.session_start.start("codex", session, str(memory.project), "startup")


def record(memory: Memory) -> str:
    [file] = (memory.scope / "_handoffs").glob("*.md")
    return file.read_text(encoding="utf-8")


def both_claim(clones: Clones) -> None:
    assert accept(clones.one, TWO).status == "claimed"
    clones.two.now = clones.one.now + timedelta(minutes=3)
    assert accept(clones.two, THREE, "gemini-cli").status == "claimed"
    clones.sync()


def test_a_claim_on_both_sides_is_shown_to_both_after_the_merge(clones: Clones) -> None:
    both_claim(clones)
    for memory in (clones.one, clones.two):
        listed = memory.app.continuity.handoffs.look()
        [disputed] = listed.disputed
        assert disputed.state == "accepted"
        assert disputed.decided_by is not None
        assert (disputed.decided_by.agent, [each.agent for each in disputed.rivals]) == (
            "codex",
            ["gemini-cli"],
        )
        text, facts = listed_answer(listed)
        for told in (text, facts["claimed_twice"][0], start(memory, FOUR)):
            assert "codex (" in told
            assert "gemini-cli (" in told
        assert disputed.id in briefing_answer(memory.app.continuity.briefing.read())[0]


def test_both_claimants_may_read_it_again_and_are_told_who_keeps_it(clones: Clones) -> None:
    both_claim(clones)
    for memory, session, agent in ((clones.one, TWO, "codex"), (clones.two, THREE, "gemini-cli")):
        for code in ("", accept(memory, session, agent).code):
            again = accept(memory, session, agent, code)
            assert again.status == "consumed_by_hook"
            text, facts = accepted_answer(again)
            assert "Shared work" in text
            assert "codex (" in text
            assert "keeps it, gemini-cli (" in text
            assert "keeps it" in facts["claimed_twice"][0]


def test_after_a_merge_nobody_else_gets_what_two_have_taken(clones: Clones) -> None:
    both_claim(clones)
    for memory in (clones.one, clones.two):
        assert accept(memory, FOUR).status == "none_pending"
        assert "Shared work\n" not in start(memory, FOUR)


def fold_another(memory: Memory) -> None:
    memory.session(FOUR, "Something new")
    memory.fold()


WRITERS: dict[str, Callable[[Memory], object]] = {
    "a fold": fold_another,
    "a claim": lambda memory: accept(memory, FOUR),
    "a handoff by hand": lambda memory: memory.app.continuity.handoffs.begin(HandoffDraft("", "New."), CODEX),
    "a person": lambda memory: memory.app.continuity.handoffs.expire_all(CODEX, older_than=timedelta(0)),
}


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("clones", ["--no-rebase"], indirect=True)
def test_a_claim_against_a_cancellation_is_shown_and_the_next_writer_mends_its_state(
    clones: Clones, writer: Callable[[Memory], object]
) -> None:
    one, two = clones.one, clones.two
    two.app.continuity.handoffs.begin(HandoffDraft("", "Another."), CODEX)
    waiting = two.app.continuity.handoffs.look().handoffs
    [handoff] = [each for each in waiting if each.draft.title == "Shared work"]
    accept(one, TWO)
    two.now = one.now + timedelta(minutes=3)
    two.app.continuity.handoffs.cancel(handoff.id, CLAUDE)
    clones.sync()
    file = two.wiki / handoff.wiki_path
    assert file.read_text(encoding="utf-8").count("\nstate: ") == 2
    [disputed] = two.app.continuity.handoffs.look().disputed
    assert (disputed.state, [rival.event for rival in disputed.rivals]) == ("accepted", ["cancelled"])
    writer(two)
    mended = file.read_text(encoding="utf-8")
    assert mended.startswith("---\nstate: accepted\ntype: handoff\n")
    assert mended.count("\nstate: ") == 1


def test_a_handoff_that_its_session_rewrites_while_another_clone_claims_it_stays_claimed(
    memory: Memory, clones: Clones
) -> None:
    one, two = clones.one, clones.two
    assert accept(two, TWO).status == "claimed"
    one.hook("SessionStart", LEFT, source="resume")
    one.hook("UserPromptSubmit", LEFT, prompt="Quite another thing: and what of the tests?")
    call = {"tool_name": "Write", "tool_use_id": "t-9", "tool_input": {"file_path": "a.py"}}
    one.hook("PostToolUse", LEFT, **call, tool_response="done")
    one.hook("Stop", LEFT)
    one.fold()
    assert "Quite another thing" in record(one)
    clones.sync()
    for each in (one, two):
        text = record(each)
        assert text.startswith("---\nstate: accepted\n")
        assert "Quite another thing" in text
        assert "event: accepted" in text
        assert each.app.continuity.handoffs.look().problems == ()
        assert accept(each, THREE).status == "none_pending"


def test_the_folder_on_another_machine_is_matched_within_the_repository(clones: Clones) -> None:
    assert accept(clones.two, THREE).status == "claimed"


def test_a_message_that_two_clones_take_is_shown_to_both(clones: Clones) -> None:
    one, two = clones.one, clones.two
    one.write("notes/a.md", workspace="acme", project="warehouse")
    one.app.continuity.messages.send("acme", "warehouse", "Retry.", CODEX)
    clones.sync()
    there = {"workspace": "acme", "project": "warehouse"}
    first = one.app.continuity.messages.pop("", CODEX, **there)
    two.now = one.now + timedelta(minutes=3)
    assert two.app.continuity.messages.pop("", CLAUDE, **there).message is not None
    clones.sync()
    for memory in (one, two):
        [message] = memory.app.continuity.messages.look(**there).disputed
        assert message.decided_by is not None
        assert (message.decided_by.agent, [each.agent for each in message.rivals]) == (
            "codex",
            ["claude-code"],
        )
        assert memory.app.continuity.messages.pop("", CODEX, **there).message is None
    again = two.app.continuity.messages.pop(first.code, CLAUDE, **there)
    assert again.is_again
    assert again.message is not None
    assert again.message.rivals


def test_a_message_withdrawn_here_and_taken_there_counts_as_taken(clones: Clones) -> None:
    one, two = clones.one, clones.two
    there = {"workspace": "acme", "project": "warehouse"}
    one.write("notes/a.md", **there)
    one.app.continuity.messages.send("acme", "warehouse", "Retry.", CODEX)
    clones.sync()
    assert one.app.continuity.messages.cancel("", CODEX).count == 1
    assert two.app.continuity.messages.pop("", CLAUDE, **there).message is not None
    clones.sync()
    for memory in (one, two):
        [message] = memory.app.continuity.messages.look("outbox").disputed
        assert (message.state, [each.event for each in message.rivals]) == ("claimed", ["cancelled"])


@pytest.mark.parametrize("clones", ["--rebase"], indirect=True)
def test_an_empty_session_that_lost_its_claim_to_another_clone_gives_it_back_too(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.hook("SessionStart", THREE, "codex", source="startup")
    assert "Shared work" in start(two, THREE)
    one.now = two.now - timedelta(minutes=3)
    assert accept(one, TWO).status == "claimed"
    clones.sync()
    two.now += timedelta(minutes=3)
    two.hook("SessionEnd", THREE, "codex")
    two.fold()
    listed = two.app.continuity.handoffs.look(closed=True)
    assert [(each.state, each.rivals) for each in listed.handoffs] == [("accepted", ())]
