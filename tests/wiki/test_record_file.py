"""Reading the file of a record, and adding to it without touching what is not ours."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import Conflict
from memory_mcp.model.record import HANDOFF, TASK, Event, fold
from memory_mcp.wiki import record_file
from memory_mcp.wiki.frontmatter import map_front
from memory_mcp.wiki.record_file import NotARecord, add_event, compose_record, mend_state, parse_record

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
SESSION = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
OTHER = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
ADDED = Event(NOON, "added", "codex", SESSION, "7f3a9c01d2e4")
DONE = Event(NOON + timedelta(minutes=5), "completed", "cli", "", "112233445566")
VALUES = {"id": "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4", "title": "Ship it", "created": "2026-11-30T12:00:00Z"}
TASK_FILE = compose_record(TASK, {**VALUES, "list": "today"}, [ADDED])

EXAMPLE = f"""\
---
state: accepted
type: handoff
id: 019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4
title: Make the pangolin importer retry
created: 2026-11-30T12:00:00Z
origin: automatic
agent: claude-code
session: {OTHER}
dir: .
branch: retry
next_steps:
  - Run the importer against the staging bucket
open_questions:
  - Should the back-off be capped?
files_touched: []
history:
  - {{at: 2026-11-30T12:00:00Z, event: opened, agent: claude-code, session: {OTHER}, machine: 7f3a9c01d2e4}}
  - {{at: 2026-11-30T12:41:07Z, event: accepted, agent: codex, session: {SESSION}, machine: 7f3a9c01d2e4}}
---
Session focused on: make the pangolin importer retry with back-off.
""".encode()

line = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=60).map(str.strip)
texts = line | st.sampled_from(
    [
        "null",
        "true",
        "12",
        "1e3",
        "a: b",
        "a, b",
        "{x}",
        "[y]",
        "- z",
        "# c",
        "it's",
        '"q"',
        "@at",
        "a #b",
        ":",
    ]
)
moments = st.integers(0, 10**8).map(lambda seconds: NOON + timedelta(seconds=seconds))
events = st.builds(Event, moments, st.sampled_from(TASK.events), texts, texts, texts, texts)


def full(data: bytes) -> dict[str, object]:
    """The frontmatter as full YAML reads it."""
    found = map_front(data.decode().split("---\n")[1])
    assert found.fault is None
    return found.values()


def test_the_example_of_the_format_is_read_and_its_fold_is_its_state() -> None:
    record = parse_record(EXAMPLE)
    assert record.states == ("accepted",)
    assert record.values["next_steps"] == ["Run the importer against the staging bucket"]
    assert [event.event for event in record.history] == ["opened", "accepted"]
    assert record.history[1].agent == "codex"
    assert fold(HANDOFF, record.history).state == "accepted"
    assert record.body.startswith("Session focused on")


def test_a_new_record_has_the_keys_in_their_order_and_leaves_out_what_is_not_known() -> None:
    values = {**VALUES, "list": "today", "note": "", "due": "2026-12-01", "priority": 0}
    assert compose_record(TASK, values, [ADDED]).decode() == (
        "---\nstate: active\ntype: task\nid: 019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4\ntitle: Ship it\n"
        "created: 2026-11-30T12:00:00Z\nlist: today\ndue: 2026-12-01\nhistory:\n"
        f"  - {{at: 2026-11-30T12:00:00Z, event: added, agent: codex, session: {SESSION}, "
        "machine: 7f3a9c01d2e4}\n---\n"
    )


@given(texts, texts, st.lists(events, min_size=1, max_size=2))
def test_what_is_written_is_read_back_and_full_yaml_agrees(
    title: str, note: str, history: list[Event]
) -> None:
    first = Event(
        NOON, "added", *(getattr(history[0], key) for key in ("agent", "session", "machine", "reason"))
    )
    data = compose_record(TASK, {**VALUES, "title": title, "note": note, "list": "x", "priority": 2}, [first])
    for event in history:
        data = add_event(data, TASK, event)
    record = parse_record(data)
    assert (record.text("title"), record.text("note")) == (title, note)
    assert record.history == (first, *history)
    assert record.states == (fold(TASK, record.history).state,)
    found = full(data)
    assert [str(item["event"]) for item in found["history"]] == [each.event for each in record.history]
    for key in ("title", "note"):
        assert str(found.get(key, "")) == {"title": title, "note": note}[key]


def test_our_own_form_is_read_without_a_yaml_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    data = add_event(TASK_FILE, TASK, Event(DONE.at, "dismissed", "my agent", reason="it's, well: over"))
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "memory_mcp.wiki.yaml_entries", raising=False)
    assert parse_record(data).history[1].reason == "it's, well: over"


def test_a_machine_of_digits_alone_stays_a_text() -> None:
    assert parse_record(add_event(TASK_FILE, TASK, DONE)).history[1].machine == "112233445566"


PERSONAL = (
    "---\r\n# mine\r\nstate: active # soon\r\ntype: task\r\nmine:\r\n  - {a: 1}\r\n"
    "title: >-\r\n  Ship\r\n  it\r\nlist: today\r\nhistory:\r\n- at: 2026-11-30T12:00:00Z\r\n"
    "  event: added\r\n  colour: blue\r\n"
    "tags: [a, b]\r\n---\r\nMy own words.\r\n"
)


def test_an_event_leaves_every_other_byte_as_it_was() -> None:
    changed = add_event(PERSONAL.encode(), TASK, DONE).decode()
    new = "- {at: 2026-11-30T12:05:00Z, event: completed, agent: cli, machine: 112233445566}\r\n"
    expected = PERSONAL.replace("state: active", "state: completed").replace("tags:", f"{new}tags:")
    assert changed == expected
    assert parse_record(changed.encode()).text("title") == "Ship it"


def test_an_event_is_added_to_a_file_with_a_byte_order_mark() -> None:
    changed = add_event(b"\xef\xbb\xbf" + TASK_FILE, TASK, DONE)
    assert changed == b"\xef\xbb\xbf" + add_event(TASK_FILE, TASK, DONE)


@pytest.mark.parametrize("empty", ["history:\n", "history: []\n", ""])
def test_a_record_that_a_person_made_gets_its_first_event(empty: str) -> None:
    data = f"---\ntype: task\ntitle: Call\n{empty}---\n".encode()
    record = parse_record(add_event(data, TASK, DONE))
    assert (record.states, record.history) == (("completed",), (DONE,))


def test_two_states_of_a_merge_become_the_one_that_the_history_tells() -> None:
    data = add_event(TASK_FILE, TASK, DONE)
    merged = data.replace(b"state: completed\n", b"state: dismissed\nstate: completed\n")
    assert parse_record(merged).states == ("dismissed", "completed")
    assert mend_state(merged, TASK) == data
    assert mend_state(data.replace(b"state: completed", b"state: active"), TASK) == data
    assert mend_state(data, TASK) == data


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"# Just a page\n", "has no frontmatter"),
        (
            b"---\n<<<<<<< ours\nstate: active\n=======\nstate: x\n>>>>>>> theirs\n---\n",
            "conflict markers at line 2",
        ),
        (b"---\nhistory: none\n---\n", "has a history that is not one list"),
        (b"---\nhistory:\n  - {event: added}\n---\n", "has a line in its history that says no time"),
        (b"---\nhistory:\n  - {at: 2026-11-30}\n---\n", "has a line in its history that says no time"),
        (b"---\nhistory:\n  - added\n---\n", "has a line in its history that says no time"),
        (b"---\njust words\n---\n", "is not YAML|has no frontmatter|not one list"),
    ],
)
def test_what_is_no_record_says_why(data: bytes, why: str) -> None:
    with pytest.raises(NotARecord, match=why):
        parse_record(data)


@pytest.mark.parametrize(
    "front",
    [
        "{state: active, history: [{at: 2026-11-30T12:00:00Z, event: added}]}\n",
        "state: active\nhistory: [{at: 2026-11-30T12:00:00Z, event: added}]\n",
        "state: active\ntitle: a: b: c\nhistory:\n  - {at: 2026-11-30T12:00:00Z, event: added}\n",
    ],
)
def test_a_form_that_cannot_be_added_to_is_refused(front: str) -> None:
    with pytest.raises(Conflict):
        add_event(f"---\n{front}---\n".encode(), TASK, DONE)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"---\n{text}\n---\n".encode()))
def test_any_bytes_are_a_record_or_say_why_not(data: bytes) -> None:
    try:
        parse_record(data)
    except NotARecord as fault:
        assert str(fault)


@pytest.mark.parametrize("data", [TASK_FILE, EXAMPLE], ids=["task", "handoff"])
def test_the_form_that_we_write_is_changed_as_a_parser_would_change_it(data, monkeypatch):
    kind, event = (
        (TASK, DONE) if data is TASK_FILE else (HANDOFF, Event(DONE.at, "released", "codex", SESSION))
    )
    plain = add_event(data, kind, event)
    monkeypatch.setattr(record_file, "_plain_front", lambda *_: "")
    assert add_event(data, kind, event) == plain
    assert plain != data
