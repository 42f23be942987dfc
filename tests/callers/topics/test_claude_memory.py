"""Claude Code's own memory folder, as it is on disk."""

import os

import pytest

from memory_mcp.callers.topics.claude_memory import read_claude_memory
from memory_mcp.callers.topics.foreign_note import ForeignNote

INDEX = """\
# Memory Index

- [Use tabs](feedback_tabs.md) — the user prefers tabs
* [Release steps](./release.md) - how to release
- [Gone](gone.md): nothing here

## Conventions

Always run `make lint`.
- a plain bullet
"""
TABS = """\
---
name: feedback-tabs
description: The user prefers tabs over spaces
type: feedback
---

Use tabs. **Why:** they said so.
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "-home-ana-importer" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(INDEX.encode())
    (folder / "feedback_tabs.md").write_bytes(TABS.encode())
    (folder / "release.md").write_bytes(b"# Release steps\r\n\r\n1. Tag.\r\n")
    return folder


def test_topics_are_notes_with_the_titles_and_hooks_of_the_index(folder):
    _, tabs, release = read_claude_memory(folder).notes
    assert tabs == ForeignNote(
        "feedback_tabs.md",
        "Use tabs",
        "the user prefers tabs",
        "\nUse tabs. **Why:** they said so.\n",
        ("feedback",),
    )
    assert release == ForeignNote("release.md", "Release steps", "how to release", "\n1. Tag.\n")


def test_what_the_index_says_beside_its_links_is_a_note(folder):
    note = read_claude_memory(folder).notes[0]
    assert (note.source, note.topic) == ("MEMORY.md", "Claude Code memory -home-ana-importer")
    assert note.content == ("# Memory Index\n\n\n## Conventions\n\nAlways run `make lint`.\n- a plain bullet")


def test_an_index_of_links_and_headings_makes_no_note(folder):
    (folder / "MEMORY.md").write_bytes(b"# Memory Index\n\n- [Use tabs](feedback_tabs.md)\n")
    notes = read_claude_memory(folder).notes
    assert [note.source for note in notes] == ["feedback_tabs.md", "release.md"]
    assert (notes[0].topic, notes[0].hook) == ("Use tabs", "The user prefers tabs over spaces")


def test_without_an_index_a_file_names_itself(folder):
    (folder / "MEMORY.md").unlink()
    (folder / "plain.md").write_bytes(b"no heading\n")
    assert [note.topic for note in read_claude_memory(folder).notes] == [
        "feedback-tabs",
        "plain",
        "Release steps",
    ]


def test_what_cannot_be_read_is_skipped_with_the_reason(folder):
    (folder / "bad.md").write_bytes(b"\xff")
    skipped = read_claude_memory(folder).skipped
    assert skipped == [
        ("bad.md", "it is not UTF-8 (byte 0): convert it first."),
        ("MEMORY.md", "the file gone.md that it names is missing."),
    ]


def test_only_regular_files_are_read(folder, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    (folder / "link.md").symlink_to(tmp_path / "secret")
    (folder / "folder.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    memory = read_claude_memory(folder)
    assert memory.skipped[:3] == [
        ("folder.md", "it is no regular file."),
        ("link.md", "it is a symbolic link."),
        ("pipe.md", "it is no regular file."),
    ]
    assert "secret" not in memory.texts.values()
