"""A look at a file that has to be as good as reading it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.tasks.task_closed import is_surely_closed
from memory_mcp.model.record import TASK, Event, fold
from memory_mcp.wiki.record_file import add_event, compose_record, parse_record

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
VALUES = {"id": "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4", "created": "2026-11-30T12:00:00Z", "list": "today"}
PIECES = [
    *"\n {}[]#'\"\\>|:\t\u2028\x00",
    "a: b\n",
    "state: active\n",
    "  - {",
    "- ",
    "&x ",
    "*x ",
    "!!int ",
    ": ",
    "---\n",
]


def closed(title: str = "Ship", agent: str = "codex", reason: str = "") -> str:
    added = compose_record(TASK, {**VALUES, "title": title, "note": "n"}, [Event(NOON, "added", agent)])
    ended = Event(NOON + timedelta(minutes=1), "dismissed", agent, reason=reason)
    return add_event(added, TASK, ended).decode()


def state(text: str) -> str:
    return fold(TASK, parse_record(text.encode()).history).state


@pytest.mark.parametrize(
    "title", ["Ship", "it's: done", "C# and F#", "at 12:30", "Отправить", "'quoted'", "(x)"]
)
def test_what_we_write_is_known_at_a_look(title: str) -> None:
    assert is_surely_closed(closed(title, "test client", "no, not now").encode())


def test_an_active_task_is_never_taken_for_closed() -> None:
    added = compose_record(TASK, {**VALUES, "title": "state: completed"}, [Event(NOON, "added", "completed")])
    assert not is_surely_closed(added)
    assert not is_surely_closed(added.replace(b"state: active", b"state: completed"))


def test_a_file_whose_state_a_writer_has_to_mend_is_not_known_at_a_look() -> None:
    text = closed()
    for edited in (
        text.replace("state: dismissed\n", "state: dismissed\nstate: completed\n"),
        text.replace("state: dismissed\n", "state: completed\n"),
        text.replace("list: today\n", "list: today\nstate: active\n"),
        text.replace("event: dismissed", "event: completed"),
    ):
        assert edited != text
        assert not is_surely_closed(edited.encode())
        assert state(edited) != "active"


def test_wherever_something_is_put_into_a_file_the_look_is_right_or_not_sure() -> None:
    text = closed()
    sure = 0
    for place in range(len(text)):
        for piece in PIECES:
            edited = text[:place] + piece + text[place:]
            if is_surely_closed(edited.encode()):
                sure += 1
                if piece not in ("\u2028", "\x00"):  # which our own readers may refuse
                    assert state(edited) == "dismissed", edited
    assert sure > 100


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_whatever_the_texts_are_the_look_is_right(title: str, agent: str, reason: str) -> None:
    text = closed(title.strip(), agent.strip(), reason.strip())
    assert state(text) == "dismissed"
    if is_surely_closed(text.replace("event: dismissed", "event: considered").encode()):
        raise AssertionError(text)
