"""What a turn says, for the other processes of its session."""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory_mcp.callers.tasks.turn_file import Turn, TurnFiles

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def test_a_turn_is_read_by_another_process_of_its_session(tmp_path: Path) -> None:
    TurnFiles(tmp_path, "ana").write("run 7", NOON, ("e9c4",), checked=True)
    assert TurnFiles(tmp_path, "ana").read("run 7") == Turn("run 7", "ana", NOON, ("e9c4",), checked=True)


def test_a_turn_of_another_session_or_caller_is_none(tmp_path: Path) -> None:
    TurnFiles(tmp_path, "ana").write("run 7", NOON, ("e9c4",), checked=True)
    assert TurnFiles(tmp_path, "ana").read("run 8") is None
    assert TurnFiles(tmp_path, "ben").read("run 7") is None
    [file] = (tmp_path / "turns").iterdir()
    file.rename(file.with_name("s1.json"))
    assert TurnFiles(tmp_path, "ana").read("s1") is None


def test_only_the_user_can_read_the_file_and_it_holds_no_text(tmp_path: Path) -> None:
    TurnFiles(tmp_path, "ana").write("../../run", NOON, ("e9c4",), checked=False)
    [file] = (tmp_path / "turns").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "turns").stat().st_mode & 0o777 == 0o700
    assert file.read_text(encoding="utf-8") == (
        '{"v": 1, "session": "../../run", "caller": "ana", "at": "2026-11-30T12:00:00.000Z", '
        '"codes": ["e9c4"], "checked": false}\n'
    )


KNOWN = b'{"v": 1, "session": "s", "caller": "ana", "at": "2026-11-30T12:00:00Z", '


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"v": 2}',
        KNOWN + b'"codes": 7, "checked": true}',
        KNOWN.replace(b"2026-11-30", b"soon") + b'"codes": [], "checked": true}',
        KNOWN + b'"codes": [], "checked": 1}',
        b"[" * 4000,
        b"\xff\xfe",
    ],
)
def test_a_damaged_file_says_nothing(tmp_path: Path, data: bytes) -> None:
    turns = TurnFiles(tmp_path, "ana")
    turns.write("s", NOON, (), checked=True)
    (tmp_path / "turns" / "s.json").write_bytes(data)
    assert turns.read("s") is None
    turns.write("s", NOON, (), checked=True)
    assert turns.read("s") is not None


@pytest.mark.parametrize(("minutes", "valid"), [(0, True), (59, True), (60, False), (-1, False)])
def test_a_turn_is_over_after_an_hour(minutes: int, valid: bool) -> None:
    assert Turn("s", "ana", NOON).is_valid(NOON + timedelta(minutes=minutes)) is valid


def test_sessions_of_long_ago_are_forgotten(tmp_path: Path) -> None:
    turns = TurnFiles(tmp_path, "ana")
    turns.write("old", NOON, (), checked=True)
    turns.write("young", NOON, (), checked=True)
    for name, days in (("old", 31), ("young", 29)):
        then = (NOON - timedelta(days=days)).timestamp()
        os.utime(tmp_path / "turns" / f"{name}.json", (then, then))
    turns.write("new", NOON, (), checked=True)
    assert sorted(file.name for file in (tmp_path / "turns").iterdir()) == ["new.json", "young.json"]
