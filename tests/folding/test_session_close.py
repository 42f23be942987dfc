"""Sessions that nobody ended are ended from what was recorded, without a guess."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.scope import Scope
from tests.memory import Memory

SCOPE = Scope("acme", "importer")
ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"


def test_a_session_in_which_nothing_happened_for_a_day_is_ended(memory: Memory) -> None:
    memory.session(ONE, "Left behind", ends=False)
    memory.fold()
    closer = memory.app.continuity.session_closer
    assert closer.close_stale() == []
    memory.now += timedelta(hours=24)
    assert closer.close_stale() == [ONE]
    session = memory.app.continuity.session_files.read(SCOPE, ONE)
    assert session is not None
    *_, end = session.marks
    assert (end.reason, end.at) == ("stale", session.last_at)
    assert end.handoff
    assert f"sessions/{ONE}.md" in memory.found("left behind")
    assert closer.close_stale() == []


def test_the_newest_open_session_is_finalized_and_others_stay_open(memory: Memory) -> None:
    memory.session(ONE, "First", ends=False)
    memory.fold()
    memory.session(TWO, "Second", agent="codex", ends=False)
    memory.fold()
    closer = memory.app.continuity.session_closer
    assert closer.finalize(SCOPE, agent="claude-code") == [ONE]
    assert closer.finalize(SCOPE, every=True) == [TWO]
    assert closer.finalize(SCOPE) == []


def test_a_session_is_ended_anew_only_when_it_is_named(memory: Memory) -> None:
    memory.session(ONE, "First")
    memory.fold()
    closer = memory.app.continuity.session_closer
    with pytest.raises(InvalidInput, match="--reopen needs --session-id"):
        closer.finalize(SCOPE, reopen=True)
    with pytest.raises(NotFound, match="no session"):
        closer.finalize(SCOPE, session_id=TWO)
    assert closer.finalize(SCOPE, session_id=ONE) == []
    assert closer.finalize(SCOPE, session_id=ONE, reopen=True) == [ONE]
