from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.errors import InvalidInput
from memory_mcp.store.toml_read import check_keys, read_toml


def test_a_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert read_toml(tmp_path / "x.toml", 100) is None
    assert read_toml(tmp_path / "file/x.toml", 100) is None


def test_a_byte_order_mark_and_crlf_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbfa = 1\r\n[b]\r\nc = 'd'\r\n")
    assert read_toml(path, 100) == {"a": 1, "b": {"c": "d"}}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a = ", "not valid TOML"),
        (b"a = 1\na = 2\n", "not valid TOML"),
        (b"a = \xff", "not UTF-8"),
        (b"a = " + b"[" * 5000, "not valid TOML"),
        (b"a." * 4000 + b"b = 1", "a line has over 500 dots"),
        (b"#" * 10_001, "larger than 10000 bytes"),
    ],
)
def test_what_is_not_toml_is_one_sentence_that_names_the_file(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=reason) as refused:
        read_toml(path, 10_000)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_and_a_pipe_are_refused_without_reading(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    for name in ("pipe.toml", "folder.toml"):
        with pytest.raises(InvalidInput, match="not a regular file"):
            read_toml(tmp_path / name, 100)


def test_an_unknown_key_names_the_nearest_and_all_that_are_allowed() -> None:
    with pytest.raises(InvalidInput, match=r"f\.toml \[t\]: 'workspce' is not known \(nearest: workspace\)"):
        check_keys("f.toml [t]", {"workspce": 1}, ["workspace", "project"])
    with pytest.raises(InvalidInput, match="allowed: project, workspace"):
        check_keys("f.toml", {"zzz": 1}, ["workspace", "project"])
