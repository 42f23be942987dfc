"""A look at the two ends of a session's file that has to be as good as reading it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.sessions import session_glance
from memory_mcp.sessions.session import SessionClaim, SessionEvent, SessionHead, SessionMark
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_glance import glance_session, is_in_turn, is_open_session
from memory_mcp.sessions.session_lines import claim_line, event_line, head_line, mark_line, parse_session

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
SCOPE = Scope("acme", "importer")
ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
HEAD = SessionHead(ID, ID, "codex", SCOPE, NOON, "/home/ana/importer", "retry")
KINDS = ["session-start", "user-prompt", "post-tool-use", "stop", "notification", "session-end"]


def event(number: int, kind: str = "user-prompt", minutes: int = 0, body: str = "") -> dict[str, object]:
    record = f"019ad4b2-6c1e-7a30-9f11-{number:012x}"
    at = NOON + timedelta(minutes=minutes)
    return event_line(SessionEvent(record, number, at, f"{number:032x}", kind, "Go on", body))


def end(count: int) -> dict[str, object]:
    return mark_line(SessionMark(NOON, count, True))


STEPS = st.one_of(
    st.tuples(st.sampled_from(KINDS), st.integers(-3, 3), st.sampled_from(["", '"type": "end"', "x\\"])),
    st.sampled_from(
        ["end", "checkpoint", "claim", "head", "torn", "", "{}", "<<<<<<< HEAD", '{"v": 1}', "[]"]
    ),
)


def lines_of(steps: list[tuple[str, int, str] | str]) -> list[str]:
    """The lines of a file to which these steps were appended, some by another hand."""
    lines = []
    events = 0
    for step in steps:
        if isinstance(step, tuple):
            events += 1
            lines.append(json.dumps(event(events, *step), ensure_ascii=False))
        elif step in ("end", "checkpoint"):
            lines.append(json.dumps(mark_line(SessionMark(NOON, events, step == "end"))))
        elif step == "claim":
            lines.append(json.dumps(claim_line(SessionClaim(NOON, ID, "handoff"))))
        elif step == "head":
            lines.append(json.dumps(head_line(HEAD)))
        else:
            lines.append(json.dumps(event(99))[:-20] if step == "torn" else step)
    return lines


@pytest.mark.parametrize("tail", [65_536, 700])
@given(steps=st.lists(STEPS, max_size=12))
def test_a_glance_tells_what_reading_tells(
    tail: int, steps: list[tuple[str, int, str] | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = tmp_path_factory.mktemp("raw")
    files = SessionFiles(raw)
    files.path(SCOPE, ID).parent.mkdir(parents=True)
    data = "\n".join(lines_of(steps)).encode()
    files.path(SCOPE, ID).write_bytes(data)
    session = parse_session(data, SCOPE, ID)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_glance, "TAIL_BYTES", tail)
        found = glance_session(files, SCOPE, ID)
        is_open = is_open_session(files, ID)
    assert found is not None
    assert (found.head, found.last_at) == (session.head, session.last_at)
    assert found.has_ended == session.has_ended == (not is_open)


def test_a_session_whose_end_is_far_behind_its_last_prompt_has_ended_all_the_same(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    output = [event(number, "notification", number, "x" * 3_000) for number in range(2, 40)]
    files.append(SCOPE, ID, [head_line(HEAD), event(1), end(1), *output])
    found = glance_session(files, SCOPE, ID)
    assert found is not None
    assert found.has_ended
    assert found.last_at == NOON + timedelta(minutes=39)


def test_what_is_not_there_or_newer_is_not_known(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    assert glance_session(files, SCOPE, ID) is None
    assert not is_open_session(files, ID)
    files.append(SCOPE, ID, [head_line(HEAD), {**event(1), "v": 2}])
    assert glance_session(files, SCOPE, ID) is None


@pytest.mark.parametrize(
    ("steps", "in_turn"),
    [
        (["head", ("session-start", 0, ""), ("user-prompt", 0, "")], True),
        ([("user-prompt", 0, ""), ("post-tool-use", 0, ""), ("notification", 0, "")], True),
        ([("user-prompt", 0, ""), ("stop", 0, "")], False),
        ([("user-prompt", 0, ""), ("stop", 0, ""), ("notification", 0, "")], False),
        ([("stop", 0, ""), ("user-prompt", 0, ""), "claim", "torn", ""], True),
        ([("user-prompt", 0, ""), ("session-end", 0, ""), "end"], False),
        ([("user-prompt", 0, ""), "end", ("session-start", 0, "")], False),
        ([("user-prompt", 0, ""), "end", ("user-prompt", 0, "")], True),
        ([("session-start", 0, "")], False),
        ([], False),
    ],
)
def test_a_turn_goes_on_until_it_or_the_session_ends(
    tmp_path: Path, steps: list[tuple[str, int, str] | str], in_turn: bool
) -> None:
    files = SessionFiles(tmp_path)
    file = tmp_path / files.relative_path(SCOPE, ID)
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(lines_of(steps)) + "\n", encoding="utf-8")
    assert is_in_turn(files, SCOPE, ID) is in_turn
