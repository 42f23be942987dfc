from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.store.stat_scan import Folders, Stat, is_settled, scan_scope, stat_file


def write(scope: Path, path: str, text: str = "text") -> None:
    file = scope / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def known_after(scope: Path) -> Folders:
    """What a look at the scope leaves behind."""
    known: Folders = {}
    for path, stat in scan_scope(str(scope), {}).changed.items():
        folder, _, name = path.rpartition("/")
        known.setdefault(folder, {})[name] = stat
    return known


def test_every_page_is_new_at_the_first_look(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, "notes/deep/b.md")
    scan = scan_scope(str(tmp_path), {})
    assert set(scan.changed) == {"a.md", "notes/deep/b.md"}
    assert scan.changed["a.md"] == stat_file(str(tmp_path / "a.md"))
    assert scan.vanished == ()


def test_an_untouched_scope_has_no_changes(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, "notes/b.md")
    scan = scan_scope(str(tmp_path), known_after(tmp_path))
    assert scan.changed == {}
    assert scan.vanished == ()


def test_an_edit_of_equal_size_and_mtime_is_seen(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "old")
    known = known_after(tmp_path)
    before = (tmp_path / "a.md").stat()
    write(tmp_path, "a.md", "new")
    os.utime(tmp_path / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert set(scan_scope(str(tmp_path), known).changed) == {"a.md"}


def test_a_replaced_file_is_seen(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "old")
    known = known_after(tmp_path)
    write(tmp_path, ".new", "new")
    (tmp_path / ".new").replace(tmp_path / "a.md")
    assert set(scan_scope(str(tmp_path), known).changed) == {"a.md"}


def test_removed_files_and_folders_have_vanished(tmp_path: Path) -> None:
    for path in ("a.md", "b.md", "notes/c.md", "notes/deep/d.md"):
        write(tmp_path, path)
    known = known_after(tmp_path)
    (tmp_path / "a.md").unlink()
    (tmp_path / "notes/deep/d.md").unlink()
    (tmp_path / "notes/deep").rmdir()
    scan = scan_scope(str(tmp_path), known)
    assert scan.vanished == ("a.md", "notes/deep/d.md")
    assert scan.changed == {}


def test_a_change_and_a_removal_in_one_folder_are_told_apart(tmp_path: Path) -> None:
    for path in ("a.md", "b.md", "c.md"):
        write(tmp_path, path)
    known = known_after(tmp_path)
    (tmp_path / "a.md").unlink()
    write(tmp_path, "b.md", "longer text")
    write(tmp_path, "new.md")
    scan = scan_scope(str(tmp_path), known)
    assert scan.vanished == ("a.md",)
    assert set(scan.changed) == {"b.md", "new.md"}


def test_a_scope_whose_folder_is_gone_has_lost_all_its_files(tmp_path: Path) -> None:
    scope = tmp_path / "scope"
    write(scope, "a.md")
    write(scope, "notes/b.md")
    known = known_after(scope)
    scope.rename(tmp_path / "elsewhere")
    assert scan_scope(str(scope), known).vanished == ("a.md", "notes/b.md")


def test_records_dot_files_and_other_suffixes_are_not_pages(tmp_path: Path) -> None:
    for path in (
        "_handoffs/h.md",
        "_messages/m.md",
        "_pending/auto/p.md",
        "_meta/x.md",
        ".hidden.md",
        ".obsidian/o.md",
        ".git/g.md",
        "notes/.x/y.md",
        "image.png",
        "notes.markdown",
    ):
        write(tmp_path, path)
    write(tmp_path, "_rules/r.md")
    write(tmp_path, "notes/_meta/page.md")
    assert set(scan_scope(str(tmp_path), {}).changed) == {"_rules/r.md", "notes/_meta/page.md"}


def test_a_folder_whose_name_ends_like_a_page_is_walked(tmp_path: Path) -> None:
    write(tmp_path, "odd.md/page.md")
    assert set(scan_scope(str(tmp_path), {}).changed) == {"odd.md/page.md"}


def test_symbolic_links_are_not_followed_and_loops_end(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, "secret.md")
    scope = tmp_path / "scope"
    write(scope, "a.md")
    (scope / "link.md").symlink_to(outside / "secret.md")
    (scope / "folder").symlink_to(outside)
    (scope / "folder.md").symlink_to(outside)
    (scope / "loop").symlink_to(scope)
    (scope / "self.md").symlink_to(scope / "self.md")
    assert set(scan_scope(str(scope), {}).changed) == {"a.md"}


def test_a_page_replaced_by_a_symbolic_link_has_vanished(tmp_path: Path) -> None:
    scope = tmp_path / "scope"
    write(scope, "a.md")
    known = known_after(scope)
    (scope / "a.md").rename(tmp_path / "b.md")
    (scope / "a.md").symlink_to(tmp_path / "b.md")
    scan = scan_scope(str(scope), known)
    assert scan.vanished == ("a.md",)
    assert scan.changed == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_not_a_page(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert scan_scope(str(tmp_path), {}).changed == {}


def test_files_of_a_folder_that_cannot_be_listed_are_taken_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, "closed/b.md")
    write(tmp_path, "closed/deep/c.md")
    known = known_after(tmp_path)
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    scan = scan_scope(str(tmp_path), known)
    assert scan.vanished == ()
    assert scan.closed == ("closed",)


def test_a_file_edited_just_before_the_look_is_not_settled() -> None:
    second = 1_000_000_000
    fine: Stat = (5 * second, 5 * second + 17, 1, 1)
    assert not is_settled(fine, fine[1])
    assert not is_settled(fine, fine[1] + 5_000_000)
    assert is_settled(fine, fine[1] + 50_000_000)
    coarse: Stat = (5 * second, 6 * second, 1, 1)
    assert not is_settled(coarse, 7 * second)
    assert is_settled(coarse, 9 * second)
