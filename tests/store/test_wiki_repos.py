from __future__ import annotations

import os
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import pytest

from memory_mcp.errors import NotFound, Unavailable
from memory_mcp.model.actor import Actor
from memory_mcp.store.commit_message import CommitMessage
from memory_mcp.store.wiki_repos import WikiRepos

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=timezone.utc)
ATTRIBUTES = """\
* -text
*.jsonl merge=union
log.md merge=union
log-*.md merge=union
MEMORY.md merge=union
SKILLS.md merge=union
**/_handoffs/*.md merge=union
**/_messages/*.md merge=union
**/_pending/**/*.md merge=union
_callers/*/tasks/*.md merge=union
"""


class Wiki:
    """A wiki and the product's view of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repos = WikiRepos(root, lambda: NOW)

    def write(self, files: dict[str, str | None]) -> list[str]:
        changes = {path: None if text is None else text.encode() for path, text in files.items()}
        for path, data in changes.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                file.unlink()
            else:
                file.write_bytes(data)
        return self.repos.commit(
            changes, CommitMessage("write-page", ", ".join(changes), Actor("codex", "s1"))
        )

    def git(self, *arguments: str, at: str = "", check: bool = True) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root / at,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "GIT_EDITOR": "true"},
        )
        assert done.returncode == 0 or not check, done.stderr + done.stdout
        return done.stdout.rstrip("\n")


@pytest.fixture
def wiki(tmp_path: Path, config: Path) -> Wiki:
    found = Wiki(tmp_path / "data" / "wiki")
    found.repos.ensure()
    return found


def test_first_use_makes_a_repository_with_its_files_committed(wiki):
    assert (wiki.root / ".gitattributes").read_text(encoding="utf-8") == ATTRIBUTES
    assert ".memory-mcp-tmp.*" in (wiki.root / ".gitignore").read_text(encoding="utf-8")
    assert (
        (wiki.root / ".memory-mcp.toml").read_text(encoding="utf-8").startswith("[wiki]\nformat = 1\nid = ")
    )
    assert wiki.git("status", "--short") == ""
    assert (
        wiki.git("log", "--format=%an %s") == "memory-mcp init: .gitattributes, .gitignore, .memory-mcp.toml"
    )


def test_second_use_changes_nothing(wiki):
    before = wiki.git("rev-parse", "HEAD")
    wiki.repos.ensure()
    WikiRepos(wiki.root).ensure()
    assert wiki.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize(
    "step", ["git.import", "git.imported", "git.ref-moved", "git.index-told", "file.renamed"]
)
def test_a_kill_while_the_wiki_is_made_is_taken_up_by_the_next_process(tmp_path, config, step):
    from memory_mcp.store import steps

    def die(reached: str) -> None:
        if reached == step:
            raise KeyboardInterrupt

    wiki = Wiki(tmp_path / "wiki")
    steps.listeners.append(die)
    try:
        with pytest.raises(KeyboardInterrupt):
            wiki.repos.ensure()
    finally:
        steps.listeners.remove(die)
    again = Wiki(tmp_path / "wiki")
    again.repos.ensure()
    again.repos.repair()
    assert again.git("status", "--short") == ""
    assert again.git("log", "--format=%an") == "memory-mcp"


def test_an_existing_folder_is_adopted_without_touching_what_is_there(tmp_path, config):
    wiki = Wiki(tmp_path / "vault")
    (wiki.root / "notes").mkdir(parents=True)
    (wiki.root / "notes/x.md").write_bytes(b"mine\r\n")
    (wiki.root / ".gitignore").write_bytes(b"private/\n")
    (wiki.root / ".gitattributes").write_bytes(b"*.png binary\n*.jsonl merge=ours\n")
    (wiki.root / ".memory-mcp.toml").write_bytes(b"# mine\n[lint]\nselect = []")
    wiki.repos.ensure()
    assert (wiki.root / "notes/x.md").read_bytes() == b"mine\r\n"
    assert (wiki.root / ".gitignore").read_bytes() == b"private/\n"
    attributes = (wiki.root / ".gitattributes").read_text(encoding="utf-8")
    assert attributes.endswith("*.png binary\n*.jsonl merge=ours\n")
    assert "*.jsonl merge=union" not in attributes
    assert "* -text" in attributes
    table = (wiki.root / ".memory-mcp.toml").read_text(encoding="utf-8")
    assert table.startswith("# mine\n[lint]\nselect = []\n\n[wiki]\nformat = 1\n")
    assert wiki.git("status", "--short") == "?? .gitignore\n?? notes/"


def test_a_clone_of_a_wiki_is_taken_as_it_is(wiki, tmp_path):
    wiki.write({"acme/p/a.md": "a\n"})
    wiki.git("clone", "-q", str(wiki.root), str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone")
    clone.repos.ensure()
    assert clone.git("rev-parse", "HEAD") == wiki.git("rev-parse", "HEAD")
    assert clone.git("status", "--short") == ""


def test_an_uncommitted_edit_of_the_attributes_is_committed_apart(tmp_path, config, wiki):
    (wiki.root / ".gitattributes").write_bytes(b"*.md mine\n")
    WikiRepos(wiki.root, lambda: NOW).ensure()
    assert wiki.git("log", "-2", "--format=%an").splitlines() == ["memory-mcp", "Ana Pérez"]
    assert (wiki.root / ".gitattributes").read_text(encoding="utf-8") == ATTRIBUTES + "*.md mine\n"


def test_a_wiki_of_a_newer_format_is_refused(wiki):
    (wiki.root / ".memory-mcp.toml").write_bytes(b"[wiki]\nformat = 2\n")
    with pytest.raises(Unavailable, match="format 2"):
        WikiRepos(wiki.root).ensure()


def test_a_broken_settings_file_is_left_to_the_person(wiki):
    (wiki.root / ".memory-mcp.toml").write_bytes(b"[wiki\n")
    WikiRepos(wiki.root).ensure()
    assert (wiki.root / ".memory-mcp.toml").read_bytes() == b"[wiki\n"


def test_temporary_files_are_not_seen_by_git(wiki):
    (wiki.root / "acme").mkdir()
    (wiki.root / "acme/.memory-mcp-tmp.0123").write_bytes(b"half")
    assert wiki.git("status", "--short") == ""
    assert wiki.repos.uncommitted("") == []


@pytest.fixture
def nested(wiki) -> Wiki:
    """The workspace `team` is a repository of its own, with one page and one line of attributes."""
    wiki.write({"acme/p/a.md": "a\n"})
    (wiki.root / "team/p").mkdir(parents=True)
    (wiki.root / "team/p/t.md").write_text("t\n", encoding="utf-8")
    (wiki.root / "team/.gitattributes").write_text("*.md diff=markdown\n", encoding="utf-8")
    wiki.git("init", "-q", "-b", "main", at="team")
    wiki.git("add", "-A", at="team")
    wiki.git("commit", "-qm", "team", at="team")
    return wiki


def test_a_nested_repository_takes_its_own_commits_and_the_root_ignores_it(nested):
    commits = nested.write({"acme/p/b.md": "b\n", "team/p/u.md": "u\n"})
    assert len(commits) == 2
    assert nested.git("show", "--name-only", "--format=", "HEAD") == "acme/p/b.md"
    assert nested.git("show", "--name-only", "--format=", "HEAD", at="team") == "p/u.md"
    assert nested.git("status", "--short") == ""
    assert nested.git("status", "--short", at="team") == ""


def test_a_nested_repository_gets_the_attributes_it_lacks_with_our_first_commit(nested):
    nested.write({"team/p/u.md": "u\n"})
    nested.write({"team/p/u.md": "u2\n"})
    attributes = (nested.root / "team/.gitattributes").read_text(encoding="utf-8")
    assert (
        attributes == ATTRIBUTES.replace("_callers/*/tasks/*.md merge=union\n", "") + "*.md diff=markdown\n"
    )
    subjects = nested.git("log", "--format=%s", at="team").splitlines()
    assert subjects == ["write-page: team/p/u.md", "write-page: team/p/u.md", "init: .gitattributes", "team"]


def test_reading_a_nested_repository_changes_nothing_in_it(nested):
    nested.repos.repo_of("team/p/t.md")
    nested.repos.log("team/p", 5)
    nested.repos.problems()
    assert nested.git("status", "--short", at="team") == ""
    assert nested.git("log", "--format=%s", at="team") == "team"


def test_a_repository_that_appears_while_the_server_runs_is_noticed(wiki):
    assert wiki.repos.repo_of("acme/p/a.md") == (wiki.repos.repo_of("x/y/z.md")[0], "acme/p/a.md")
    (wiki.root / "acme/p").mkdir(parents=True)
    wiki.git("init", "-q", at="acme/p")
    repo, path = wiki.repos.repo_of("acme/p/sub/a.md")
    assert (repo.root, path) == (wiki.root / "acme/p", "sub/a.md")
    assert list(wiki.repos.everywhere()) == ["", "acme/p"]


def test_an_empty_git_folder_is_no_repository(wiki):
    (wiki.root / "acme/.git").mkdir(parents=True)
    assert wiki.repos.repo_of("acme/p/a.md")[0].root == wiki.root


def test_log_and_versions_speak_wiki_paths(nested):
    first = nested.write({"team/p/u.md": "1\n"})[0]
    nested.write({"team/p/u.md": "2\n"})
    nested.write({"team/p/u.md": None})
    log = nested.repos.log("team/p/u.md", 5)
    assert [info.paths for info in log] == [("team/p/u.md",)] * 3
    assert nested.repos.version("team/p/u.md", first[:8]) == (first[:8], b"1\n")
    source, data = nested.repos.version("team/p/u.md", "")
    assert (source, data) == (log[1].commit, b"2\n")
    with pytest.raises(NotFound):
        nested.repos.version("team/p/never.md", "")
    assert {path for info in nested.repos.log("", 50) for path in info.paths} >= {
        "acme/p/a.md",
        "team/p/t.md",
    }
    assert {info.paths for info in nested.repos.log("team", 50)} >= {("team/p/u.md",)}


def test_last_changes_join_commits_and_uncommitted_files(nested):
    os.utime(nested.root / "team/p/t.md", (1, 1))
    nested.git("commit", "-q", "--allow-empty", "-m", "x")
    (nested.root / "acme/p/hand.md").write_bytes(b"h\n")
    os.utime(nested.root / "acme/p/hand.md", (5, 5))
    among = {"acme/p/a.md", "acme/p/hand.md", "team/p/t.md"}
    times = nested.repos.last_changes("", among, 10)
    assert set(times) == among
    assert times["acme/p/a.md"] == NOW.timestamp()
    assert times["acme/p/hand.md"] == 5
    assert list(nested.repos.last_changes("acme/p", {"acme/p/a.md", "acme/p/hand.md"}, 1)) == ["acme/p/a.md"]


def test_hand_edits_and_uncommitted_files_of_both_repositories_are_found(nested):
    (nested.root / "acme/p/a.md").write_bytes(b"edited\n")
    (nested.root / "team/p/t.md").write_bytes(b"edited\n")
    assert nested.repos.uncommitted("") == ["acme/p/a.md", "team/p/t.md"]
    assert nested.repos.uncommitted("team/p") == ["team/p/t.md"]
    assert nested.repos.commit_hand_edits(["acme/p/a.md", "team/p/t.md"]) == ["acme/p/a.md", "team/p/t.md"]
    assert nested.repos.uncommitted("") == []


def test_files_that_vanish_without_a_commit_are_not_gone_from_head(nested):
    (nested.root / "acme/p/a.md").unlink()
    assert not nested.repos.gone_from_head(["acme/p/a.md"])
    nested.repos.commit_hand_edits(["acme/p/a.md"])
    assert nested.repos.gone_from_head(["acme/p/a.md"])


def test_files_of_a_nested_repository_that_vanished_as_a_whole_are_not_gone_from_head(nested):
    nested.write({"team/p/u.md": "u\n"})
    (nested.root / "team").rename(nested.root.parent / "moved")
    assert not nested.repos.gone_from_head(["team/p/u.md", "team/p/t.md"])


def test_repair_brings_back_in_nested_repositories_too(nested):
    nested.write({"team/p/u.md": "u\n"})
    nested.git("checkout", "-q", "--detach", at="team")
    nested.write({"team/p/u.md": "u2\n"})
    assert any("HEAD is detached" in problem for problem in nested.repos.problems())
    nested.git("checkout", "-q", "main", at="team")
    fresh = WikiRepos(nested.root, lambda: NOW)
    assert fresh.may_need_repair()
    assert fresh.repair() == ["team/p/u.md"]
    assert not fresh.may_need_repair()
    assert (nested.root / "team/p/u.md").read_bytes() == b"u2\n"
    assert nested.git("status", "--short", at="team") == ""


def test_problems_name_conflicts_and_what_did_not_come_back(nested):
    nested.write({"team/p/u.md": "u\n"})
    nested.git("checkout", "-q", "--detach", at="team")
    (kept,) = nested.write({"team/p/u.md": "kept\n"})
    nested.git("checkout", "-q", "main", at="team")
    nested.write({"team/p/u.md": "branch\n"})
    nested.repos.repair()
    (problem,) = nested.repos.problems()
    assert problem.startswith("team/p/u.md: ")
    assert f"git show {kept}:p/u.md" in problem


def test_describe_says_where_the_repository_is(nested):
    assert nested.repos.describe("team/p")["repository"] == str(nested.root / "team")
    assert nested.repos.describe("acme/p")["branch"] == "main"
    assert WikiRepos(nested.root / "nowhere").describe("acme/p") == {}


def test_a_wiki_that_is_not_there_yet_is_read_as_empty(tmp_path):
    repos = WikiRepos(tmp_path / "none")
    assert (repos.everywhere(), repos.log("a/b", 5), repos.problems()) == ({}, [], [])
    assert repos.last_changes("", [], 5) == {}
    assert not repos.may_need_repair()
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("way", ["merge", "rebase"])
def test_two_clones_that_write_pages_and_logs_join_without_loss(tmp_path, config, wiki, way):
    log = "acme/p/log-2026-11.md"
    head = "# Log 2026-11\n\n"
    wiki.write({"acme/p/a.md": "a\n", log: head + "## [2026-11-30T12:00:00Z] x | first\n"})
    wiki.git("clone", "-q", "--bare", str(wiki.root), str(tmp_path / "remote.git"))
    machines = []
    for name in ("one", "two"):
        wiki.git("clone", "-q", str(tmp_path / "remote.git"), str(tmp_path / name))
        machines.append(Wiki(tmp_path / name))
        machines[-1].repos.ensure()
        machines[-1].git("config", "pull.rebase", "true" if way == "rebase" else "false")
    for number in range(5):
        for machine in machines:
            name = machine.root.name
            old = (machine.root / log).read_text(encoding="utf-8")
            entry = f"## [2026-11-30T12:0{number}:00Z] write-page | {name}-{number}\n"
            machine.write({f"acme/p/{name}-{number}.md": f"{number}\n", log: old + entry})
        if number % 2:
            for machine in machines:
                machine.git("pull", "-q", "--no-edit")
                machine.git("push", "-q")
    for machine in (*machines, *machines):
        machine.git("pull", "-q", "--no-edit")
        machine.git("push", "-q")
    assert machines[0].git("rev-parse", "HEAD") == machines[1].git("rev-parse", "HEAD")
    for machine in machines:
        text = (machine.root / log).read_text(encoding="utf-8")
        for number in range(5):
            for name in ("one", "two"):
                assert (machine.root / f"acme/p/{name}-{number}.md").exists()
                assert text.count(f"| {name}-{number}\n") == 1
        assert text.startswith(head)
        assert machine.git("status", "--short") == ""
