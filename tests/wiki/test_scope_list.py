from __future__ import annotations

from pathlib import Path

from memory_mcp.model.scope import GLOBAL, Scope
from memory_mcp.wiki.scope_list import list_scopes, scope_exists


def test_scopes_are_the_folders_two_levels_deep(tmp_path: Path) -> None:
    for folder in (
        "default/_global",
        "default/b",
        "acme/a/notes",
        "acme/_global",
        "_callers/ana",
        ".git/x",
        "acme/.git",
    ):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("Acme/x", "acme/Big", "acme/con", "acme/dot.", "other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "acme/file").write_bytes(b"")
    (tmp_path / "acme/link").symlink_to(tmp_path / "acme/a")
    (tmp_path / "linked").symlink_to(tmp_path / "acme")
    assert list_scopes(tmp_path) == [Scope("acme", "a"), GLOBAL, Scope("default", "b")]


def test_a_wiki_that_is_not_there_holds_no_scope(tmp_path: Path) -> None:
    assert list_scopes(tmp_path / "wiki") == []


def test_a_scope_behind_a_symbolic_link_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "acme/a").mkdir(parents=True)
    (tmp_path / "acme/link").symlink_to(tmp_path / "acme/a")
    (tmp_path / "linked").symlink_to(tmp_path / "acme")
    assert scope_exists(tmp_path, Scope("acme", "a"))
    assert not scope_exists(tmp_path, Scope("acme", "link"))
    assert not scope_exists(tmp_path, Scope("linked", "a"))
    assert scope_exists(tmp_path, GLOBAL)
