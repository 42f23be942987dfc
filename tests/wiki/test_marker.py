from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.errors import InvalidInput
from memory_mcp.wiki.marker import MARKER_NAME, Marker, read_marker


def marker_of(folder: Path, text: str) -> Marker | None:
    (folder / MARKER_NAME).write_text(text, encoding="utf-8")
    return read_marker(folder)


def test_a_folder_without_a_marker_has_none(tmp_path: Path) -> None:
    assert read_marker(tmp_path) is None


def test_every_setting_is_read(tmp_path: Path) -> None:
    text = """
workspace = "acme"
project = "importer"
project_strategy = "repo-root"
drop_subagent_captures = true
[recall]
default_global = "yes"
[briefing]
inject_on_session_start = "On"
max_chars = 1500
[capture]
ignore_paths = ["secret/**"]
[lint]
select = []
"""
    path = tmp_path / MARKER_NAME
    assert marker_of(tmp_path, text) == Marker(path, "acme", "importer", True, True, True, 1500)


def test_what_the_file_leaves_out_has_its_default(tmp_path: Path) -> None:
    marker = marker_of(tmp_path, 'workspace = "acme"\nproject_strategy = "repo_root"\n')
    assert marker == Marker(tmp_path / MARKER_NAME, "acme", "", False, False, True, 4000)


@pytest.mark.parametrize("word", ["false", '"0"', '"no"', '"OFF"', '"False"'])
def test_words_for_no_are_no(tmp_path: Path, word: str) -> None:
    marker = marker_of(tmp_path, f'workspace = "a"\n[recall]\ndefault_global = {word}\n')
    assert marker and not marker.recall_default_global


@pytest.mark.parametrize(
    "text",
    ["", "# only a comment\n", "[capture]\nignore_paths = []\nx = 1\n", "[wiki]\nformat = 1\n[lint]\n"],
)
def test_a_file_for_others_sets_no_scope(tmp_path: Path, text: str) -> None:
    assert marker_of(tmp_path, text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('project = "x"\n', "workspace is missing"),
        ("[recall]\ndefault_global = true\n", "workspace is missing"),
        ('workspce = "x"\n', "'workspce' is not known (nearest: workspace)"),
        ("workspace = 3\n", "workspace must be a string, not 3"),
        ('workspace = "Acme Corp"\n', "workspace = 'Acme Corp' is not a scope name"),
        ('workspace = ""\n', "workspace = '' is not a scope name"),
        ('workspace = "_callers"\n', "reserved for the memories of callers"),
        ('workspace = "acme"\nproject = "_global"\n', "exists in workspace 'default' only"),
        ('workspace = "acme"\nproject = "a/b"\n', "project = 'a/b' is not a scope name"),
        ('workspace = "acme"\nproject_strategy = "folder"\n', "allowed: repo-root"),
        ('workspace = "acme"\nproject_strategy = []\n', "allowed: repo-root"),
        (
            'workspace = "acme"\ndrop_subagent_captures = 1\n',
            "drop_subagent_captures must be true or false, not 1",
        ),
        ('workspace = "acme"\n[recall]\nglobal = true\n', "[recall]: 'global' is not known"),
        (
            'workspace = "acme"\n[recall]\ndefault_global = "maybe"\n',
            "[recall] default_global must be true or",
        ),
        ('workspace = "acme"\nrecall = true\n', "recall must be a table, written [recall]"),
        ('workspace = "acme"\ncapture = true\n', "capture must be a table, written [capture]"),
        ('workspace = "acme"\n[briefing]\nmax_chars = 1499\n', "from 1500 to 20000, not 1499"),
        ('workspace = "acme"\n[briefing]\nmax_chars = 20001\n', "from 1500 to 20000, not 20001"),
        ('workspace = "acme"\n[briefing]\nmax_chars = true\n', "from 1500 to 20000, not True"),
        ('workspace = "acme"\n[briefing]\nmax_chars = 4000.0\n', "from 1500 to 20000, not 4000.0"),
        ('workspace = "acme"\n[briefing]\nchars = 1\n', "[briefing]: 'chars' is not known"),
        ('workspace = "acme\n', "not valid TOML"),
        ("#" * 65537, "larger than 65536 bytes"),
    ],
)
def test_a_mistake_is_one_sentence_that_names_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        marker_of(tmp_path, text)
    assert str(tmp_path / MARKER_NAME) in str(refused.value)
    assert words in str(refused.value)
