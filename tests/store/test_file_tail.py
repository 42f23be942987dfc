"""The end of an append-only file."""

from __future__ import annotations

from memory_mcp.store.file_tail import read_tail


def test_the_last_bytes_are_read_and_no_more(tmp_path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.jsonl").write_bytes(b"0123456789")
    assert read_tail(tmp_path, "a/b.jsonl", 4) == b"6789"
    assert read_tail(tmp_path, "a/b.jsonl", 100) == b"0123456789"


def test_what_is_no_file_has_no_end(tmp_path) -> None:
    (tmp_path / "folder").mkdir()
    for relative in ("folder", "none", "folder/none", "none/none", "nul\0"):
        assert read_tail(tmp_path, relative, 10) == b""


def test_a_root_that_is_a_symbolic_link_itself_is_the_users_choice(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert read_tail(tmp_path / "link", "x", 10) == b"x"
    assert read_tail(tmp_path, "link/x", 10) == b""
