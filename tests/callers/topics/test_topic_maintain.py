"""Touching, archiving, keeping and pruning."""

import os

import pytest

from memory_mcp.callers.topics.topic_kind import SKILL
from memory_mcp.errors import NotFound

PATH = "memory/notes/retries.md"


def updated(topics, path=PATH):
    [line] = [line for line in topics.text(path).split("\n") if line.startswith("updated: ")]
    return line


def test_touching_moves_updated_and_nothing_else(topics, memory):
    topics.write(hook="h")
    before, text = updated(topics), topics.text(PATH)
    done = topics.maintain("touch", PATH)
    assert (done.changed, done.path, done.file) == (True, PATH, topics.root / PATH)
    assert updated(topics) > before
    assert topics.text(PATH) == text.replace(before, updated(topics))
    assert memory.operations()[-1] == "memory-touch"


def test_an_archived_note_leaves_the_index_and_stays_a_file(topics):
    topics.write("A")
    topics.write()
    body = topics.body(PATH)
    done = topics.maintain("archive", f"/{PATH}")
    assert (done.changed, done.commit is not None) == (True, True)
    assert topics.entries() == ["- [a](notes/a.md): A"]
    assert topics.text(PATH).endswith(f"archived: true\n---\n{body}")
    again = topics.maintain("archive", PATH)
    assert (again.changed, again.commit) == (False, None)


def test_a_permanent_skill_stays_in_the_index(topics):
    topics.write("Deploy", "x", SKILL)
    assert topics.maintain("mark_permanent", "/skills/deploy.md").changed
    assert "\npermanent: true\n---\n" in topics.text("skills/deploy.md")
    assert topics.entries("skills/SKILLS.md") == ["- [deploy](deploy.md): Deploy"]
    assert not topics.maintain("mark_permanent", "skills/deploy.md").changed
    topics.write("Deploy", "y", SKILL)
    assert "permanent: true" in topics.text("skills/deploy.md")


def test_touching_the_profile_sets_the_time_of_its_file(topics, memory):
    topics.write()
    file = topics.root / "memory" / "USER.md"
    text = file.read_bytes()
    os.utime(file, (1, 1))
    done = topics.maintain("touch", "memory/USER.md")
    assert (done.changed, done.commit) == (True, None)
    assert file.stat().st_mtime == pytest.approx(memory.now.timestamp(), abs=2)
    assert file.read_bytes() == text


def test_pruning_removes_the_entry_of_a_missing_file(topics):
    topics.write("A")
    topics.write()
    (topics.root / PATH).unlink()
    assert topics.maintain("prune", PATH).changed
    assert topics.entries() == ["- [a](notes/a.md): A"]


def test_the_file_of_a_person_gets_the_key_alone(topics):
    topics.write()
    topics.put("memory/notes/mine.md", "# Mine\n\ntext\n")
    topics.maintain("archive", "memory/notes/mine.md")
    assert topics.text("memory/notes/mine.md") == "---\narchived: true\n---\n# Mine\n\ntext\n"


@pytest.mark.parametrize(
    ("action", "path", "says"),
    [
        ("delete", PATH, "action = 'delete' is none of touch, archive, mark_permanent, prune."),
        ("touch", "memory/notes/none.md", "path = 'memory/notes/none.md' does not exist"),
        ("archive", "memory/USER.md", "action = 'archive' is for notes and skills"),
        ("prune", PATH, f"path = '{PATH}' exists"),
        ("prune", "memory/notes/none.md", "is no entry of memory/MEMORY.md"),
    ],
)
def test_what_cannot_be_done_is_refused(topics, memory, action, path, says):
    topics.write()
    assert says in memory.refusal(lambda: topics.maintain(action, path))


@pytest.mark.parametrize(
    "path",
    [
        "",
        "memory/log.md",
        "memory/MEMORY.md",
        "skills/SKILLS.md",
        "tasks/x.md",
        "memory/notes/../USER.md",
        "../ana/memory/notes/retries.md",
        "/etc/passwd",
        "memory/notes/deep/x.md",
        "memory/notes/.hidden.md",
        "memory/notes/x.txt",
        "memory\\notes\\retries.md",
        "memory/notes/retries.md\0",
        "memory/notes/a\0b.md",
        "memory/notes/a\\b.md",
        "//memory/notes/retries.md",
        "C:/x.md",
    ],
)
def test_a_path_outside_of_the_roots_is_refused_and_the_roots_are_named(topics, memory, path):
    topics.write()
    sentence = memory.refusal(lambda: topics.maintain("touch", path))
    assert sentence.startswith("path = ")
    assert "memory/notes/<slug>.md, skills/<slug>.md or memory/USER.md" in sentence


def test_an_absolute_file_is_refused(topics, memory):
    file = topics.write().file
    assert "cannot be maintained" in memory.refusal(lambda: topics.maintain("touch", str(file)))


def test_a_symbolic_link_is_refused(topics, memory):
    topics.write()
    outside = memory.root / "outside.md"
    outside.write_text("# Out\n", encoding="utf-8")
    (topics.root / "memory/notes/out.md").symlink_to(outside)
    assert "symbolic link" in memory.refusal(lambda: topics.maintain("archive", "memory/notes/out.md"))
    assert outside.read_text(encoding="utf-8") == "# Out\n"


def test_a_profile_that_is_missing_cannot_be_touched(topics):
    with pytest.raises(NotFound, match="does not exist yet"):
        topics.maintain("touch", "memory/USER.md")
    assert not topics.root.exists()
