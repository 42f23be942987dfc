"""Editing a client's file: atomically, with a backup, or not at all."""

import os
import stat
from datetime import datetime, timezone

import pytest

from memory_mcp.clients.config_file import edit_config_file
from memory_mcp.errors import Conflict, InvalidInput, Unavailable

NOW = datetime(2026, 11, 30, 12, 0, 0, 5, timezone.utc)


def add_line(text: str) -> str:
    return text if "ours" in text else f"{text}ours\n"


def test_a_missing_file_is_made_for_its_user_alone_with_its_folder(tmp_path):
    file = tmp_path / "deep" / "config"
    edited = edit_config_file(file, add_line, NOW)
    assert (edited.outcome, edited.backup) == ("created", None)
    assert file.read_bytes() == b"ours\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == ["config"]


def test_an_edit_keeps_mode_and_mark_and_leaves_a_backup_beside_the_file(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"\xef\xbb\xbftheirs\r\n")
    file.chmod(0o640)
    edited = edit_config_file(file, add_line, NOW)
    assert edited.outcome == "updated"
    assert file.read_bytes() == b"\xef\xbb\xbftheirs\r\nours\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert edited.backup == tmp_path / "config.20261130T120000000005Z.bak"
    assert edited.backup.read_bytes() == b"\xef\xbb\xbftheirs\r\n"
    assert stat.S_IMODE(edited.backup.stat().st_mode) == 0o640


def test_an_edit_that_changes_nothing_writes_nothing(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"ours\n")
    before = file.stat()
    assert edit_config_file(file, add_line, NOW).outcome == "unchanged"
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert file.stat().st_ino == before.st_ino
    assert os.listdir(tmp_path) == ["config"]


def test_a_symbolic_link_stays_one_and_its_target_is_edited(tmp_path):
    target = tmp_path / "dotfiles" / "config"
    target.parent.mkdir()
    target.write_bytes(b"theirs\n")
    file = tmp_path / "config"
    file.symlink_to(os.path.join("dotfiles", "config"))
    edit_config_file(file, add_line, NOW)
    assert file.is_symlink()
    assert target.read_bytes() == b"theirs\nours\n"


def test_a_link_whose_target_is_missing_gets_its_target(tmp_path):
    file = tmp_path / "config"
    file.symlink_to("elsewhere")
    assert edit_config_file(file, add_line, NOW).outcome == "created"
    assert file.is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"ours\n"


def test_a_read_only_file_is_left_alone(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"theirs\n")
    file.chmod(0o444)
    with pytest.raises(Unavailable, match="is read-only"):
        edit_config_file(file, add_line, NOW)
    assert file.read_bytes() == b"theirs\n"
    assert os.listdir(tmp_path) == ["config"]


def test_a_file_that_is_not_utf8_is_left_alone(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"\xef\xbb\xbfa\xff\n")
    with pytest.raises(InvalidInput, match=r"config is not UTF-8 \(byte 4\)"):
        edit_config_file(file, add_line, NOW)
    assert file.read_bytes() == b"\xef\xbb\xbfa\xff\n"


def test_a_text_that_the_edit_refuses_is_left_alone(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"theirs\n")

    def refuse(text: str) -> str:
        raise ValueError("line 1 is odd")

    with pytest.raises(InvalidInput, match="config cannot be edited and was left as it is: line 1 is odd"):
        edit_config_file(file, refuse, NOW)
    assert os.listdir(tmp_path) == ["config"]


def test_a_text_nested_too_deeply_is_left_alone(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"theirs\n")

    def recurse(text: str) -> str:
        raise RecursionError("maximum recursion depth exceeded")

    with pytest.raises(InvalidInput, match="cannot be edited"):
        edit_config_file(file, recurse, NOW)


def test_a_folder_in_the_files_place_is_a_sentence(tmp_path):
    with pytest.raises(Unavailable, match="it is a folder"):
        edit_config_file(tmp_path, add_line, NOW)


def test_a_file_that_the_client_wrote_meanwhile_is_not_overwritten(tmp_path):
    file = tmp_path / "config"
    file.write_bytes(b"theirs\n")

    def slowly(text: str) -> str:
        file.write_bytes(b"newer\n")
        return f"{text}ours\n"

    with pytest.raises(Conflict, match="run the command again"):
        edit_config_file(file, slowly, NOW)
    assert file.read_bytes() == b"newer\n"
