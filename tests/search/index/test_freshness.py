from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.freshness import look
from memory_mcp.search.index.manifest import Manifest, ManifestChange

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")


def never(paths: Sequence[str]) -> bool:
    raise AssertionError("nothing vanished in bulk")


def write(wiki: Path, *paths: str) -> None:
    for path in paths:
        file = wiki / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text", encoding="utf-8")


def indexed(wiki: Path, *scopes: Scope) -> Manifest:
    manifest = Manifest()
    manifest.apply(ManifestChange(1, look(wiki, manifest, scopes, never).changed))
    return manifest


def test_only_the_asked_scopes_are_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "acme/importer/a.md", "acme/other/b.md")
    assert set(look(tmp_path, Manifest(), (SCOPE,), never).changed) == {"acme/importer/a.md"}


def test_the_folder_of_a_project_in_a_repository_of_its_own_is_an_ordinary_folder(tmp_path: Path) -> None:
    write(tmp_path, "acme/.git/x.md", "acme/importer/.git/y.md", "acme/importer/a.md", "acme/README.md")
    assert set(look(tmp_path, Manifest(), (SCOPE,), never).changed) == {"acme/importer/a.md"}


def test_a_few_removed_files_are_gone_without_a_question(tmp_path: Path) -> None:
    names = [f"acme/importer/{n}.md" for n in range(10)]
    write(tmp_path, *names)
    manifest = indexed(tmp_path, SCOPE)
    for name in names[:5]:
        (tmp_path / name).unlink()
    stale = look(tmp_path, manifest, (SCOPE,), never)
    assert stale.gone == tuple(names[:5])
    assert stale.missing == ()


def test_all_three_files_of_a_small_scope_may_go(tmp_path: Path) -> None:
    names = [f"acme/importer/{n}.md" for n in range(3)]
    write(tmp_path, *names)
    manifest = indexed(tmp_path, SCOPE)
    for name in names:
        (tmp_path / name).unlink()
    assert look(tmp_path, manifest, (SCOPE,), never).gone == tuple(names)


def test_more_than_half_of_a_scope_at_once_is_missing_until_git_says_gone(tmp_path: Path) -> None:
    names = [f"acme/importer/{n}.md" for n in range(10)]
    write(tmp_path, *names, "acme/other/x.md")
    manifest = indexed(tmp_path, SCOPE, OTHER)
    for name in names[:6]:
        (tmp_path / name).unlink()
    (tmp_path / "acme/other/x.md").unlink()
    asked = []

    def answer(yes: bool) -> object:
        return lambda paths: bool(asked.append(list(paths))) or yes

    stale = look(tmp_path, manifest, (SCOPE, OTHER), answer(False))  # type: ignore[arg-type]
    assert stale.missing == tuple(names[:6])
    assert stale.gone == ("acme/other/x.md",)
    assert asked == [names[:6]]
    stale = look(tmp_path, manifest, (SCOPE,), answer(True))  # type: ignore[arg-type]
    assert stale.gone == tuple(names[:6])
    assert stale.missing == ()


def test_an_unmounted_wiki_is_missing_also_when_git_fails(tmp_path: Path) -> None:
    names = [f"acme/importer/{n}.md" for n in range(10)]
    wiki = tmp_path / "wiki"
    write(wiki, *names)
    manifest = indexed(wiki, SCOPE)
    wiki.rename(tmp_path / "gone")

    def no_git(paths: Sequence[str]) -> bool:
        raise OSError("no repository")

    assert look(wiki, manifest, (SCOPE,), no_git).missing == tuple(names)


def test_a_renamed_folder_is_a_move_and_no_loss(tmp_path: Path) -> None:
    names = [f"acme/importer/old/{n}.md" for n in range(10)]
    write(tmp_path, *names)
    manifest = indexed(tmp_path, SCOPE)
    (tmp_path / "acme/importer/old").rename(tmp_path / "acme/importer/new")
    stale = look(tmp_path, manifest, (SCOPE,), never)
    assert stale.gone == tuple(names)
    assert len(stale.changed) == 10


def test_a_scope_that_is_a_symbolic_link_is_empty(tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    write(tmp_path, "outside/secret.md")
    (wiki / "acme").mkdir(parents=True)
    (wiki / "acme/importer").symlink_to(tmp_path / "outside")
    (wiki / "linked").symlink_to(tmp_path)
    stale = look(wiki, Manifest(), (SCOPE, Scope("linked", "outside")), never)
    assert stale.changed == {}
