"""One git process, by GitPython or, in a hook, without it: the same either way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_mcp.errors import Unavailable
from memory_mcp.store.git_repo import GitRepo
from memory_mcp.store.git_run import GitFailure, GitRun
from tests.store.conftest import AGENT, NOW

pytestmark = pytest.mark.parametrize("light", [False, True], ids=["gitpython", "light"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path)], check=True)
    return tmp_path


def test_bytes_go_in_and_out_unchanged(root: Path, light: bool) -> None:
    run = GitRun(root, light)
    data = b"\x00\xff\r\n no newline"
    blob = run("hash-object", "-w", "--stdin", data=data).strip().decode()
    assert run("cat-file", "blob", blob) == data


def test_what_git_refuses_is_one_sentence(root: Path, light: bool) -> None:
    with pytest.raises(GitFailure, match=r"git refused to work in .*: Not a valid object name nonsense\.$"):
        GitRun(root, light)("cat-file", "-p", "nonsense")


def test_a_folder_without_a_repository_is_refused(tmp_path: Path, light: bool) -> None:
    with pytest.raises(Unavailable):
        GitRun(tmp_path, light)("rev-parse", "HEAD")


def test_another_repository_in_the_environment_is_not_used(
    root: Path, light: bool, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git" / "objects"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    blob = GitRun(root, light)("hash-object", "-w", "--stdin", data=b"x").strip().decode()
    assert (root / ".git" / "objects" / blob[:2] / blob[2:]).exists()


def test_a_persons_configuration_is_read_only_where_it_is_asked_for(
    root: Path, light: bool, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path_factory.mktemp("config") / "gitconfig"
    config.write_text("[user]\n\tname = Ana\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    run = GitRun(root, light)
    assert run("config", "--get", "user.name", user_config=True) == b"Ana\n"
    with pytest.raises(GitFailure):
        run("config", "--get", "user.name")


def test_a_missing_git_is_said(root: Path, light: bool) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from memory_mcp.store.git_run import GitRun\n"
        "from memory_mcp.errors import Unavailable\n"
        f"try: GitRun(Path({str(root)!r}), {light})('status')\n"
        "except Unavailable as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "/nowhere", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        encoding="utf-8",
    )
    assert "git is not installed" in done.stdout, done.stderr


def test_a_repository_is_made_and_committed_to(tmp_path: Path, light: bool) -> None:
    from memory_mcp.store.commit_message import actor_signature

    repo = GitRepo.init(tmp_path / "wiki", light=light)
    commit = repo.commit({"a.md": b"text\n"}, "write: a.md", actor_signature(AGENT, NOW))
    assert repo.show(commit or "", "a.md") == b"text\n"
