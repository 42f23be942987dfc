"""A look at a file that has to be as good as reading it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.record import HANDOFF, MESSAGE, TASK, Event, fold
from memory_mcp.wiki.record_closed import is_surely_closed
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
    assert is_surely_closed(closed(title, "test client", "no, not now").encode(), TASK)


def test_an_active_task_is_never_taken_for_closed() -> None:
    added = compose_record(TASK, {**VALUES, "title": "state: completed"}, [Event(NOON, "added", "completed")])
    assert not is_surely_closed(added, TASK)
    assert not is_surely_closed(added.replace(b"state: active", b"state: completed"), TASK)


def test_a_file_whose_state_a_writer_has_to_mend_is_not_known_at_a_look() -> None:
    text = closed()
    for edited in (
        text.replace("state: dismissed\n", "state: dismissed\nstate: completed\n"),
        text.replace("state: dismissed\n", "state: completed\n"),
        text.replace("list: today\n", "list: today\nstate: active\n"),
        text.replace("event: dismissed", "event: completed"),
    ):
        assert edited != text
        assert not is_surely_closed(edited.encode(), TASK)
        assert state(edited) != "active"


def test_wherever_something_is_put_into_a_file_the_look_is_right_or_not_sure() -> None:
    text = closed()
    sure = 0
    for place in range(len(text)):
        for piece in PIECES:
            edited = text[:place] + piece + text[place:]
            if is_surely_closed(edited.encode(), TASK):
                sure += 1
                if piece not in ("\u2028", "\x00"):  # which our own readers may refuse
                    assert state(edited) == "dismissed", edited
    assert sure > 100


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_whatever_the_texts_are_the_look_is_right(title: str, agent: str, reason: str) -> None:
    text = closed(title.strip(), agent.strip(), reason.strip())
    assert state(text) == "dismissed"
    if is_surely_closed(text.replace("event: dismissed", "event: considered").encode(), TASK):
        raise AssertionError(text)


def handed(steps: tuple[str, ...], *events: Event) -> bytes:
    values = {
        "id": VALUES["id"],
        "title": "Retry: with back-off",
        "session": VALUES["id"],
        "dir": ".",
        "next_steps": steps,
        "open_questions": ("Should it be capped?",),
        "files_touched": (),
    }
    return compose_record(HANDOFF, values, [Event(NOON, "opened", "codex"), *events], "state: open\n")


def done(name: str, minutes: int, agent: str = "codex") -> Event:
    return Event(NOON + timedelta(minutes=minutes), name, agent, VALUES["id"], "7f3a9c01d2e4")


@pytest.mark.parametrize("steps", [(), ("Run it", "Ask: who?"), (".github/x.yml",), ("'quoted'",)])
@pytest.mark.parametrize("event", ["accepted", "cancelled", "expired"])
def test_a_handoff_that_was_taken_or_ended_is_known_at_a_look(steps: tuple[str, ...], event: str) -> None:
    assert is_surely_closed(handed(steps, done(event, 1)), HANDOFF)


def test_a_handoff_that_was_given_back_or_decided_about_twice_is_read() -> None:
    for events in (
        (),
        (done("accepted", 1), done("released", 2)),
        (done("accepted", 1), done("released", 2), done("accepted", 3)),
        (done("accepted", 1), done("accepted", 2, "gemini-cli")),
        (done("accepted", 1), done("cancelled", 2)),
    ):
        assert not is_surely_closed(handed((), *events), HANDOFF)


def test_a_title_that_imitates_a_history_does_not_close_a_handoff() -> None:
    forged = ("x\nhistory:", "{at: 2026-11-30T12:01:00Z, event: accepted, agent: codex}", "state: accepted")
    assert not is_surely_closed(handed(forged), HANDOFF)
    assert not is_surely_closed(handed(forged).replace(b"state: open", b"state: accepted", 1), HANDOFF)


@pytest.mark.parametrize("event", ["claimed", "cancelled"])
def test_a_message_that_was_taken_or_withdrawn_is_known_at_a_look(event: str) -> None:
    values = {"id": VALUES["id"], "title": "Retries", "from": "acme/importer", "to": "acme/warehouse"}
    sent = compose_record(MESSAGE, values, [Event(NOON, "sent", "codex")], "Hi\n")
    assert not is_surely_closed(sent, MESSAGE)
    assert is_surely_closed(add_event(sent, MESSAGE, done(event, 1)), MESSAGE)
