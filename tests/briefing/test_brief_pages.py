"""Which pages a session is told of before it begins, found without opening the index."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from memory_mcp.briefing import brief_pages
from memory_mcp.briefing.brief_pages import MAX_CORE_PAGES, MAX_RECENT, BriefPages, read_brief_pages
from memory_mcp.model.scope import Scope
from memory_mcp.search.index import known_files
from tests.memory import START, Memory

SCOPE = Scope("acme", "importer")
PINNED = "---\npinned: true\n---\n# Pinned\n\nText.\n"


def look(memory: Memory) -> BriefPages:
    return read_brief_pages(memory.wiki, memory.data / "index", SCOPE, START)


def core(memory: Memory) -> list[str]:
    return [page.path for page in look(memory).core]


def recent(memory: Memory) -> list[str]:
    return [page.path for page in look(memory).recent]


def put(memory: Memory, path: str, text: str, minutes: int) -> Path:
    """A file by hand that was last changed so many minutes after the start."""
    file = memory.put(path, text)
    moment = (START + timedelta(minutes=minutes)).timestamp()
    os.utime(file, (moment, moment))
    return file


def test_pinned_pages_come_first_then_rules_then_slots(memory: Memory) -> None:
    put(memory, "_slots/b.md", "# B\n", 1)
    put(memory, "_slots/a.md", "# A\n", 2)
    put(memory, "_rules/old.md", "# Old\n", 1)
    put(memory, "_rules/new.md", "# New\n", 2)
    put(memory, "notes/old.md", PINNED, 1)
    put(memory, "notes/new.md", PINNED, 2)
    put(memory, "_rules/pinned.md", PINNED, 0)
    assert core(memory) == [
        *("notes/new.md", "notes/old.md"),
        *("_rules/new.md", "_rules/old.md", "_rules/pinned.md"),
        *("_slots/a.md", "_slots/b.md"),
    ]
    assert recent(memory) == ["notes/new.md", "notes/old.md"]


@pytest.mark.parametrize(
    "front",
    [
        *(
            "pinned: true",
            'pinned: "true"',
            "pinned: yes",
            "title: x\npinned: True",
            "pinned: on",
            "pinned: 1",
        ),
        *("pinned: false", "note: pinned is true", "pinned:", "{pinned: true}", '"pinned" : true'),
    ],
)
def test_a_page_is_pinned_as_everywhere_else(memory: Memory, front: str) -> None:
    memory.put("notes/a.md", f"---\n{front}\n---\n# A\n")
    [page] = memory.app.page_map.listing((SCOPE,)).pages
    assert bool(core(memory)) is page.pinned


def test_text_below_the_frontmatter_pins_nothing(memory: Memory) -> None:
    memory.put("notes/a.md", "# A\n\npinned: true\n")
    memory.put("notes/b.md", "---\ntitle: B\n---\npinned: true\n")
    assert core(memory) == []


def test_there_are_bounds(memory: Memory) -> None:
    for number in range(MAX_CORE_PAGES + 5):
        memory.put(f"_rules/{number}.md", "# Rule\n")
        memory.put(f"notes/{number}.md", "# Note\n")
    found = look(memory)
    assert (len(found.core), len(found.recent)) == (MAX_CORE_PAGES, MAX_RECENT)
    assert found.total == 2 * (MAX_CORE_PAGES + 5)


def test_pages_of_sessions_do_not_push_out_the_others(memory: Memory) -> None:
    for number in range(12):
        put(memory, f"sessions/{number}.md", "# Session\n", 10 + number)
    put(memory, "notes/a.md", "# Note\n", 1)
    assert recent(memory) == ["sessions/11.md", "sessions/10.md", "sessions/9.md", "notes/a.md"]


def test_what_is_no_page_is_not_told(memory: Memory) -> None:
    memory.put("log-2026-11.md", "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] session | codex\n")
    memory.put("history.md", "# Log\n\n## [2026-11-30T12:00:00Z] session | codex\n")
    memory.put("notes/binary.md", b"\xff\xfe\x00")
    memory.put("notes/over.md", "---\nexpires_at: 2020-01-01\npinned: true\n---\n# Over\n")
    memory.put("_handoffs/a.md", PINNED)
    memory.put("_pending/a.md", PINNED)
    memory.put(".hidden/a.md", PINNED)
    outside = memory.root / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(PINNED, encoding="utf-8")
    (memory.scope / "_rules").symlink_to(outside, target_is_directory=True)
    (memory.scope / "notes" / "link.md").symlink_to(outside / "secret.md")
    memory.put("notes/a.md", "# A\n")
    assert (core(memory), recent(memory)) == ([], ["notes/a.md"])


def test_a_scope_that_is_not_there_or_leads_elsewhere_holds_nothing(memory: Memory, tmp_path: Path) -> None:
    assert look(memory) == BriefPages((), (), 0)
    memory.scope.parent.mkdir(parents=True)
    (tmp_path / "elsewhere" / "_rules").mkdir(parents=True)
    (tmp_path / "elsewhere" / "_rules" / "a.md").write_text("# A\n", encoding="utf-8")
    memory.scope.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert look(memory) == BriefPages((), (), 0)


def test_a_long_page_is_read_as_far_as_it_is_told(memory: Memory) -> None:
    memory.put("_rules/long.md", "# Long\n" + "ä line\n" * 100_000)
    [page] = look(memory).core
    assert page.title == "Long"
    assert 100_000 < len(page.body) < 400_000


@pytest.fixture
def indexed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A scope whose files the index knows, so few are opened beside it."""
    monkeypatch.setattr(known_files, "MIN_BYTES", 10)
    monkeypatch.setattr(brief_pages, "MAX_HEADS", 1)
    put(memory, "notes/pinned.md", PINNED, -50)
    put(memory, "notes/unpinned.md", PINNED, -40)
    for number in range(5):
        put(memory, f"notes/{number}.md", "# Note\n", number)
    memory.app.page_map.listing((SCOPE,))
    return memory


def test_what_the_index_knows_is_not_opened_again(indexed: Memory) -> None:
    put(indexed, "notes/unpinned.md", "# Not pinned any more\n", 60)
    assert core(indexed) == ["notes/pinned.md"]
    (indexed.scope / "notes" / "pinned.md").unlink()
    assert core(indexed) == []
    put(indexed, "notes/4.md", PINNED, 70)
    assert core(indexed) == ["notes/4.md"]
    assert recent(indexed)[:2] == ["notes/4.md", "notes/unpinned.md"]


def test_in_a_large_scope_the_log_says_what_is_new(indexed: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brief_pages, "MAX_WALKED", 3)
    put(indexed, "_rules/hand.md", "# By hand\n", 1)
    put(indexed, "notes/hand.md", "# By hand\n", 1)
    put(indexed, "notes/4.md", "# Written by a tool\n", 90)
    put(indexed, "notes/new.md", PINNED, 95)
    indexed.put(
        "log-2026-11.md",
        "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] write-page | notes/4.md\n"
        "## [2026-11-30T12:00:00Z] write-page | notes/new.md\n"
        "## [2026-11-30T12:00:00Z] write-page | ../other/secret.md\n"
        "## [2026-11-30T12:00:00Z] write-page | notes/missing.md\n",
    )
    indexed.put("../other/secret.md", PINNED)
    found = look(indexed)
    assert {page.path for page in found.core} == {
        "notes/new.md",
        "notes/pinned.md",
        "_rules/hand.md",
        "notes/unpinned.md",
    }
    assert [page.path for page in found.recent][:2] == ["notes/new.md", "notes/4.md"]
    assert "notes/hand.md" not in [page.path for page in found.recent]
