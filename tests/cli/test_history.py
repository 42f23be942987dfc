"""`commit`, `checkpoints` and `restore-page`."""

import subprocess

import pytest


@pytest.fixture
def page(memory, wiki):
    """A page with two versions."""
    memory("write-page", "a.md", stdin=b"# One\n")
    memory("write-page", "a.md", stdin=b"# Two\n")
    return wiki / "default" / "app" / "a.md"


def test_checkpoints_are_the_commits_newest_first(memory, page):
    commits = memory("checkpoints", "--json").json["checkpoints"]
    assert [each["operation"] for each in commits] == ["write-page", "write-page"]
    assert commits[0]["actor"] == "cli"
    assert "default/app/a.md" in commits[0]["paths"]
    assert "session" not in commits[0]
    assert len(memory("checkpoints", "--limit", "1", "--json").json["checkpoints"]) == 1
    assert memory("checkpoints").out.splitlines()[1].startswith(commits[0]["commit"][:12])


def test_checkpoints_of_one_page(memory, page):
    memory("write-page", "b.md", stdin=b"# B\n")
    commits = memory("checkpoints", "--path", "a.md", "--json").json["checkpoints"]
    assert ["default/app/a.md" in each["paths"] for each in commits] == [True, True]
    assert memory("checkpoints", "--path", "none.md").out.startswith("no commits of none.md")


def test_an_old_version_is_restored_and_that_can_be_undone(memory, page):
    newest, oldest = memory("checkpoints", "--path", "a.md", "--json").json["checkpoints"]
    done = memory("restore-page", "a.md", "--from", oldest["commit"][:10], "--json").json
    assert done["restored"] is True
    assert page.read_bytes().endswith(b"# One\n")
    memory("restore-page", "a.md", "--from", newest["commit"])
    assert page.read_bytes().endswith(b"# Two\n")
    again = memory("restore-page", "a.md", "--from", newest["commit"])
    assert again.out.endswith("nothing was changed\n")


def test_a_deleted_page_comes_back(memory, page):
    memory("delete-page", "a.md")
    assert memory("restore-page", "a.md").out.startswith("restored a.md from ")
    assert page.read_bytes().endswith(b"# Two\n")


@pytest.mark.parametrize(
    "args",
    [
        ["none.md"],
        ["a.md", "--from", "0123abc"],
        ["a.md", "--from=--all"],
        ["../a.md"],
        ["a.md", "--from", "x y"],
    ],
)
def test_restoring_what_was_never_there_is_a_sentence(memory, page, unchanged, args):
    unchanged()
    done = memory("restore-page", *args)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")


def test_hand_edits_are_committed_in_the_name_of_the_person(memory, page, wiki):
    subprocess.run(["git", "-C", wiki, "config", "user.name", "Ana"], check=True)
    subprocess.run(["git", "-C", wiki, "config", "user.email", "ana@example.invalid"], check=True)
    page.write_bytes(page.read_bytes() + b"mine\n")
    (page.parent / "new.md").write_bytes(b"# New\n")
    assert memory("commit", "--json").json["committed"] == ["default/app/a.md", "default/app/new.md"]
    log = subprocess.run(
        ["git", "-C", wiki, "log", "-1", "--format=%an"], capture_output=True, text=True, check=True
    )
    assert log.stdout == "Ana\n"
    assert memory("commit").out.startswith("nothing to commit in default/app")


def test_commit_takes_its_own_project_or_all(memory, page, wiki):
    other = wiki / "acme" / "web" / "n.md"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"# N\n")
    assert memory("commit", "--json").json["committed"] == []
    assert memory("commit", "--all", "--json").json == {"committed": ["acme/web/n.md"]}
    assert memory("commit", "--all", "--project", "app").code == 1
