"""The files of sessions: lines are appended whole, and read whatever else stands in them."""

from __future__ import annotations

import errno
import json
import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput, Unavailable
from memory_mcp.model.scope import Scope
from memory_mcp.sessions import session_file
from memory_mcp.sessions.session import SessionClaim, SessionEvent, SessionHead, SessionMark
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_lines import claim_line, event_line, head_line, mark_line, parse_session

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")
ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
NOON = datetime(2026, 11, 30, 12, 0, 0, 120_000, tzinfo=timezone.utc)
HEAD = SessionHead(ID, "native", "codex", SCOPE, NOON, "/home/ana/importer", "retry", "default", "run")

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def event(number: int, **other: object) -> SessionEvent:
    return SessionEvent(f"019a-{number}", number, NOON, f"{number:032x}", "user-prompt", "Go on")._replace(
        **other
    )


def end(count: int) -> SessionMark:
    return SessionMark(NOON, count, is_end=True)


@given(TEXTS, TEXTS, TEXTS, st.dictionaries(st.sampled_from(["family", "call", "name"]), TEXTS))
def test_what_is_written_is_read_again(title: str, body: str, branch: str, tool: dict[str, str]) -> None:
    head = HEAD._replace(branch=branch)
    events = (event(1, title=title, body=body, tool=tool), event(2, extension="x", source_event="y"))
    claim = SessionClaim(NOON, "019a", "handoff")
    marks = (
        SessionMark(NOON, 1, False, "sessions/x.md", "0f", "", "pre-compact"),
        end(2)._replace(handoff="019b"),
    )
    lines = [head_line(head), *map(event_line, events), claim_line(claim), *map(mark_line, marks)]
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    session = parse_session(data, SCOPE, ID)
    assert (session.head, session.events, session.claims, session.marks) == (head, events, (claim,), marks)
    assert session.unreadable == 0


def test_lines_that_say_nothing_are_counted_and_stay(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    files.append(SCOPE, ID, [head_line(HEAD), event_line(event(1))])
    path = files.path(SCOPE, ID)
    bad = [b"<<<<<<< HEAD", b'{"v": 1, "type": "observation", "id": "019a-9"}', b"[]", b'{"v": 1', b"\xff"]
    path.write_bytes(path.read_bytes() + b"\n".join(bad))
    files.append(SCOPE, ID, [event_line(event(2))])
    session = files.read(SCOPE, ID)
    assert session is not None
    assert [each.seq for each in session.events] == [1, 2]
    assert session.unreadable == len(bad)
    assert all(line in path.read_bytes() for line in bad)


def test_a_line_that_a_kill_tore_does_not_swallow_the_next(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    files.append(SCOPE, ID, [head_line(HEAD), event_line(event(1))])
    path = files.path(SCOPE, ID)
    path.write_bytes(path.read_bytes()[:-9])
    files.append(SCOPE, ID, [event_line(event(2))])
    for reader in (files, SessionFiles(tmp_path)):
        session = reader.read(SCOPE, ID)
        assert session is not None
        assert [each.seq for each in session.events] == [2]


def test_of_a_session_that_grows_only_the_new_lines_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, writer = SessionFiles(tmp_path), SessionFiles(tmp_path)
    writer.append(SCOPE, ID, [head_line(HEAD), event_line(event(1))])
    assert files.read(SCOPE, ID) is not None
    read = []
    extend = session_file.extend_session
    monkeypatch.setattr(
        session_file, "extend_session", lambda session, data: read.append(data) or extend(session, data)
    )
    writer.append(SCOPE, ID, [event_line(event(2))])
    session = files.read(SCOPE, ID)
    assert session == writer.read(SCOPE, ID)
    assert read[0].count(b"\n") == 1
    files.path(SCOPE, ID).unlink()
    writer.append(SCOPE, ID, [event_line(event(3))])
    session = files.read(SCOPE, ID)
    assert session is not None
    assert [each.seq for each in session.events] == [3]


def test_a_disk_that_fills_up_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = SessionFiles(tmp_path)
    files.append(SCOPE, ID, [head_line(HEAD)])
    before = files.path(SCOPE, ID).read_bytes()

    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(Unavailable, match="the disk is full"):
        files.append(SCOPE, ID, [event_line(event(1))])
    assert files.path(SCOPE, ID).read_bytes() == before


def test_a_line_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    files.append(SCOPE, ID, [head_line(HEAD), {**event_line(event(1)), "v": 2}])
    with pytest.raises(InvalidInput, match="newer version"):
        files.read(SCOPE, ID)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_plain_file_is_no_session(tmp_path: Path, kind: str) -> None:
    files = SessionFiles(tmp_path / "raw")
    path = files.path(SCOPE, ID)
    path.parent.mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.write_text(json.dumps(head_line(HEAD)) + "\n", encoding="utf-8")
    if kind == "link":
        path.symlink_to(outside)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert files.read(SCOPE, ID) is None
    with pytest.raises(Unavailable):
        files.append(SCOPE, ID, [event_line(event(1))])
    assert outside.read_text(encoding="utf-8").count("\n") == 1


def test_the_files_of_a_session_are_found_in_every_scope_the_last_first(tmp_path: Path) -> None:
    files = SessionFiles(tmp_path)
    for scope, age in ((SCOPE, 20), (OTHER, 10)):
        files.append(scope, ID, [head_line(HEAD)])
        os.utime(files.path(scope, ID), (2_000_000_000 - age, 2_000_000_000 - age))
    assert files.scopes_of(ID) == [OTHER, SCOPE]
    assert files.scopes() == [SCOPE, OTHER]
    assert files.scopes_of("another") == []


def test_a_session_has_ended_until_it_goes_on() -> None:
    def session(*lines: SessionEvent | SessionMark) -> bool:
        found = [mark_line(each) if isinstance(each, SessionMark) else event_line(each) for each in lines]
        data = "\n".join(json.dumps(line) for line in found).encode()
        return parse_session(data, SCOPE, ID).has_ended

    late = event(2, kind="notification")
    assert not session(event(1))
    assert session(event(1), end(1))
    assert session(event(1), end(1), late)
    assert not session(event(1), end(1), late, event(3))
    assert not session(event(1), end(1), event(2, kind="session-start"))
    assert session(event(1), end(1), event(2), end(2))


def test_when_something_happened_last_is_told_by_the_last_line() -> None:
    lines = [event_line(event(1, at=NOON + timedelta(days=400))), event_line(event(2))]
    data = "\n".join(json.dumps(line) for line in lines).encode()
    assert parse_session(data, SCOPE, ID).last_at == NOON
