"""Counting what was recorded agrees with reading it."""

from __future__ import annotations

import json
from datetime import timedelta

from memory_mcp.briefing.project_activity import project_activity
from memory_mcp.model.scope import Scope
from tests.memory import Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
SCOPE = Scope("acme", "importer")


def counted(memory: Memory) -> tuple[int, int]:
    found = project_activity(memory.data / "raw", SCOPE, memory.now)
    return found.sessions, found.observations


def read(memory: Memory, session: str) -> int:
    return memory.app.continuity.session_reader.read(session).total


def test_as_many_are_counted_as_can_be_read(memory: Memory) -> None:
    body = '{"v": 1, "type": "observation", "id": "x"}\n{"v": 1, "type": "session"}'
    memory.session(ONE, body, "Second")
    memory.session(TWO, "Third")
    memory.fold()
    assert counted(memory) == (2, read(memory, ONE) + read(memory, TWO))


def test_doubled_torn_and_foreign_lines_count_as_they_are_read(memory: Memory) -> None:
    memory.session(ONE, "First")
    memory.fold()
    file = memory.data / "raw" / "acme" / "importer" / "sessions" / f"{ONE}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    observation = next(line for line in lines if '"type": "observation"' in line)
    foreign = json.dumps(dict(reversed(json.loads(observation).items())))
    other = foreign.replace(json.loads(observation)["id"], "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4")
    before = read(memory, ONE)
    for added, more in (([observation], 0), (["{torn"], 0), ([other], 1)):
        file.write_text("\n".join([*lines, *added]), encoding="utf-8")
        assert counted(memory) == (1, before + more)
        assert read(memory, ONE) == before + more


def test_a_session_of_a_newer_version_is_not_counted(memory: Memory) -> None:
    memory.session(ONE, "First")
    memory.session(TWO, "Second")
    memory.fold()
    folder = memory.data / "raw" / "acme" / "importer" / "sessions"
    (folder / f"{ONE}.jsonl").write_text('{"v": 2, "type": "session"}\n', encoding="utf-8")
    (folder / "empty.jsonl").write_bytes(b"")
    assert counted(memory)[1] == read(memory, TWO)


def test_what_changed_counts_by_the_day(memory: Memory) -> None:
    now = memory.now
    changes = [(now - timedelta(days=days)).timestamp() for days in (1, 6, 8, 29, 40)]
    spans = project_activity(memory.data / "raw", SCOPE, now, changes).recent
    assert [span.pages for span in spans] == [2, 4]
