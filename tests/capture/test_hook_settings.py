"""A hook reads its settings as all other processes do."""

import os
from pathlib import Path

import pytest

from memory_mcp.capture import hook_settings
from memory_mcp.capture.hook_settings import BadSettings, read_settings
from memory_mcp.config import Settings, _keys, load_settings
from memory_mcp.errors import InvalidInput

CONFIGS = (
    "",
    '[capture]\nmode = "allowlist"\ntool_details = true\nassistant = true\n',
    "[recall]\non_prompt = true\n",
    '[sanitize]\nextra_patterns = ["ACME-[0-9]+"]\nallowlist = ["example"]\n',
    '\ufeff[server]\ntools = ["wiki"]\n',
)
BAD = (
    "[capture",
    "capture = 1\n",
    "[capture]\nmode = 7\n",
    '[capture]\nmode = "some"\n',
    '[capture]\ntool_details = "yes"\n',
    "[capture]\nassistant = 1\n",
    '[capture]\nignore_paths = ["x"]\n',
    '[recall]\non_prompt = "true"\n',
    "[recall]\non_start = true\n",
    '[sanitize]\nextra_patterns = "x"\n',
    '[sanitize]\nextra_patterns = ["("]\n',
    '[sanitize]\nextra_patterns = ["x*"]\n',
    '[sanitize]\nextra_patterns = [" "]\n',
    '[sanitize]\nextra_pattern = ["x"]\n',
    '[sanitise]\nextra_patterns = ["x"]\n',
    "[sanitize]\nallowlist = [7]\n",
)
ENVIRONMENTS = (
    {},
    {"MEMORY_MCP_CAPTURE_MODE": "allowlist"},
    {"MEMORY_MCP_CAPTURE_MODE": " denylist ", "MEMORY_MCP_CAPTURE_TOOL_DETAILS": "TRUE"},
    {"MEMORY_MCP_CAPTURE_ASSISTANT": "false", "MEMORY_MCP_RECALL_ON_PROMPT": "true"},
    {"MEMORY_MCP_SANITIZE_EXTRA_PATTERNS": "one\n two \n", "MEMORY_MCP_SANITIZE_ALLOWLIST": "a\nb"},
    {"MEMORY_MCP_SANITIZE_EXTRA_PATTERNS": " "},
)
BAD_ENVIRONMENTS = (
    {"MEMORY_MCP_CAPTURE_MODE": "true"},
    {"MEMORY_MCP_CAPTURE_TOOL_DETAILS": "yes"},
    {"MEMORY_MCP_RECALL_ON_PROMPT": "1"},
    {"MEMORY_MCP_SANITIZE_EXTRA_PATTERNS": "("},
)


def write(data_dir: Path, text: str) -> None:
    (data_dir / "config.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("environ", ENVIRONMENTS)
@pytest.mark.parametrize("text", CONFIGS)
def test_both_readers_find_the_same(tmp_path, text, environ):
    write(tmp_path, text)
    ours = read_settings(str(tmp_path), environ)
    theirs = load_settings(str(tmp_path), environ, tmp_path)
    assert ours.mode == theirs.capture_mode
    assert ours.tool_details == theirs.capture_tool_details
    assert ours.assistant == theirs.capture_assistant
    assert ours.recall == theirs.recall_on_prompt
    assert ours.extra_patterns == theirs.sanitize_extra_patterns
    assert ours.allowlist == theirs.sanitize_allowlist


@pytest.mark.parametrize("text", BAD)
def test_both_readers_refuse_the_same_file(tmp_path, text):
    write(tmp_path, text)
    with pytest.raises(BadSettings):
        read_settings(str(tmp_path), {})
    with pytest.raises(BadSettings):
        read_settings(str(tmp_path), {"MEMORY_MCP_CAPTURE_MODE": "denylist"})
    with pytest.raises(InvalidInput):
        load_settings(str(tmp_path), {}, tmp_path)


@pytest.mark.parametrize("environ", BAD_ENVIRONMENTS)
def test_both_readers_refuse_the_same_variable(tmp_path, environ):
    with pytest.raises(BadSettings):
        read_settings(str(tmp_path), environ)
    with pytest.raises(InvalidInput):
        load_settings(str(tmp_path), environ, tmp_path)


def test_the_tables_that_a_hook_passes_over_are_all_there_are():
    tables = {key.table for key, _ in _keys().values()}
    assert {*hook_settings._TABLES, *hook_settings._OTHER_TABLES} == tables
    names = {(key.table, key.name) for key, _ in _keys().values()}
    read = {(table, key) for table, keys in hook_settings._TABLES.items() for key in keys}
    assert read == {pair for pair in names if pair[0] in hook_settings._TABLES}


def test_the_variables_that_only_hooks_read_stop_no_other_process(tmp_path):
    environ = {"MEMORY_MCP_CAPTURE_OWNER": "another program", "MEMORY_MCP_RUN_ID": "a run"}
    assert isinstance(load_settings(str(tmp_path), environ, tmp_path), Settings)


def test_a_pipe_in_place_of_the_file_blocks_nobody(tmp_path):
    os.mkfifo(tmp_path / "config.toml")
    with pytest.raises(BadSettings, match="regular file"):
        read_settings(str(tmp_path), {})


def test_a_folder_that_cannot_be_looked_into_is_refused_rather_than_passed_over(tmp_path):
    (tmp_path / "config.toml").symlink_to("config.toml")  # a loop
    with pytest.raises(BadSettings, match="cannot be read"):
        read_settings(str(tmp_path), {})
