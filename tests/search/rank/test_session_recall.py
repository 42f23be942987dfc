"""Questions about an earlier session, and others."""

from __future__ import annotations

import pytest

from memory_mcp.search.rank.session_recall import recalls_session


@pytest.mark.parametrize(
    "question",
    [
        "What did we decide last time?",
        "the session where the importer broke",
        "LAST   WEEK we changed the queue",
        "how did we fix the pangolin?",
        "上次我们改了什么",
        "昨天的会话",
    ],
)
def test_a_question_about_an_earlier_session_is_recognised(question: str) -> None:
    assert recalls_session(question)


@pytest.mark.parametrize(
    "question",
    ["session cookies", "the last times table", "powe did well", "when weather changes", "", "会话"],
)
def test_other_questions_are_not(question: str) -> None:
    assert not recalls_session(question)
