from __future__ import annotations

import pytest

from memory_mcp.store.git_kept import BroughtBack, bring_back, kept_conflicts
from memory_mcp.store.git_repo import GitRepo


def diverge(person) -> None:
    """Two branches that both changed a.md; main is checked out."""
    person.git("checkout", "-qb", "side")
    person.save("a.md", "side\n")
    person.git("checkout", "-q", "main")
    person.save("a.md", "main\n")


def resolve(person, *continuation: str) -> None:
    person.put("a.md", "both\n")
    person.git("add", "a.md")
    person.git(*continuation)


def check_all_is_back(person, repo) -> None:
    fresh = GitRepo(person.root)
    result = bring_back(fresh)
    assert result.conflicts == ()
    assert person.git("show", "HEAD:new.md") == "tool"
    assert person.git("show", "HEAD:b.md") == "tool"
    assert (person.read("b.md"), person.read("new.md")) == ("tool\n", "tool\n")
    assert person.status() == ""
    assert person.git("branch", "--show-current") == "main"
    assert person.git("for-each-ref", "refs/memory-mcp/") == ""
    assert not fresh.may_need_repair()
    assert not repo.may_need_repair()


@pytest.mark.parametrize("end", ["--continue", "--abort"])
@pytest.mark.parametrize("start", ["rebase", "rebase --apply", "cherry-pick", "merge"])
def test_what_was_written_in_the_middle_of_an_operation_survives_its_end(person, tool, start, end):
    diverge(person)
    person.fails(*start.split(), "side")
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    assert person.git("show", "HEAD:new.md") == "tool"
    if end == "--continue":
        resolve(person, start.split()[0], end)
    else:
        person.git(start.split()[0], end)
    check_all_is_back(person, tool.repo)


@pytest.mark.parametrize("end", ["--continue", "--abort"])
def test_what_was_written_during_a_revert_survives_its_end(person, tool, end):
    first = person.save("a.md", "x\n")
    person.save("a.md", "y\n")
    person.fails("revert", "--no-edit", first)
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    if end == "--continue":
        resolve(person, "revert", end)
    else:
        person.git("revert", end)
    check_all_is_back(person, tool.repo)


def test_what_was_written_during_a_series_of_picks_survives_that_it_is_thrown_away(person, tool):
    person.git("checkout", "-qb", "side")
    person.save("c.md", "c\n")
    person.save("a.md", "side\n")
    person.git("checkout", "-q", "main")
    person.save("a.md", "main\n")
    person.fails("cherry-pick", "side~1", "side")
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    person.git("cherry-pick", "--quit")
    person.git("reset", "-q", "--hard", "HEAD~2")
    check_all_is_back(person, tool.repo)


def test_what_was_written_during_a_bisect_comes_back(person, tool):
    for number in range(4):
        person.save("c.md", f"{number}\n")
    person.git("bisect", "start", "HEAD", "HEAD~4")
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    person.git("bisect", "reset")
    check_all_is_back(person, tool.repo)


def test_what_was_written_on_a_detached_head_comes_back_with_its_author(person, tool):
    person.save("a.md", "2\n")
    person.git("checkout", "-q", "HEAD~1")
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    assert bring_back(tool.repo) == BroughtBack((), ())
    assert not tool.repo.may_need_repair()
    person.git("checkout", "-q", "main")
    assert person.git("ls-tree", "--name-only", "HEAD").split() == ["a.md", "b.md"]
    assert tool.repo.may_need_repair()
    check_all_is_back(person, tool.repo)
    assert person.git("log", "-1", "--format=%an %s") == "codex write-page: new.md, b.md"
    assert person.read("a.md") == "2\n"


def test_kept_commits_survive_packed_refs_and_garbage_collection(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"new.md": "tool\n", "b.md": "tool\n"})
    person.git("checkout", "-q", "main")
    person.git("reflog", "expire", "--expire=now", "--all")
    person.git("gc", "-q", "--prune=now")
    assert not (person.root / ".git/refs/memory-mcp/kept").exists()
    assert tool.repo.may_need_repair()
    check_all_is_back(person, tool.repo)


def test_two_kept_commits_on_one_page_come_back_in_their_order(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"b.md": "one\n", "gone.md": "1\n"})
    tool.write({"b.md": "two\n", "gone.md": None, "late.md": "3\n"})
    person.git("checkout", "-q", "main")
    result = bring_back(tool.repo)
    assert result.conflicts == ()
    assert person.read("b.md") == "two\n"
    assert not (person.root / "gone.md").exists()
    assert person.git("log", "--format=%s", "-2").splitlines() == [
        "write-page: b.md, gone.md, late.md",
        "write-page: b.md, gone.md",
    ]
    assert person.git("show", "HEAD~1:b.md") == "one"
    assert person.status() == ""


def test_a_kept_deletion_comes_back(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"b.md": None})
    person.git("checkout", "-q", "main")
    assert bring_back(tool.repo).paths == ("b.md",)
    assert not (person.root / "b.md").exists()
    assert person.status() == ""


def test_a_page_that_the_branch_changed_too_is_left_and_reported(person, tool):
    person.git("checkout", "-q", "--detach")
    kept = tool.write({"a.md": "tool\n", "b.md": "tool\n"})
    person.git("checkout", "-q", "main")
    person.save("a.md", "branch\n")
    result = bring_back(tool.repo)
    assert result.paths == ("b.md",)
    assert [(c.commit, c.path) for c in result.conflicts] == [(kept, "a.md")]
    assert person.read("a.md") == "branch\n"
    assert kept_conflicts(GitRepo(person.root)) == list(result.conflicts)
    assert person.git("show", f"{kept}:a.md") == "tool"
    assert not tool.repo.may_need_repair()
    person.git("update-ref", "-d", result.conflicts[0].ref)
    assert kept_conflicts(tool.repo) == []


def test_a_restored_page_that_changes_later_is_no_new_conflict(person, tool):
    person.git("checkout", "-q", "--detach")
    kept = tool.write({"a.md": "tool\n", "b.md": "tool\n"})
    person.git("checkout", "-q", "main")
    person.save("a.md", "branch\n")
    bring_back(tool.repo)
    tool.write({"b.md": "later\n"})
    again = bring_back(GitRepo(person.root))
    assert again.paths == ()
    assert [(c.commit, c.path) for c in again.conflicts] == [(kept, "a.md")]
    assert person.read("b.md") == "later\n"


def test_a_conflict_ends_when_the_branch_takes_the_kept_text(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"a.md": "tool\n"})
    person.git("checkout", "-q", "main")
    person.save("a.md", "branch\n")
    assert bring_back(tool.repo).conflicts
    person.save("a.md", "tool\n")
    assert tool.repo.may_need_repair()
    assert bring_back(tool.repo) == BroughtBack((), ())
    assert kept_conflicts(tool.repo) == []
    assert person.git("for-each-ref", "refs/memory-mcp/") == ""


def test_a_file_that_the_person_is_editing_is_not_overwritten(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"a.md": "tool\n", "b.md": "tool\n", "new.md": "tool\n"})
    person.git("checkout", "-q", "main")
    person.put("a.md", "being edited\n")
    person.put("new.md", "being written\n")
    (person.root / "b.md").unlink()
    result = bring_back(tool.repo)
    assert result.paths == ()
    assert [c.path for c in result.conflicts] == ["a.md", "b.md", "new.md"]
    assert (person.read("a.md"), person.read("new.md")) == ("being edited\n", "being written\n")
    assert not (person.root / "b.md").exists()


def test_what_the_branch_already_took_over_counts_as_back(person, tool):
    person.git("checkout", "-q", "--detach")
    tool.write({"b.md": "one\n"})
    second = tool.write({"b.md": "two\n"})
    person.git("checkout", "-q", "main")
    person.git("checkout", "-q", second, "--", "b.md")
    person.git("commit", "-qm", "taken over by hand")
    assert bring_back(tool.repo) == BroughtBack((), ())
    assert person.git("log", "-1", "--format=%s") == "taken over by hand"
    assert person.git("for-each-ref", "refs/memory-mcp/") == ""


def test_a_kill_at_every_step_of_bringing_back_is_taken_up_by_the_next_process(person, tool):
    from memory_mcp.store import steps

    person.git("checkout", "-q", "--detach")
    tool.write({"b.md": "one\n"})
    tool.write({"b.md": "two\n", "new.md": "2\n"})
    person.git("checkout", "-q", "main")
    person.save("c.md", "meanwhile\n")
    killed_at: set[str] = set()

    def kill_once_at_each(step: str) -> None:
        if step not in killed_at:
            killed_at.add(step)
            raise KeyboardInterrupt

    steps.listeners.append(kill_once_at_each)
    try:
        while True:
            try:
                bring_back(GitRepo(person.root))
                break
            except KeyboardInterrupt:
                pass
    finally:
        steps.listeners.remove(kill_once_at_each)
    repo = GitRepo(person.root)
    repo.mend_index()
    assert bring_back(repo) == BroughtBack((), ())
    assert (person.read("b.md"), person.read("new.md")) == ("two\n", "2\n")
    assert person.status() == ""
    assert person.git("for-each-ref", "refs/memory-mcp/") == ""
    assert {"git.bring-back", "git.imported", "git.ref-moved", "git.brought-back"} <= killed_at


def test_a_merge_in_progress_keeps_nothing_apart(person, tool):
    diverge(person)
    person.fails("merge", "side")
    tool.write({"new.md": "tool\n"})
    assert person.git("for-each-ref", "refs/memory-mcp/") == ""
    assert tool.repo.conflicted("") == ["a.md"]
    resolve(person, "commit", "-qm", "merged")
    assert person.git("show", "HEAD:new.md") == "tool"
    assert tool.repo.conflicted("") == []
