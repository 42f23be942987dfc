"""The line of commits that led to HEAD, and what each of them changed."""

from __future__ import annotations

import os

import pytest

from memory_mcp.errors import Unavailable
from memory_mcp.store.git_history import GitHistory
from tests.store.conftest import Person


def blob(person: Person, path: str, commit: str = "HEAD") -> str:
    return person.git("rev-parse", f"{commit}:{path}")


def test_each_commit_tells_what_became_of_its_files(person: Person) -> None:
    first = person.git("rev-parse", "HEAD")
    second = person.save("dir/caf\u00e9 \t x.md", "c\n")
    person.git("rm", "-q", "a.md")
    os.symlink("a.md", person.root / "link.md")
    (person.root / "b.md").unlink()
    os.symlink("a.md", person.root / "b.md")
    person.git("add", "-A")
    person.git("commit", "-qm", "third")
    person.git("commit", "-qm", "nothing", "--allow-empty")
    head = person.git("rev-parse", "HEAD")
    line = GitHistory(person.root).first_parents(None, head)
    assert line is not None
    assert [commit.commit for commit in line] == person.git("log", "--reverse", "--format=%H").split()
    assert [commit.parent for commit in line] == [None, first, second, line[2].commit]
    assert [commit.blobs for commit in line] == [
        {"a.md": blob(person, "a.md", first), "b.md": blob(person, "b.md", first)},
        {"dir/caf\u00e9 \t x.md": blob(person, "dir/caf\u00e9 \t x.md")},
        {"a.md": None, "b.md": None, "link.md": None},
        {},
    ]
    assert [commit.time for commit in line] == [
        int(time) for time in person.git("log", "--reverse", "--format=%ct").split()
    ]


def test_only_what_is_new_is_told(person: Person) -> None:
    first = person.git("rev-parse", "HEAD")
    second = person.save("c.md", "c\n")
    third = person.save("c.md", "d\n")
    history = GitHistory(person.root)
    assert [c.commit for c in history.first_parents(first, third) or ()] == [second, third]
    assert history.first_parents(third, third) == []


def test_a_commit_that_is_not_on_the_line_is_no_beginning(person: Person) -> None:
    first = person.git("rev-parse", "HEAD")
    person.git("checkout", "-qb", "side")
    side = person.save("side.md", "x\n")
    person.git("checkout", "-q", "main")
    main = person.save("main.md", "x\n")
    history = GitHistory(person.root)
    assert history.first_parents(side, main) is None, "on another branch"
    assert history.first_parents(main, first) is None, "later than HEAD"
    assert history.first_parents("1" * 40, main) is None, "not there"
    person.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = person.git("rev-parse", "HEAD")
    assert history.first_parents(side, merge) is None, "merged, but not the first parent"
    line = history.first_parents(main, merge)
    assert line is not None
    assert [(commit.commit, commit.parent) for commit in line] == [(merge, main)]
    assert line[0].blobs == {"side.md": blob(person, "side.md")}


def test_a_head_that_is_damaged_is_an_error(person: Person) -> None:
    first = person.git("rev-parse", "HEAD")
    with pytest.raises(Unavailable):
        GitHistory(person.root).first_parents(first, "1" * 40)


def test_the_root_commit_counts_whatever_the_repository_says(person: Person) -> None:
    person.git("config", "log.showRoot", "false")
    person.git("config", "log.diffMerges", "off", check=False)
    line = GitHistory(person.root).first_parents(None, person.git("rev-parse", "HEAD"))
    assert line is not None
    assert sorted(line[0].blobs) == ["a.md", "b.md"]


def test_sizes_of_blobs_are_told_without_reading_them(person: Person) -> None:
    person.save("long.md", "x" * 1000)
    history = GitHistory(person.root)
    commit = person.git("rev-parse", "HEAD")
    long, short = blob(person, "long.md"), blob(person, "a.md")
    assert history.blob_sizes([long, short, commit, "1" * 40]) == {long: 1000, short: 2}
    assert history.blob_sizes([]) == {}
