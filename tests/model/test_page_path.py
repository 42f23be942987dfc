"""What a page may be called."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page_path import (
    check_known_path,
    check_read_path,
    check_write_path,
    collision_key,
    is_page_path,
    kind_of_path,
)

PIECES = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "a",
        "Ä",
        "notes",
        ".md",
        "con",
        "nul.txt",
        ":",
        "C:",
        "%2e",
        "%2F",
        "\0",
        "\n",
        " ",
        "~",
    ]
)
PATHS = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=8).map("".join)).map(
    lambda text: text + ".md"
)


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "notes/Café.md",
        "日本語/メモ.md",
        "_rules/x.md",
        "_slots/x.md",
        "notes/log-2026-11.md",
        "a b/c d.md",
    ],
)
def test_ordinary_names_may_be_written(path: str) -> None:
    assert check_write_path(path) == check_known_path(path) == check_read_path(path) == path
    assert is_page_path(path)


@given(PATHS)
def test_a_path_that_may_be_written_stays_inside_on_every_system(path: str) -> None:
    try:
        check_write_path(path)
    except InvalidInput as error:
        assert "\n" not in str(error)
        return
    check_read_path(path)
    posix, windows = PurePosixPath(path), PureWindowsPath(path)
    assert posix.as_posix() == path
    assert not posix.is_absolute()
    assert not windows.drive
    assert not windows.root
    assert ".." not in posix.parts + windows.parts
    assert not windows.is_reserved() if hasattr(windows, "is_reserved") else True
    assert path.encode()
    assert is_page_path(path)


@pytest.mark.parametrize(
    "path", ["why?.md", "a:b.md".replace("a:", "aa:"), "notes/x .md/y.md", "con.md", "log.mdx.md"]
)
def test_a_person_may_call_a_page_what_a_tool_may_not(path: str) -> None:
    assert check_known_path(path) == path


@pytest.mark.parametrize("path", ["log-2026-11.md", "LOG-2026-11.MD".lower(), "log.md", "Log.md"])
def test_the_log_can_be_read_and_not_changed(path: str) -> None:
    assert check_read_path(path) == path
    with pytest.raises(InvalidInput, match="the name of the project's log"):
        check_known_path(path)


@pytest.mark.parametrize(
    "path", ["_handoffs/x.md", "_messages/x.md", "_pending/a/x.md", "_meta/x.md", ".x/y.md"]
)
def test_records_and_hidden_files_are_no_pages(path: str) -> None:
    assert not is_page_path(path)
    with pytest.raises(InvalidInput):
        check_read_path(path)


def test_the_sentence_names_the_argument_and_cuts_the_value() -> None:
    with pytest.raises(InvalidInput) as caught:
        check_write_path("../" + "x" * 1000, "relations.fixes")
    assert str(caught.value).startswith("relations.fixes = '../xxx")
    assert len(str(caught.value)) < 250


@given(st.text(max_size=20))
def test_names_that_differ_by_case_or_form_have_one_key(name: str) -> None:
    key = collision_key(name)
    assert collision_key(name.lower()) == key
    assert collision_key(unicodedata.normalize("NFC", name)) == key or name != unicodedata.normalize(
        "NFC", name
    )


def test_the_first_folder_gives_the_kind() -> None:
    paths = ["_rules/a.md", "_slots/a.md", "decisions/a/b.md", "gotchas/a.md", "other/decisions/a.md", "a.md"]
    assert [kind_of_path(path) for path in paths] == ["rule", "slot", "decision", "gotcha", "fact", "fact"]
