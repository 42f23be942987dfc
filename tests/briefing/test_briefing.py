"""The briefing of a project, and coming back to it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_mcp.briefing.project_activity import gap_since
from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.model.page import version_of
from memory_mcp.pages.page_write import PageDraft
from tests.memory import CODEX, START, Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"


def test_a_briefing_says_what_holds_what_waits_and_what_happened(memory: Memory) -> None:
    memory.write("_rules/a.md", "# Rule\n\nx\n")
    memory.write("_slots/focus.md", "# Focus\n\nx\n")
    memory.app.writer.write(PageDraft("notes/p.md", "# Pinned\n\nx\n", pinned=True), CODEX)
    memory.session(ONE, "Retry the importer")
    memory.fold()
    briefing = memory.app.continuity.briefing.read()
    assert briefing.pages == 4
    assert [page.path for page in briefing.rules] == ["_rules/a.md"]
    assert [page.path for page in briefing.slots] == ["_slots/focus.md"]
    assert [page.path for page in briefing.pinned] == ["notes/p.md"]
    assert briefing.recent[0].path == f"sessions/{ONE}.md"
    assert (briefing.handoffs, briefing.messages) == (1, 0)
    assert (briefing.activity.sessions, briefing.activity.observations) == (1, 6)
    assert [(span.days, span.sessions) for span in briefing.activity.recent] == [(7, 1), (30, 1)]
    assert memory.accessed() == []


def test_activity_of_long_ago_is_counted_in_all_but_not_of_late(memory: Memory) -> None:
    memory.session(ONE, "Long ago")
    memory.fold()
    memory.now += timedelta(days=10)
    spans = memory.app.continuity.briefing.read().activity.recent
    assert [(span.days, span.sessions) for span in spans] == [(7, 0), (30, 1)]


def test_settled_pages_come_by_their_evidence(memory: Memory) -> None:
    memory.write("decisions/a.md", "# A\n\nx\n")
    memory.write("decisions/b.md", "# B\n\nx\n")
    version = version_of(memory.bytes_of("decisions/b.md"))
    line = (
        '{"v": 1, "id": "1", "at": "2026-11-30T12:00:00.000Z", "path": "decisions/b.md", '
        f'"version": "{version}", "source": "session", "source_id": "s"}}\n'
    )
    memory.put("_meta/evidence.jsonl", line)
    settled = memory.app.continuity.briefing.read(settled_first=True).settled
    assert [(page.path, page.evidence) for page in settled] == [("decisions/b.md", 1), ("decisions/a.md", 0)]


@pytest.mark.parametrize(
    ("hours", "bucket"),
    [(0.5, "fresh"), (2, "today"), (30, "recent"), (24 * 8, "dormant"), (24 * 31, "stale")],
)
def test_the_gap_since_the_last_work_has_a_name(hours: float, bucket: str) -> None:
    assert gap_since(START - timedelta(hours=hours), START).bucket == bucket


def test_without_any_work_there_is_no_gap() -> None:
    assert gap_since(None, START).bucket == "none"


def test_exploring_gives_passages_for_the_focus_and_queries_that_find_more(memory: Memory) -> None:
    memory.write("gotchas/retry.md", "# Retry storms\n\nThe importer retries without a pause.\n")
    memory.write("decisions/backoff.md", "# Back-off policy\n\nThe importer waits twice as long each time.\n")
    memory.write("notes/tea.md", "# Tea\n\nGreen.\n")
    memory.write("notes/deploy.md", "# Deploying\n\nWith the script.\n")
    memory.session(ONE, "Retry the importer")
    memory.fold()
    explored = memory.app.continuity.explorer.explore("importer retries")
    assert explored.gap.bucket == "fresh"
    assert explored.passages[0].path == "gotchas/retry.md"
    assert len(explored.follow_ups) == 3
    for query in explored.follow_ups:
        assert memory.found(query)
    assert "acme/importer/gotchas/retry.md" in memory.accessed()


def test_an_empty_project_can_be_explored(memory: Memory) -> None:
    explored = memory.app.continuity.explorer.explore("anything")
    assert (explored.gap.bucket, explored.passages, explored.follow_ups) == ("none", (), ())


def test_events_of_the_last_session_that_ended_are_read(memory: Memory) -> None:
    memory.session(ONE, "First thing", "Second thing")
    memory.session(TWO, "Open", ends=False)
    memory.fold()
    reader = memory.app.continuity.session_reader
    read = reader.read(limit=3, offset=1)
    assert (read.session.head.id, read.total, len(read.events)) == (ONE, 10, 3)
    prompts = reader.read(kinds=["user-prompt"], order="desc")
    assert [event.title for event in prompts.events] == ["Second thing", "First thing"]
    assert [event.title for event in reader.read(query="second").events] == ["Second thing"]
    assert reader.read(TWO).session.head.id == TWO


def test_a_session_of_another_project_is_not_found(memory: Memory) -> None:
    memory.session(ONE, "First thing")
    memory.fold()
    memory.write("notes/a.md", workspace="acme", project="other")
    reader = memory.app.continuity.session_reader
    with pytest.raises(NotFound, match="no session"):
        reader.read(ONE, workspace="acme", project="other")
    for wrong in ("../../x", "a/b", "%2e"):
        with pytest.raises(NotFound):
            reader.read(wrong)
    with pytest.raises(InvalidInput, match="asc or desc"):
        reader.read(order="random")
    with pytest.raises(InvalidInput, match="is not known"):
        reader.read(kinds=["thought"])
