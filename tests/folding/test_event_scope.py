"""To which project an event belongs, whatever has become of the folder meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.folding.event_scope import EventScopes
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import SessionHead
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_lines import head_line
from tests.memory import START

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
IMPORTER = Scope("default", "importer")


def repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return folder


@pytest.fixture
def scopes(tmp_path: Path) -> EventScopes:
    repository(tmp_path / "importer")
    repository(tmp_path / "other")
    (tmp_path / "home").mkdir()
    files = SessionFiles(tmp_path / "raw")
    return EventScopes(tmp_path / "wiki", files, tmp_path / "home", "default")


def test_a_marker_that_the_hook_saw_decides(scopes: EventScopes, tmp_path: Path) -> None:
    entry = {"scope": "acme/secret-project", "cwd": str(tmp_path / "importer")}
    assert scopes.scope_of(entry, ONE) == Scope("acme", "secret-project")


def test_a_session_that_goes_into_another_repository_is_there(scopes: EventScopes, tmp_path: Path) -> None:
    assert scopes.scope_of({"cwd": str(tmp_path / "importer")}, ONE) == IMPORTER
    assert scopes.scope_of({"cwd": str(tmp_path / "other")}, ONE) == Scope("default", "other")


def test_a_step_into_a_folder_that_is_no_project_stays_with_the_session(
    scopes: EventScopes, tmp_path: Path
) -> None:
    scopes.scope_of({"cwd": str(tmp_path / "importer")}, ONE)
    for folder in ("home", "home/..", "plain"):
        (tmp_path / folder).mkdir(exist_ok=True)
        assert scopes.scope_of({"cwd": str(tmp_path / folder)}, ONE) == IMPORTER
    assert scopes.scope_of({"cwd": str(tmp_path / "plain")}, TWO) == Scope("default", "plain")
    assert scopes.scope_of({"cwd": str(tmp_path / "home")}, TWO) == Scope("default", "plain")


@pytest.mark.parametrize("cwd", ["home", "", "relative/folder"])
def test_what_happens_in_no_project_belongs_nowhere(scopes: EventScopes, tmp_path: Path, cwd: str) -> None:
    folder = str(tmp_path / cwd) if cwd == "home" else cwd
    assert scopes.scope_of({"cwd": folder}, ONE) is None


def test_a_folder_that_is_gone_belongs_where_its_session_was_last(
    scopes: EventScopes, tmp_path: Path
) -> None:
    gone = {"cwd": str(tmp_path / "worktree-of-importer")}
    head = SessionHead(ONE, ONE, "codex", IMPORTER, START)
    SessionFiles(tmp_path / "raw").append(IMPORTER, ONE, [head_line(head)])
    assert scopes.scope_of(gone, ONE) == IMPORTER
    assert scopes.scope_of(gone, TWO) == Scope("default", "worktree-of-importer")
    inside = {"cwd": str(tmp_path / "other" / "removed")}
    assert scopes.scope_of(inside, ONE) == Scope("default", "other")


@pytest.mark.parametrize("scope", ["default/_global", "_callers/default", "../x", "acme", "A/B", 7])
def test_no_entry_can_write_where_capture_must_not(
    scopes: EventScopes, tmp_path: Path, scope: object
) -> None:
    assert scopes.scope_of({"scope": scope, "cwd": str(tmp_path / "importer")}, ONE) == IMPORTER
    assert scopes.scope_of({"scope": scope, "cwd": str(tmp_path / "home")}, TWO) is None


def test_a_folder_called_as_the_standing_preferences_is_an_ordinary_project(
    scopes: EventScopes, tmp_path: Path
) -> None:
    repository(tmp_path / "_global")
    found = scopes.scope_of({"cwd": str(tmp_path / "_global")}, ONE)
    assert found is not None
    assert found != Scope("default", "_global")
