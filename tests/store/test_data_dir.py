"""The data dir: private, versioned, and refused when it cannot be used."""

from __future__ import annotations

import tarfile
from datetime import datetime, timezone
from pathlib import Path

import pytest

from memory_mcp.errors import Unavailable
from memory_mcp.store.data_dir import FORMAT, migrate, open_data_dir, recorded_format

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def test_a_new_data_dir_is_private_and_records_its_format(tmp_path: Path) -> None:
    data_dir = open_data_dir(tmp_path / "data")
    assert data_dir.root.stat().st_mode & 0o777 == 0o700
    assert recorded_format(data_dir) == FORMAT


def test_a_file_cannot_be_a_data_dir(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    with pytest.raises(Unavailable, match="is a file"):
        open_data_dir(tmp_path / "data")


def test_a_newer_format_is_refused_with_a_sentence(tmp_path: Path) -> None:
    open_data_dir(tmp_path)
    (tmp_path / "format").write_text("7\n", encoding="utf-8")
    with pytest.raises(Unavailable, match="has format 7, and this version knows formats up to 1: upgrade"):
        open_data_dir(tmp_path)


def test_an_unreadable_format_is_refused_with_a_sentence(tmp_path: Path) -> None:
    open_data_dir(tmp_path)
    (tmp_path / "format").write_text("one\n", encoding="utf-8")
    with pytest.raises(Unavailable, match="does not hold a format number"):
        open_data_dir(tmp_path)


def test_a_wiki_put_there_by_hand_is_migrated_after_a_backup(tmp_path: Path) -> None:
    page = tmp_path / "wiki" / "acme" / "importer" / "notes" / "a.md"
    page.parent.mkdir(parents=True)
    page.write_text("# A\n", encoding="utf-8")
    data_dir = open_data_dir(tmp_path)
    assert recorded_format(data_dir) is None
    seen: list[Path] = []
    migrate(data_dir, {0: lambda each: seen.append(each.wiki)}, NOW)
    assert seen == [data_dir.wiki]
    assert recorded_format(data_dir) == FORMAT
    (backup,) = data_dir.backups.iterdir()
    assert backup.name == "20261130T120000Z-format-0.tar.gz"
    with tarfile.open(backup) as archive:
        assert "wiki/acme/importer/notes/a.md" in archive.getnames()


def test_a_migration_that_fails_leaves_the_old_format_recorded(tmp_path: Path) -> None:
    (tmp_path / "wiki" / "acme").mkdir(parents=True)
    data_dir = open_data_dir(tmp_path)

    def fail(_: object) -> None:
        raise Unavailable("no")

    with pytest.raises(Unavailable):
        migrate(data_dir, {0: fail}, NOW)
    assert recorded_format(data_dir) is None


def test_a_file_in_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    with pytest.raises(Unavailable, match=r"cannot make the folder .*/logs: a part of the path is a file"):
        open_data_dir(tmp_path)
