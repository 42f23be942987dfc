"""What lint finds in the files of a caller."""

from __future__ import annotations

import os

import pytest

from memory_mcp.callers.caller_facts import read_facts
from memory_mcp.callers.caller_lint import CODES, lint, needs_mending
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.callers.topics.topic_index import empty_index
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from tests.callers.prompt.files import NOW, PROFILE, facts, index, note, put, topic


def found(*topics, **how):
    """Codes and subjects of the findings."""
    return [(finding.code, finding.subject) for finding in lint(facts(*topics, **how))]


def test_of_a_caller_without_files_only_the_empty_profile_is_told(memory):
    findings = lint(read_facts(memory.app.caller.folder, NOW))
    assert [(each.code, each.severity, each.path) for each in findings] == [
        ("profile-empty", "info", "memory/USER.md")
    ]
    assert not needs_mending(findings)
    assert not memory.wiki.joinpath("_callers").exists()


def test_a_known_person_and_an_indexed_note_are_clean():
    assert found(topic("a"), topic("deploy", kind=SKILL)) == []


@pytest.mark.parametrize(("days", "stale"), [(59, False), (60, False), (60.1, True), (400, True)])
def test_a_note_is_stale_after_sixty_days(days, stale):
    assert found(topic("a", note(days_old=days))) == ([("stale", "memory/notes/a.md")] if stale else [])


def test_without_a_date_of_its_own_the_file_system_tells_the_age(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/MEMORY.md", index("MEMORY.md", "- [a](notes/a.md): a", "- [b](notes/b.md): b"))
    old = put(memory, "memory/notes/a.md", "# A\n\n## Actuel\n\nText.\n")
    odd = put(memory, "memory/notes/b.md", "---\nupdated: last week\n---\n# B\n\n## Actuel\n\nText.\n")
    seconds = NOW.timestamp() - 61 * 86_400
    os.utime(old, (seconds, seconds))
    os.utime(odd, (NOW.timestamp(), NOW.timestamp()))
    findings = lint(read_facts(memory.app.caller.folder, NOW))
    assert [(each.code, each.path) for each in findings] == [("stale", "memory/notes/a.md")]


def test_a_date_of_its_own_counts_whatever_a_checkout_did_to_the_file(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/MEMORY.md", index("MEMORY.md", "- [a](notes/a.md): a"))
    file = put(memory, "memory/notes/a.md", note(days_old=1))
    os.utime(file, (0, 0))
    assert lint(read_facts(memory.app.caller.folder, NOW)) == []


@pytest.mark.parametrize("key", ["permanent: true\n", "archived: true\n"])
def test_a_permanent_or_archived_note_is_never_stale(key):
    assert found(topic("a", note(days_old=400, extra=key))) == []


def test_a_file_that_no_index_lists_is_an_orphan_unless_it_is_archived():
    topics = [
        topic("a"),
        topic("b", note(extra="permanent: true\n")),
        topic("c", note(extra="archived: true\n")),
    ]
    assert found(*topics, notes=empty_index(NOTE)) == [
        ("orphan", "memory/notes/a.md"),
        ("orphan", "memory/notes/b.md"),
    ]


def test_a_file_that_the_other_index_lists_is_no_orphan():
    listed = index("SKILLS.md", "- [a](/memory/notes/a.md): a")
    codes = {code for code, _ in found(topic("a"), notes=empty_index(NOTE), skills=listed)}
    assert "orphan" not in codes


def test_a_slug_twice_in_one_index_is_a_duplicate_and_once_in_each_is_none():
    twice = index("MEMORY.md", "- [a](notes/a.md): x", "- [b](notes/b.md): x", "- [a](notes/a.md): y")
    topics = [topic("a"), topic("b"), topic("a", kind=SKILL)]
    assert found(*topics, notes=twice) == [("duplicate", "a")]


def test_lines_that_are_no_entries_are_told_with_their_place():
    text = index("MEMORY.md", "- [a](notes/a.md): a", "* [b](notes/b.md): b", "- [c](notes/c.md) no colon")
    findings = lint(facts(topic("a"), notes=text))
    assert [(each.code, each.line, each.subject) for each in findings] == [
        ("malformed", 7, "memory/MEMORY.md:7"),
        ("malformed", 8, "memory/MEMORY.md:8"),
    ]
    assert "* [b](notes/b.md): b" in findings[0].message


def test_a_file_without_a_name_is_told_wherever_it_stands(memory):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/notes/.md", "text")
    put(memory, "skills/SKILLS.md", index("SKILLS.md", "- [x](.md): x"))
    findings = lint(read_facts(memory.app.caller.folder, NOW))
    paths = [each.path for each in findings if each.code == "empty-slug"]
    assert paths == ["memory/notes/.md", "skills/.md"]


@pytest.mark.parametrize(
    "text", ["# A\n\nText.\n", "# A\n\n## Actuelly\n\nText.\n", "# A\n\n```\n## Actuel\n```\n"]
)
def test_a_note_without_its_heading_is_told(text):
    assert ("missing-actuel", "memory/notes/a.md") in found(topic("a", text))


@pytest.mark.parametrize("size", [6_600, 6_601])
def test_profile_and_indexes_together_have_a_budget(size):
    others = len(index("MEMORY.md")) + len(empty_index(SKILL))
    profile = PROFILE + "x" * (size - others - len(PROFILE))
    expected = [("over-budget", "6601")] if size > 6_600 else []
    assert found(profile=profile, notes=index("MEMORY.md")) == expected


def test_a_long_index_alone_is_over_budget_and_named():
    lines = [f"- [n{n}](notes/n{n}.md): {'x' * 60}" for n in range(100)]
    findings = lint(facts(notes=index("MEMORY.md", *lines)))
    assert [each.path for each in findings if each.code == "over-budget"] == ["memory/MEMORY.md"]


def test_a_profile_of_free_text_is_told_as_advice():
    findings = lint(facts(profile="Ana likes tea.\n"))
    assert [(each.code, each.severity) for each in findings] == [("profile-legacy", "info")]
    assert lint(facts(profile=EMPTY_PROFILE))[0].code == "profile-empty"


def test_entries_without_a_file_dangle_also_those_that_lead_elsewhere():
    listed = index(
        "MEMORY.md",
        "- [gone](notes/gone.md): x",
        "- [out](../../ana/memory/notes/a.md): x",
        "- [web](https://example.org): x",
        "- [a](/memory/notes/a.md): x",
    )
    assert found(topic("a"), notes=listed) == [
        ("dangling", "memory/notes/gone.md"),
        ("dangling", "../../ana/memory/notes/a.md"),
        ("dangling", "https://example.org"),
    ]


@pytest.mark.parametrize(
    "path", ["memory/USER.md", "memory/MEMORY.md", "skills/SKILLS.md", "memory/notes/a.md"]
)
@pytest.mark.parametrize("text", [b"\xff\xfe", b"# A\n\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"])
def test_a_file_that_cannot_be_read_is_an_error(memory, path, text):
    put(memory, "memory/USER.md", PROFILE)
    put(memory, "memory/MEMORY.md", index("MEMORY.md", "- [a](notes/a.md): a"))
    put(memory, "memory/notes/a.md", note())
    put(memory, path, text)
    findings = lint(read_facts(memory.app.caller.folder, NOW))
    errors = [each for each in findings if each.severity == "error"]
    assert [(each.code, each.path) for each in errors] == [("unreadable", path)]
    assert path in errors[0].message
    assert not {each.code for each in findings} & {"profile-empty", "profile-legacy", "stale"}


def test_a_link_in_the_place_of_a_file_is_not_followed(memory):
    secret = memory.root / "secret.md"
    secret.write_text(PROFILE, encoding="utf-8")
    file = put(memory, "memory/USER.md", "")
    file.unlink()
    file.symlink_to(secret)
    facts_ = read_facts(memory.app.caller.folder, NOW)
    assert facts_.profile == ""
    assert [each.path for each in lint(facts_) if each.code == "unreadable"] == ["memory/USER.md"]


def test_findings_come_in_the_order_of_their_codes():
    topics = [topic("a", "no heading"), topic("b", note(days_old=90))]
    listed = index("MEMORY.md", "- [gone](notes/gone.md): x", "- [gone](notes/gone.md): x", "odd")
    codes = [code for code, _ in found(*topics, notes=listed, unreadable=(("memory/log.md", "odd"),))]
    assert codes == sorted(codes, key=CODES.index)
    assert set(codes) == {
        "stale",
        "orphan",
        "duplicate",
        "malformed",
        "missing-actuel",
        "dangling",
        "unreadable",
    }
