"""Reading what was captured in agent sessions."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.search import observation_read
from memory_mcp.search.observation_read import Observation, ObservationReader

SCOPE = Scope("acme", "importer")
AT = "2026-11-30T11:20:09.120Z"


def line(number: int = 1, **other: object) -> str:
    found = {"v": 1, "type": "observation", "id": f"019a-{number}", "seq": number, "at": AT, "key": "9f"}
    found |= {"kind": "user-prompt", "title": "A title", "body": f"body {number}", "importance": 8}
    return json.dumps({**found, **other}, ensure_ascii=False) + "\n"


def put(raw: Path, session: str, *lines: str, scope: Scope = SCOPE, age: int = 0) -> Path:
    file = raw / scope.workspace / scope.project / "sessions" / f"{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes("".join(lines).encode("utf-8", "surrogatepass"))
    os.utime(file, (2_000_000_000 - age, 2_000_000_000 - age))
    return file


def read(raw: Path, *scopes: Scope) -> list[Observation]:
    return list(ObservationReader(raw).newest(scopes or (SCOPE,)))


def test_an_observation_comes_with_its_session_and_time(tmp_path) -> None:
    put(tmp_path, "5b1e", '{"v": 1, "type": "session", "id": "5b1e"}\n', line(title="É", extension="x"))
    [found] = read(tmp_path)
    assert found == Observation(
        scope=SCOPE,
        session_id="5b1e",
        at=datetime(2026, 11, 30, 11, 20, 9, 120_000, tzinfo=timezone.utc),
        id="019a-1",
        kind="user-prompt",
        title="É",
        body="body 1",
    )


def test_the_sessions_that_changed_last_are_read_first(tmp_path, monkeypatch) -> None:
    other = Scope("acme", "other")
    put(tmp_path, "old", line(1), age=30)
    put(tmp_path, "new", line(2), age=10)
    put(tmp_path, "mid", line(3), scope=other, age=20)
    assert [each.session_id for each in read(tmp_path, SCOPE, other)] == ["new", "mid", "old"]
    assert [each.session_id for each in read(tmp_path)] == ["new", "old"]
    monkeypatch.setattr(observation_read, "MAX_SESSIONS", 1)
    assert [each.session_id for each in read(tmp_path, SCOPE, other)] == ["new"]


def test_an_id_counts_once(tmp_path) -> None:
    put(tmp_path, "a", line(1), line(1), line(2))
    put(tmp_path, "b", line(2), age=5)
    assert [each.id for each in read(tmp_path)] == ["019a-1", "019a-2"]


@pytest.mark.parametrize(
    "bad",
    [
        line()[:-30] + "\n",
        "<<<<<<< HEAD\n",
        "\n\n[]\n",
        "null\n",
        line(type="claim"),
        line(v=2),
        line(v="1"),
        line(id=""),
        line(id=7),
        line(at="yesterday"),
        line(at=None),
        line(title=None),
        line(body=["x"]),
        "[" * 100_000 + "\n",
        "\xff\n",
    ],
)
def test_torn_and_foreign_lines_are_skipped(tmp_path, bad) -> None:
    put(tmp_path, "a", line(8), bad, line(9))
    assert [each.id for each in read(tmp_path)] == ["019a-8", "019a-9"]


def test_a_lone_surrogate_becomes_a_question_mark(tmp_path) -> None:
    put(tmp_path, "a", line().replace("A title", "\\ud800"))
    assert read(tmp_path)[0].title == "?"


def test_nothing_of_a_caller_is_read(tmp_path) -> None:
    caller = Scope("_callers", "ana")
    put(tmp_path, "a", line(), scope=caller)
    assert read(tmp_path, caller) == []


@pytest.mark.parametrize("place", ["acme", "acme/importer", "acme/importer/sessions"])
def test_a_symbolic_link_is_not_followed(tmp_path, place) -> None:
    put(tmp_path / "raw", "a", line())
    assert len(read(tmp_path / "raw")) == 1
    (tmp_path / "raw" / place).rename(tmp_path / "outside")
    (tmp_path / "raw" / place).symlink_to(tmp_path / "outside")
    assert read(tmp_path / "raw") == []


def test_a_link_a_pipe_or_a_folder_is_no_session(tmp_path) -> None:
    folder = put(tmp_path, "a", line()).parent
    (folder / "a.jsonl").rename(tmp_path / "outside")
    (folder / "link.jsonl").symlink_to(tmp_path / "outside")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert read(tmp_path) == []


def test_bytes_and_time_are_bounded(tmp_path, monkeypatch) -> None:
    size = len(line(1))
    for number in range(6):
        put(tmp_path, f"s{number}", line(2 * number + 1), line(2 * number + 2), age=number)
    monkeypatch.setattr(observation_read, "MAX_FILE_BYTES", size)
    assert [each.id for each in read(tmp_path)][:2] == ["019a-2", "019a-4"]
    monkeypatch.setattr(observation_read, "MAX_BYTES", 3 * size)
    assert len(read(tmp_path)) == 3
    monkeypatch.setattr(observation_read, "MAX_SECONDS", -1)
    assert read(tmp_path) == []


def test_without_sessions_there_is_nothing(tmp_path) -> None:
    assert read(tmp_path) == []
    assert os.listdir(tmp_path) == []


@given(st.lists(st.binary()))
def test_no_bytes_are_an_error(tmp_path_factory, lines: list[bytes]) -> None:
    raw = tmp_path_factory.mktemp("raw")
    file = put(raw, "a")
    file.write_bytes(b"\n".join(lines))
    read(raw)
