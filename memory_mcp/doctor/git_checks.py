"""Checks of the wiki's repository: what keeps it from taking commits, or from being shared."""

from __future__ import annotations

import getpass
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.errors import Unavailable
from memory_mcp.model.plain_text import one_line
from memory_mcp.store.data_dir import DataDir
from memory_mcp.store.git_folder import is_repository
from memory_mcp.store.git_repo import GitRepo
from memory_mcp.store.git_run import GitFailure
from memory_mcp.store.wiki_repos import WikiRepos

UNSAVED_SECONDS = 86_400
"""An edit by hand is committed with the next write of its page; until then it is nobody's fault."""
LOCK_SECONDS = 600
"""No git command that is still running leaves its lock for so long."""
_INSTALLERS = (
    ("apt-get", ("sudo", "apt-get", "install", "-y", "git")),
    ("dnf", ("sudo", "dnf", "install", "-y", "git")),
    ("apk", ("sudo", "apk", "add", "git")),
    ("brew", ("brew", "install", "git")),
    ("winget", ("winget", "install", "--id", "Git.Git")),
)
_UNDER_WAY = {
    "rebase-merge": ("rebase", "--abort"),
    "rebase-apply": ("rebase", "--abort"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "--abort"),
    "REVERT_HEAD": ("revert", "--abort"),
    "BISECT_LOG": ("bisect", "reset"),
    "sequencer": ("cherry-pick", "--abort"),
}


def check_git(data_dir: DataDir) -> Iterator[Finding]:
    """What is wrong with git, or with a repository of the wiki."""
    if shutil.which("git") is None:
        install = next((words for name, words in _INSTALLERS if shutil.which(name)), _INSTALLERS[0][1])
        yield Finding("no-git", "git is not installed, so nothing can be written", install)
        return
    if not data_dir.wiki.is_dir():
        return  # made by the first write
    if not is_repository(data_dir.wiki):
        text = f"{data_dir.wiki} is no git repository, so nothing can be written"
        yield Finding("no-repository", text, our_command(data_dir.root, "init"))
        return
    for repo in WikiRepos(data_dir.wiki, light=True).everywhere().values():
        try:
            yield from _repository(data_dir, repo)
        except Unavailable as error:
            yield Finding("git-refuses", one_line(str(error), 400), _mend(repo.root, str(error)))


def _mend(root: Path, refusal: str) -> tuple[str, ...]:
    """What helps against a refusal of git."""
    if "reftable" in refusal:
        return _git(root, "refs", "migrate", "--ref-format=files")
    if "index file" in refusal:
        return _git(root, "read-tree", "HEAD")
    if "ownership" in refusal or "ermission" in refusal:
        return ("sudo", "chown", "-R", getpass.getuser(), str(root))
    return _git(root, "fsck", "--full")


def _repository(data_dir: DataDir, repo: GitRepo) -> Iterator[Finding]:
    under_way = list(_under_way(repo))
    yield from under_way
    if not under_way:
        yield from _conflicts(repo)
        yield from _unsaved(data_dir, repo)
    lock = repo.folder.own / "index.lock"
    if _age(lock) > LOCK_SECONDS:
        text = f"{lock} was left by a git command that is gone: git refuses to work in {repo.root}"
        yield Finding("git-locked", text, ("rm", str(lock)))
    yield from _identity(repo)


def _under_way(repo: GitRepo) -> Iterator[Finding]:
    """A wiki that is not on a branch: commits are kept aside until it is."""
    for name, words in _UNDER_WAY.items():
        if (repo.folder.own / name).exists():
            text = f"a git {words[0]} in {repo.root} was begun and not ended; finish it, or give it up"
            yield Finding("git-unfinished", text, _git(repo.root, *words))
            return
    if not repo.folder.head_text().startswith("ref: "):
        text = f"HEAD of {repo.root} is on no branch; what is written meanwhile comes back once it is on one"
        yield Finding("git-detached", text, _git(repo.root, "switch", _branch(repo)))


def _conflicts(repo: GitRepo) -> Iterator[Finding]:
    files = repo.conflicted("")
    if files:
        names = ", ".join(files[:3])
        is_merge = (repo.folder.own / "MERGE_HEAD").exists()
        words = ("merge", "--abort") if is_merge else ("reset", "--merge")
        text = f"a merge left conflicts in {repo.root} ({names}); resolve them, or give the merge up"
        yield Finding("git-conflict", text, _git(repo.root, *words))


def _unsaved(data_dir: DataDir, repo: GitRepo) -> Iterator[Finding]:
    old = [name for name in repo.uncommitted("") if _age(repo.root / name) > UNSAVED_SECONDS]
    if old:
        text = f"{len(old)} files in {repo.root} were edited over a day ago and are in no commit ({old[0]})"
        yield Finding("unsaved-edits", text, our_command(data_dir.root, "commit", "--all"))


def _identity(repo: GitRepo) -> Iterator[Finding]:
    """Who shares the wiki merges by hand, and git makes no merge of somebody without a name."""
    if not _config(repo, "--get-regexp", r"^remote\..*\.url$"):
        return
    login = getpass.getuser()
    for key, value in (("user.name", login), ("user.email", f"{login}@localhost")):
        if not _config(repo, "--get", key):
            text = f"{repo.root} has a remote, but git knows no {key} of yours, so no merge can be made"
            yield Finding(f"no-{key.replace('.', '-')}", text, _git(repo.root, "config", key, value))


def _config(repo: GitRepo, *words: str) -> str:
    try:
        return repo.run("config", *words, user_config=True).decode("utf-8", "replace").strip()
    except GitFailure:
        return ""


def _branch(repo: GitRepo) -> str:
    heads = sorted(repo.run("for-each-ref", "--format=%(refname:short)", "refs/heads").decode().split())
    return "main" if "main" in heads or not heads else heads[0]


def _git(root: Path, *words: str) -> tuple[str, ...]:
    return ("git", "-C", str(root), *words)


def _age(file: Path) -> float:
    try:
        return time.time() - file.lstat().st_mtime
    except OSError:
        return 0.0
