"""A session that was killed in the middle of a turn, or works on: what the next start makes of it."""

from __future__ import annotations

from datetime import timedelta

from tests.memory import Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
THREE = "1aa6c2b9-3c1b-4e0e-9b0d-0f6f3a2c1b22"


def start(memory: Memory, session: str, source: str = "startup") -> str:
    memory.hook("SessionStart", session, "codex", source=source)
    return memory.open().continuity.session_start.start("codex", session, str(memory.project), source)


def begin_turn(memory: Memory, text: str) -> None:
    """A prompt and an edit after which no turn ends."""
    memory.hook("UserPromptSubmit", ONE, prompt=text)
    call = {"tool_name": "Edit", "tool_use_id": f"toolu_{len(text)}", "tool_input": {}}
    memory.hook("PostToolUse", ONE, **call, tool_response="done")


def test_whoever_was_killed_in_the_first_turn_hands_over_after_ten_minutes(memory: Memory) -> None:
    memory.hook("SessionStart", ONE, source="startup")
    begin_turn(memory, "Make it retry")
    soon = start(memory, TWO)
    assert "Make it retry" not in soon
    assert "its session may still go on" in soon
    memory.now += timedelta(minutes=10)
    later = start(memory, THREE)
    assert "Work was left here by claude-code" in later
    assert "the session was at: Make it retry" in later
    assert "git status" in later


def test_a_handoff_tells_of_the_turn_that_was_cut_off_and_not_of_the_one_before(memory: Memory) -> None:
    memory.session(ONE, "Make it retry", ends=False)
    memory.fold()
    begin_turn(memory, "Now cap the back-off")
    memory.now += timedelta(minutes=10)
    text = start(memory, TWO)
    assert "Last asked for: Now cap the back-off" in text
    assert "the session was at: Now cap the back-off" in text


def test_whoever_works_on_keeps_one_handoff_and_may_end_as_usual(memory: Memory) -> None:
    begin_turn(memory, "Make it retry")
    start(memory, TWO)
    begin_turn(memory, "And with a cap")
    start(memory, THREE)
    memory.hook("Stop", ONE)
    memory.hook("SessionEnd", ONE, reason="other")
    memory.fold()
    [handoff] = memory.app.continuity.handoffs.look().handoffs
    assert handoff.draft.open_questions == ("Is this done? And with a cap",)


def test_sessions_between_two_turns_and_those_that_start_leave_nothing_anew(memory: Memory) -> None:
    memory.session(ONE, "Make it retry", ends=False)
    memory.fold()
    head = memory.git("rev-parse", "HEAD")
    start(memory, TWO)
    start(memory, ONE, source="clear")
    memory.hook("UserPromptSubmit", THREE, prompt="Work of a session that goes on")
    start(memory, THREE, source="resume")
    assert memory.git("rev-parse", "HEAD^") == head  # the one commit folded the prompt
    assert [each.session for each in memory.app.continuity.handoffs.look().handoffs] == [ONE]
