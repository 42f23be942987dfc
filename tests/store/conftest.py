"""A person who uses git by hand in the same repository as the product."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

import pytest

from memory_mcp.model.actor import Actor
from memory_mcp.store.commit_message import CommitMessage, actor_signature
from memory_mcp.store.git_repo import GitRepo

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=timezone.utc)
AGENT = Actor("codex", "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10")


class Person:
    """Runs plain git, with a configuration of their own, and edits files; and lets a tool write pages."""

    def __init__(self, root: Path, config: Path) -> None:
        self.root = root
        self.config = config

    def git(self, *arguments: str, check: bool = True, data: str | None = None) -> str:
        """Run git as the person and return what it printed."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=data,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, "GIT_EDITOR": "true", "GIT_CONFIG_GLOBAL": str(self.config)},
            timeout=60,
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stderr}{done.stdout}")
        return done.stdout.rstrip("\n")

    def fails(self, *arguments: str) -> None:
        """Run git where it must refuse, because of a conflict say."""
        with pytest.raises(AssertionError):
            self.git(*arguments)

    def put(self, path: str, text: str) -> None:
        """Write a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")

    def read(self, path: str) -> str:
        """Read a file."""
        return (self.root / path).read_bytes().decode()

    def save(self, path: str, text: str) -> str:
        """Write a file and commit it."""
        self.put(path, text)
        self.git("add", "--", path)
        self.git("commit", "-qm", f"save {path}")
        return self.git("rev-parse", "HEAD")

    def status(self) -> str:
        """What `git status` says, in short."""
        return self.git("status", "--short")


class Tool:
    """Writes files and commits them, as the write path of the product does."""

    def __init__(self, repo: GitRepo) -> None:
        self.repo = repo

    def write(self, files: Mapping[str, str | None]) -> str | None:
        """Write or remove files, then commit them."""
        changes = {path: None if text is None else text.encode() for path, text in files.items()}
        for path, data in changes.items():
            file = self.repo.root / path
            if data is None:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        return self.commit(changes)

    def commit(self, changes: Mapping[str, bytes | None]) -> str | None:
        """Commit without touching the files."""
        message = CommitMessage("write-page", ", ".join(changes), AGENT)
        return self.repo.commit(changes, message.text(), actor_signature(AGENT, NOW))


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own configuration, for every git process of the test."""
    file = tmp_path / "gitconfig"
    file.write_text("[user]\n\tname = Ana Pérez\n\temail = ana@example.org\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return file


@pytest.fixture
def person(tmp_path: Path, config: Path) -> Person:
    """A person with a repository that holds two pages."""
    root = tmp_path / "wiki"
    root.mkdir()
    someone = Person(root, config)
    someone.git("init", "-q", "-b", "main")
    someone.put("a.md", "a\n")
    someone.put("b.md", "b\n")
    someone.git("add", "-A")
    someone.git("commit", "-qm", "first")
    return someone


@pytest.fixture
def tool(person: Person) -> Tool:
    """A tool that writes in the person's repository."""
    return Tool(GitRepo(person.root))
