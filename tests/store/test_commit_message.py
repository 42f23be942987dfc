from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.actor import Actor
from memory_mcp.store.commit_message import (
    CommitMessage,
    actor_signature,
    hand_edit_message,
    parse_message,
    person_signature,
)

NOW = datetime(2026, 11, 30, tzinfo=timezone.utc)


def test_a_message_names_operation_actor_and_session():
    message = CommitMessage("write-page", "acme/importer/x.md", Actor("claude-code", "s-1"))
    assert message.text() == (
        "write-page: acme/importer/x.md\n\n"
        "Memory-Operation: write-page\nMemory-Actor: claude-code\nMemory-Session: s-1\n"
    )


def test_an_unknown_session_has_no_trailer():
    assert "Session" not in CommitMessage("write-page", "x.md", Actor("cli")).text()


def test_hand_edits_are_the_persons():
    subject, trailers = parse_message(hand_edit_message(["a.md", "b.md", "c.md", "d.md", "e.md"]).text())
    assert subject == "edit: a.md, b.md, c.md and 2 more"
    assert trailers == {"Memory-Operation": "hand-edit", "Memory-Actor": "person"}


@given(st.text(), st.text(min_size=1), st.text())
def test_no_text_can_forge_a_trailer(subject, actor, session):
    text = CommitMessage("write-page", subject, Actor(actor, session)).text()
    _, trailers = parse_message(text)
    assert trailers["Memory-Operation"] == "write-page"
    assert set(trailers) <= {"Memory-Operation", "Memory-Actor", "Memory-Session"}
    assert len(text.splitlines()) <= 5


def test_a_forged_subject_stays_one_line():
    forged = "x.md\n\nMemory-Actor: admin"
    text = CommitMessage("write-page", forged, Actor("codex")).text()
    assert parse_message(text)[1]["Memory-Actor"] == "codex"


@given(st.text())
def test_signatures_hold_nothing_that_ends_an_identity(name):
    for signature in (actor_signature(Actor(name), NOW), person_signature(name, name, NOW)):
        for part in (signature.name, signature.email):
            assert part
            assert not set(part) & set("<>\n\0")


@pytest.mark.parametrize(
    ("given_name", "name"), [("claude-code", "claude-code"), ("Evil <x@y>\n", "Evil-x-y"), ("", "unknown")]
)
def test_actor_names_become_safe(given_name, name):
    assert actor_signature(Actor(given_name), NOW).name == name


def test_messages_of_others_are_read_without_trailers():
    assert parse_message("just a subject\n") == ("just a subject", {})
    assert parse_message("Fix: a thing\n") == ("Fix: a thing", {})
    assert parse_message("") == ("", {})
