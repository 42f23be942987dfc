"""What notes and skills say of themselves, in our own form and in any other."""

import os

import pytest

from memory_mcp.callers.caller_folder import CallerFolder
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.callers.topics.topic_scan import scan_topics

OURS = """\
---
summary: When the importer retries
created: 2026-11-30T12:00:00Z
updated: 2026-12-01T12:00:00Z
---
# Retries

## Actuel

Three times.
"""


@pytest.fixture
def folder(tmp_path):
    folder = CallerFolder(tmp_path, "default")
    (folder.root / "memory" / "notes").mkdir(parents=True)
    (folder.root / "skills").mkdir()
    return folder


def put(folder, path, text):
    data = text if isinstance(text, bytes) else text.encode()
    (folder.root / path).write_bytes(data)


def scan_one(folder, text):
    put(folder, "memory/notes/a.md", text)
    [facts] = scan_topics(folder, NOTE)
    return facts


def test_a_caller_without_a_folder_has_no_topics(tmp_path):
    assert scan_topics(CallerFolder(tmp_path, "nobody"), NOTE) == []
    assert not list(tmp_path.iterdir())


def test_a_note_in_our_form_says_everything(folder):
    facts = scan_one(folder, OURS)
    assert facts._asdict() == {
        "slug": "a",
        "path": "memory/notes/a.md",
        "title": "Retries",
        "summary": "When the importer retries",
        "created": "2026-11-30T12:00:00Z",
        "updated": "2026-12-01T12:00:00Z",
        "archived": False,
        "permanent": False,
        "has_actuel": True,
        "mtime": 0.0,
        "unreadable": "",
    }


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("plain", "plain"),
        ("'a: b'", "a: b"),
        ("'it''s'", "it's"),
        ("'true'", "true"),
        ('"say \\"x\\""', 'say "x"'),
        ('"plain"', "plain"),
        ("a # comment", "a"),
        ("12", "12"),
        ("true", "true"),
        ("''", ""),
        ("'a' # comment", "a"),
        ("'", "'"),
        ("café ☕", "café ☕"),
        (">-\n  folded\n  text", "folded text"),
    ],
)
def test_a_summary_is_read_as_yaml_means_it(folder, line, summary):
    facts = scan_one(folder, OURS.replace("When the importer retries", line))
    assert (facts.summary, facts.title, facts.has_actuel) == (summary, "Retries", True)


def test_archived_and_permanent_are_keys_of_the_frontmatter(folder):
    both = OURS.replace("Z\n---", "Z\ntags:\n  - x\npermanent: true\narchived: true\n---")
    assert scan_one(folder, both)[6:8] == (True, True)
    assert scan_one(folder, OURS.replace("Z\n---", "Z\narchived: true\n---"))[6:8] == (True, False)
    assert scan_one(folder, OURS.replace("Z\n---", "Z\npermanent: true\n---"))[6:8] == (False, True)
    assert scan_one(folder, OURS.replace("Z\n---", "Z\narchived: true\npermanent: true\n---"))[6:8] == (
        True,
        True,
    )
    assert scan_one(folder, OURS.replace("Z\n---", "Z\narchived: 'true'\n---"))[6:8] == (False, False)
    assert scan_one(folder, OURS + "archived: true\n")[6:8] == (False, False)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + OURS,
        OURS.replace("\n", "\r\n"),
        OURS.replace("created", "author: ana\ncreated"),
        OURS.replace("summary: When the importer retries\n", "").replace(
            "updated: 2026-12-01T12:00:00Z",
            "updated: 2026-12-01T12:00:00Z\nsummary: When the importer retries",
        ),
    ],
    ids=["bom", "crlf", "foreign key", "other order"],
)
def test_another_form_of_the_same_is_read_alike(folder, text):
    ours = scan_one(folder, OURS)
    assert scan_one(folder, text)[:9] == ours[:9]


def test_a_file_without_frontmatter_has_a_title(folder):
    facts = scan_one(folder, "Some words.\n\n# Mine\n\ntext\n")
    assert (facts.title, facts.summary, facts.has_actuel) == ("Mine", "", False)


@pytest.mark.parametrize(
    ("body", "has"),
    [
        ("## Actuel\nx\n", True),
        ("# T\n\n## Actuel", True),
        ("# T\n\n## Actuelly\n", False),
        ("# T\n\ntext ## Actuel\n", False),
        ("# T\n\n```\n## Actuel\n```\n", False),
        ("# T\n\n<!--\n## Actuel\n-->\n", False),
        ("# T\n\n```\ncode\n```\n\n## Actuel\n", True),
        ("# T\n\n## Actuel\r\nx\r\n", True),
    ],
)
def test_an_actuel_section_is_a_whole_line_outside_of_code(folder, body, has):
    assert scan_one(folder, body).has_actuel is has


def test_a_file_that_cannot_be_read_says_why(folder):
    assert "a.md is not UTF-8 text (byte 0xff on line 2)" in scan_one(folder, b"# T\n\xff\n").unreadable
    conflict = OURS + "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    facts = scan_one(folder, conflict)
    assert (
        facts.unreadable == "memory/notes/a.md has merge conflict markers at line 11: resolve them by hand."
    )
    assert scan_one(folder, OURS + "<<<<<<< is no conflict\n").unreadable == ""


def test_only_plain_markdown_files_count(folder, tmp_path):
    put(folder, "memory/notes/b.md", OURS)
    put(folder, "memory/notes/a.md", OURS)
    put(folder, "memory/notes/.hidden.md", OURS)
    put(folder, "memory/notes/x.txt", OURS)
    (folder.root / "memory/notes/folder.md").mkdir()
    (folder.root / "memory/notes/link.md").symlink_to(folder.root / "memory/notes/a.md")
    os.mkfifo(folder.root / "memory/notes/pipe.md")
    assert [facts.slug for facts in scan_topics(folder, NOTE)] == ["a", "b"]


def test_the_index_of_skills_is_no_skill(folder):
    put(folder, "skills/SKILLS.md", "# SKILLS.md\n")
    put(folder, "skills/deploy.md", OURS)
    assert [facts.path for facts in scan_topics(folder, SKILL)] == ["skills/deploy.md"]


def test_a_large_file_is_read_to_its_end(folder):
    text = "# T\n\n" + "word " * 10_000 + "\n\n## Actuel\n"
    facts = scan_one(folder, text)
    assert facts.has_actuel


def test_a_file_that_does_not_say_when_it_was_updated_tells_its_own_time(folder):
    for text in ("# T\n", OURS.replace("2026-12-01T12:00:00Z", "2026-99-99T99:99:99Z")):
        facts = scan_one(folder, text)
        assert facts.mtime == folder.file("memory/notes/a.md").stat().st_mtime


def test_a_hook_holds_nothing_that_a_terminal_obeys(folder):
    for quoted in ("'look \x1b[2J here'", "'look \x9b2J here'", "look \x1b[2J here"):
        hook = scan_one(folder, OURS.replace("When the importer retries", quoted)).summary
        assert hook.isprintable()
