"""Checkouts as real git makes them, and `.git` files that nobody should make."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memory_mcp.store.checkout import Checkout, find_checkout


def git(folder: Path, *arguments: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
    )


def make_repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_a_subfolder_lies_in_the_nearest_checkout_above(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "proj")
    (repository / "a/b").mkdir(parents=True)
    assert find_checkout(repository / "a/b") == Checkout(repository, repository, "proj")
    inner = make_repository(repository / "vendor")
    assert find_checkout(inner) == Checkout(inner, inner, "vendor")


def test_a_folder_outside_any_checkout_has_none(tmp_path: Path) -> None:
    assert find_checkout(tmp_path) is None
    assert find_checkout(tmp_path / "not/there") is None


def test_linked_worktrees_belong_to_their_main_worktree(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "proj")
    git(main, "worktree", "add", "-q", "../elsewhere/fix")
    linked = tmp_path / "elsewhere/fix"
    (linked / "src").mkdir()
    assert find_checkout(linked / "src") == Checkout(linked, main, "proj")


def test_a_linked_worktree_still_tells_its_main_one_when_that_is_gone(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "proj")
    git(main, "worktree", "add", "-q", "../fix")
    main.rename(tmp_path / "moved")
    assert find_checkout(tmp_path / "fix") == Checkout(tmp_path / "fix", main, "proj")


def test_a_linked_worktree_with_a_relative_pointer_is_followed(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "proj")
    git(main, "worktree", "add", "-q", "../fix")
    (tmp_path / "fix/.git").write_text("gitdir: ../proj/.git/worktrees/fix\n", encoding="utf-8")
    assert find_checkout(tmp_path / "fix") == Checkout(tmp_path / "fix", main, "proj")


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "library")
    main = make_repository(tmp_path / "proj")
    git(main, "submodule", "add", "-q", str(library), "deps/lib")
    submodule = main / "deps/lib"
    assert find_checkout(submodule) == Checkout(submodule, submodule, "lib")
    git(submodule, "worktree", "add", "-q", str(tmp_path / "lib-fix"))
    assert find_checkout(tmp_path / "lib-fix") == Checkout(tmp_path / "lib-fix", submodule, "lib")


def test_worktrees_of_a_bare_repository_have_its_name_without_git(tmp_path: Path) -> None:
    make_repository(tmp_path / "seed")
    git(tmp_path, "clone", "-q", "--bare", "seed", "proj.git")
    git(tmp_path / "proj.git", "worktree", "add", "-q", "../a")
    git(tmp_path / "proj.git", "worktree", "add", "-q", "../b")
    bare = tmp_path / "proj.git"
    assert find_checkout(tmp_path / "a") == Checkout(tmp_path / "a", bare, "proj")
    assert find_checkout(tmp_path / "b") == Checkout(tmp_path / "b", bare, "proj")


def test_worktrees_beside_a_hidden_bare_repository_have_the_name_of_their_folder(tmp_path: Path) -> None:
    make_repository(tmp_path / "seed")
    project = tmp_path / "proj"
    project.mkdir()
    git(tmp_path, "clone", "-q", "--bare", "seed", "proj/.bare")
    (project / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    git(project, "worktree", "add", "-q", "fix")
    assert find_checkout(project) == Checkout(project, project, "proj")
    assert find_checkout(project / "fix") == Checkout(project / "fix", project, "proj")


def test_all_worktrees_of_a_separate_git_dir_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "gits").mkdir()
    git(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "gits/proj.git"), str(tmp_path / "work"))
    git(tmp_path / "work", "commit", "-q", "--allow-empty", "-m", "first")
    git(tmp_path / "work", "worktree", "add", "-q", "../fix")
    found = [find_checkout(tmp_path / name) for name in ("work", "fix")]
    assert [each and each.name for each in found] == ["proj", "proj"]
    assert [each and each.root.name for each in found] == ["work", "fix"]


def test_a_git_folder_behind_a_symbolic_link_has_the_name_of_its_place(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "proj")
    other = tmp_path / "other"
    other.mkdir()
    (other / ".git").symlink_to(main / ".git")
    assert find_checkout(other) == Checkout(other, main, "proj")


@pytest.mark.parametrize(
    "content", [b"", b"gitdir:", b"gitdir: \n", b"\xff\x00\x01", b"not a pointer", b"gitdir", b"x" * 100_000]
)
def test_a_git_file_that_is_no_pointer_is_passed_over(tmp_path: Path, content: bytes) -> None:
    main = make_repository(tmp_path / "proj")
    (main / "fixture").mkdir()
    (main / "fixture/.git").write_bytes(content)
    assert find_checkout(main / "fixture") == Checkout(main, main, "proj")


def test_a_pointer_to_nowhere_still_marks_a_checkout(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/.git").write_text("gitdir: ../.git/modules/lib\n", encoding="utf-8")
    found = find_checkout(tmp_path / "lib")
    assert found and (found.root, found.name) == (tmp_path / "lib", "lib")


def test_git_folders_that_git_would_not_take_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "proj/.git").mkdir(parents=True)
    assert find_checkout(tmp_path / "proj") is None
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop/.git").symlink_to(".git")
    assert find_checkout(tmp_path / "loop") is None


def test_a_pipe_named_git_blocks_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert find_checkout(tmp_path) is None
