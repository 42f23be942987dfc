"""A look at a session's file that has to be as good as reading it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session_file import (
    SessionClaim,
    SessionEvent,
    SessionFiles,
    SessionHead,
    SessionMark,
    claim_line,
    event_line,
    head_line,
    mark_line,
    parse_session,
)
from memory_mcp.sessions.session_glance import glance, glance_session

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
SCOPE = Scope("acme", "importer")
ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
HEAD = SessionHead(ID, ID, "codex", SCOPE, NOON, "/home/ana/importer", "retry")


def event(number: int, minutes: int = 0, body: str = "") -> dict[str, object]:
    record = f"019ad4b2-6c1e-7a30-9f11-{number:012x}"
    at = NOON + timedelta(minutes=minutes)
    return event_line(SessionEvent(record, number, at, f"{number:032x}", "user-prompt", "Go on", body))


def end(count: int) -> dict[str, object]:
    return mark_line(SessionMark(NOON, count, True))


LINES = st.one_of(
    st.builds(
        lambda number, body: json.dumps(event(number, number % 3, body), ensure_ascii=False),
        st.integers(1, 6),
        st.sampled_from(["", '"type": "end"', "x\\"]),
    ),
    st.builds(lambda count: json.dumps(end(count)), st.integers(0, 4)),
    st.just(json.dumps(head_line(HEAD))),
    st.just(json.dumps(claim_line(SessionClaim(NOON, ID, "handoff")))),
    st.just(json.dumps(event(9)).replace('"seq": 9', '"seq":  9')),
    st.just(json.dumps(event(8))[:-20]),
    st.sampled_from(["", "{}", "<<<<<<< HEAD", '{"v": 1}', "[]"]),
)


@given(st.lists(LINES, max_size=9))
def test_a_glance_tells_what_reading_tells(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    session = parse_session(data, SCOPE, ID)
    found = glance(data, SCOPE, ID)
    assert (found.head.agent, found.head.cwd) == (session.head.agent, session.head.cwd)
    assert found.has_ended == session.has_ended
    if session.head.agent or session.events:
        assert found.last_at == session.last_at


def test_what_is_not_there_or_newer_is_not_known(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    assert glance_session(files, SCOPE, ID) is None
    files.append(SCOPE, ID, [head_line(HEAD), event(1)])
    found = glance_session(files, SCOPE, ID)
    assert found is not None
    assert found.head.cwd == "/home/ana/importer"
    files.append(SCOPE, ID, [{**event(2), "v": 2}])
    assert glance_session(files, SCOPE, ID) is None
