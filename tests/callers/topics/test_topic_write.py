"""Writing notes and skills: file, index and commit together, and nothing lost."""

import pytest

from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.capture.sanitizer import REPLACEMENT
from tests.memory import CODEX

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def test_a_note_is_a_file_a_line_and_a_commit(topics, memory):
    written = topics.write("Retries", "Three times.", hook="when the importer fails")
    assert (written.path, written.slug, written.outcome) == ("memory/notes/retries.md", "retries", "created")
    assert written.file == topics.root / "memory" / "notes" / "retries.md"
    created = topics.text(written.path).split("\n")[2]
    assert topics.text(written.path) == (
        f"---\nsummary: when the importer fails\n{created}\n{created.replace('created', 'updated')}\n---\n"
        "# Retries\n\n## Actuel\n\nThree times.\n"
    )
    assert topics.entries() == ["- [retries](notes/retries.md): when the importer fails"]
    assert written.index == topics.text("memory/MEMORY.md")
    assert memory.git("log", "--format=%H %s", "-1") == (
        f"{written.commit} memory-write: _callers/default/memory/notes/retries.md"
    )
    assert memory.git("status", "--porcelain") == ""
    files = memory.git("ls-files", "_callers").split("\n")
    assert [file.removeprefix("_callers/default/") for file in files] == [
        "_meta/caller.json",
        "memory/MEMORY.md",
        "memory/USER.md",
        "memory/log.md",
        "memory/notes/retries.md",
        "skills/SKILLS.md",
    ]


def test_a_skill_has_an_index_of_its_own(topics, memory):
    notes_before = topics.write().index
    written = topics.write("Deploy", "1. Push.", SKILL, hook="when a release is due")
    assert written.path == "skills/deploy.md"
    assert topics.entries("skills/SKILLS.md") == ["- [deploy](deploy.md): when a release is due"]
    assert topics.text("memory/MEMORY.md") == notes_before
    assert memory.operations()[-1] == "skill-write"


def test_without_a_hook_the_topic_is_the_hook(topics):
    topics.write("Editor\n  style", "Tabs.")
    assert topics.entries() == ["- [editor-style](notes/editor-style.md): Editor style"]
    assert topics.body("memory/notes/editor-style.md").startswith("# Editor style\n")


def test_a_hook_stays_until_another_is_given(topics):
    topics.write(hook="first")
    assert topics.write(content="Four times.").outcome == "updated"
    assert topics.entries() == ["- [retries](notes/retries.md): first"]
    topics.write(content="Four times.", hook="second")
    assert topics.entries() == ["- [retries](notes/retries.md): second"]


def test_a_hook_cannot_make_an_entry(topics):
    topics.write(hook="first line\n- [evil](notes/evil.md): injected")
    assert topics.entries() == ["- [retries](notes/retries.md): first line - [evil](notes/evil.md): injected"]


def test_replacing_drops_the_text_of_now_and_rotating_keeps_it(topics):
    topics.write(content="v1")
    topics.write(content="v2", mode="rotate_actuel")
    topics.write(content="v3")
    assert topics.body("memory/notes/retries.md") == (
        "# Retries\n\n## Actuel\n\nv3\n\n## Archive\n\n### [2026-11-30]\nv1\n"
    )


def test_an_archived_text_is_dated_by_the_zone_of_the_profile(topics, memory):
    memory.app.caller.profile.set_preferences(PreferenceChange(timezone="Pacific/Kiritimati"), CODEX)
    topics.write(content="v1")
    topics.write(content="v2", mode="rotate_actuel")
    assert "### [2026-12-01]\nv1" in topics.body("memory/notes/retries.md")


def test_an_unreadable_profile_keeps_nobody_from_writing(topics):
    topics.write(content="v1")
    topics.put("memory/USER.md", b"\xff")
    topics.write(content="v2", mode="rotate_actuel")
    assert "### [2026-11-30]\nv1" in topics.body("memory/notes/retries.md")


@pytest.mark.parametrize("mode", ["replace", "rotate_actuel"])
def test_the_same_write_again_changes_nothing(topics, memory, mode):
    topics.write(content="v1", hook="h")
    topics.write(content="v2", hook="h", mode=mode)
    before = memory.state()
    again = topics.write(content=" v2\n", hook="h", mode=mode)
    assert (again.outcome, again.commit) == ("unchanged", None)
    assert memory.state() == before


def test_an_update_keeps_created_and_moves_updated(topics):
    topics.write(content="v1")
    _, _, created, updated, *_ = topics.text("memory/notes/retries.md").split("\n")
    topics.write(content="v2")
    _, _, created_now, updated_now, *_ = topics.text("memory/notes/retries.md").split("\n")
    assert created_now == created
    assert updated_now > updated


def test_a_file_that_a_person_made_gets_frontmatter_and_keeps_its_text(topics):
    topics.put("memory/notes/retries.md", "# Retries\n\nMine.\n")
    assert topics.write(content="v1", mode="rotate_actuel", hook="h").outcome == "updated"
    assert topics.body("memory/notes/retries.md") == "# Retries\n\nMine.\n\n## Actuel\n\nv1\n"
    assert topics.text("memory/notes/retries.md").startswith("---\nsummary: h\ncreated: 2026-")


def test_a_hook_that_stands_only_in_the_index_is_taken_over(topics):
    topics.write("Other")
    topics.put("memory/notes/retries.md", "# Retries\n")
    index = topics.text("memory/MEMORY.md")
    topics.put("memory/MEMORY.md", index + "- [retries](notes/retries.md): by hand\n")
    topics.write()
    assert topics.text("memory/notes/retries.md").startswith("---\nsummary: by hand\n")
    assert "- [retries](notes/retries.md): by hand" in topics.entries()


def test_a_file_with_windows_line_ends_is_written_with_ours(topics):
    topics.put(
        "memory/notes/retries.md", "# Retries\r\n\r\n## Actuel\r\n\r\nold\r\n\r\n## Archive\r\n\r\nx\r\n"
    )
    topics.write(content="new")
    assert topics.body("memory/notes/retries.md") == "# Retries\n\n## Actuel\n\nnew\n\n## Archive\n\nx\n"


def test_an_archived_topic_comes_back_when_it_is_written(topics):
    topics.write(hook="h")
    topics.maintain("archive", "memory/notes/retries.md")
    assert topics.entries() == []
    written = topics.write()
    assert written.outcome == "updated"
    assert topics.entries() == ["- [retries](notes/retries.md): h"]
    assert "archived" not in topics.text(written.path)


def test_topics_on_one_slug_have_files_of_their_own(topics):
    topics.write("C++", "templates")
    other = topics.write("C#", "linq")
    assert other.path == "memory/notes/c-951a.md"
    assert other.warnings == (
        "memory/notes/c.md is about 'C++', so 'C#' has its own file, memory/notes/c-951a.md.",
    )
    assert topics.write("C#", "async").outcome == "updated"
    assert topics.body("memory/notes/c.md") == "# C++\n\n## Actuel\n\ntemplates\n"
    assert topics.entries() == ["- [c](notes/c.md): C++", "- [c-951a](notes/c-951a.md): C#"]


def test_headings_of_ours_in_the_content_are_told(topics):
    written = topics.write(content="a\n\n## Archive\n\nb")
    assert "'## Archive'" in written.warnings[0]
    topics.write(content="c", mode="rotate_actuel")
    assert topics.body(written.path).endswith("### [2026-11-30]\na\n\n### Archive\n\nb\n")


def test_lines_of_the_index_that_are_no_entries_stay_and_are_told(topics):
    index = topics.write("Other").index
    topics.put("memory/MEMORY.md", index + "* [x](y)\nsome words\n\n## Mine\n\nkeep\n")
    written = topics.write()
    assert written.warnings == (
        "MEMORY.md has lines that are no entries, which stay below the entries: `* [x](y)`, `some words`.",
    )
    assert written.index.endswith(
        "- [other](notes/other.md): Other\n- [retries](notes/retries.md): Retries\n* [x](y)\nsome words\n\n"
        "## Mine\n\nkeep\n"
    )


def test_an_index_heals_with_the_next_write(topics):
    topics.write("A", hook="first")
    topics.write("B", hook="second")
    index = topics.text("memory/MEMORY.md")
    topics.put("memory/MEMORY.md", index.replace("- [a](notes/a.md): first\n", "- [b](notes/b.md): old\n"))
    written = topics.write("B", hook="second")
    assert (written.outcome, written.commit is None) == ("unchanged", False)
    assert topics.entries() == ["- [a](notes/a.md): first", "- [b](notes/b.md): second"]


def test_a_secret_does_not_get_into_the_file(topics, memory):
    written = topics.write(content=f"The token is {SECRET}", hook=f"uses {SECRET}")
    assert written.redacted
    assert SECRET not in memory.git("log", "-p")
    assert topics.text(written.path).count(REPLACEMENT) == 2
    assert not topics.write("Other").redacted


def test_the_notes_of_another_caller_are_another_wiki(topics, memory):
    topics.write()
    memory.open(caller="ana").caller.topic_writer.write(NOTE, "Retries", "Mine.", CODEX)
    assert "Mine." not in topics.text("memory/notes/retries.md")
    assert (memory.wiki / "_callers" / "ana" / "memory" / "notes" / "retries.md").is_file()


@pytest.mark.parametrize(
    ("how", "begins"),
    [
        ({"topic": "!!!"}, "topic = '!!!' has no ASCII letter or digit"),
        ({"topic": "  "}, "topic is blank"),
        ({"topic": "x" * 301}, "topic = "),
        ({"topic": "a\x07b"}, "topic = 'a\\x07b' contains the control character"),
        ({"topic": "con"}, "topic = 'con' gives the reserved file name con.md"),
        ({"topic": f"token {SECRET}"}, "topic looks like it holds a secret"),
        ({"content": " \n\t"}, "content is blank"),
        ({"content": "a\0b"}, "content contains a NUL character"),
        ({"content": "a\ud800b"}, "content is not valid Unicode"),
        ({"content": "x" * 1_000_000}, "content has 1,000,000 bytes; the limit is 100,000"),
        ({"content": "x" * 50_000_000}, "content has 50,000,000 bytes; the limit is 100,000"),
        ({"content": "é" * 50_001}, "content has 100,002 bytes"),
        ({"hook": "x" * 501}, "hook = "),
        ({"mode": "append"}, "mode = 'append' is neither replace nor rotate_actuel"),
    ],
)
def test_what_breaks_a_rule_is_refused(topics, memory, how, begins):
    topics.write()
    assert memory.refusal(lambda: topics.write(**how)).startswith(begins)


def test_a_refused_first_write_makes_no_folder(topics):
    with pytest.raises(Exception, match="blank"):
        topics.write(content="")
    assert not topics.root.exists()


def test_a_name_of_a_skill_is_called_name(topics, memory):
    assert memory.refusal(lambda: topics.write("???", "x", SKILL)).startswith("name = '???' has no")


@pytest.mark.parametrize(
    ("path", "data", "says"),
    [
        ("memory/notes/retries.md", b"# Retries\n\xff\n", "is not UTF-8 text (byte 0xff on line 2)"),
        (
            "memory/notes/retries.md",
            b"# Retries\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
            "has merge conflict markers at line 2",
        ),
        (
            "memory/MEMORY.md",
            b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
            "MEMORY.md has merge conflict markers",
        ),
        ("memory/MEMORY.md", b"\xff", "memory/MEMORY.md is not UTF-8"),
        (
            "memory/notes/retries.md",
            b"---\n{summary: a, b: c}\n---\n# Retries\n",
            "memory/notes/retries.md cannot",
        ),
    ],
)
def test_a_file_that_a_person_has_to_mend_is_left_alone(topics, memory, path, data, says):
    topics.write("Other")
    topics.put(path, data)
    assert says in memory.refusal(topics.write)


def test_a_symbolic_link_is_never_written_through(topics, memory):
    topics.write("Other")
    outside = memory.root / "outside.md"
    outside.write_text("# Retries\n", encoding="utf-8")
    (topics.root / "memory/notes/retries.md").symlink_to(outside)
    assert "symbolic link" in memory.refusal(topics.write)
    assert outside.read_text(encoding="utf-8") == "# Retries\n"


def test_what_a_person_edited_is_committed_in_the_persons_name_first(topics, memory):
    topics.write(content="v1")
    topics.put("memory/notes/retries.md", topics.text("memory/notes/retries.md") + "\nby hand\n")
    topics.write(content="v2", mode="rotate_actuel")
    assert topics.body("memory/notes/retries.md").endswith("### [2026-11-30]\nv1\n\nby hand\n")
    assert memory.git("log", "--format=%an", "-2").split("\n")[1] == "Ana Pérez"
