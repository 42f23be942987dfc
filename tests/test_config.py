"""Settings from flag, environment, config.toml and defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.config import Settings, describe_settings, load_settings
from memory_mcp.errors import InvalidInput


def load(tmp_path: Path, config: str = "", **environ: str) -> Settings:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data/config.toml").write_text(config, encoding="utf-8")
    return load_settings("data", {"HOME": "/home/ana", **environ}, tmp_path)


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings(
        data_dir=tmp_path / "data",
        start_folder=tmp_path,
        home=Path("/home/ana"),
        session="",
        caller="default",
        server_tools=("wiki", "caller", "tasks", "sessions", "handoffs", "messages"),
        lock_timeout=10.0,
        search_stop_words=(),
        sanitize_extra_patterns=(),
        sanitize_allowlist=(),
        capture_mode="denylist",
        capture_tool_details=False,
        capture_assistant=False,
        handoff_claim_on_session_start=True,
        recall_on_prompt=False,
    )


def test_a_data_dir_comes_from_the_flag_then_the_variable_then_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    environ = {"HOME": "/home/ana", "MEMORY_MCP_DATA_DIR": "from-variable"}
    assert load_settings("flag", environ, tmp_path).data_dir == tmp_path / "flag"
    assert load_settings("/abs/../x", environ, tmp_path).data_dir == Path("/x")
    assert load_settings("~/memory", environ, tmp_path).data_dir == Path("/home/ana/memory")
    assert load_settings(None, environ, tmp_path).data_dir == tmp_path / "from-variable"
    for nothing in ({"HOME": "/home/ana"}, {"HOME": "/home/ana", "MEMORY_MCP_DATA_DIR": ""}):
        default = load_settings(None, nothing, tmp_path).data_dir
        assert default.is_absolute() and default.name == "memory-mcp"


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "${HOME}/memory"])
def test_a_data_dir_that_names_no_folder_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInput, match="--data-dir = "):
        load_settings(text, {}, tmp_path)


def test_the_variable_of_an_unexpanded_data_dir_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"MEMORY_MCP_DATA_DIR = .* nobody expanded"):
        load_settings(None, {"MEMORY_MCP_DATA_DIR": "${DATA}"}, tmp_path)


def test_config_toml_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    config = """
[server]
tools = ["wiki", "wiki"]
[store]
lock_timeout = 3
[sanitize]
extra_patterns = ['ACME-\\d{1,3}']
allowlist = ["example"]
"""
    settings = load(tmp_path, config)
    assert settings.server_tools == ("wiki",)
    assert settings.lock_timeout == 3.0
    assert settings.sanitize_extra_patterns == (r"ACME-\d{1,3}",)
    settings = load(
        tmp_path,
        config,
        MEMORY_MCP_SERVER_TOOLS=" wiki, ",
        MEMORY_MCP_STORE_LOCK_TIMEOUT="0.5",
        MEMORY_MCP_SANITIZE_EXTRA_PATTERNS="a{1,2}\nb\n",
        MEMORY_MCP_SANITIZE_ALLOWLIST="",
    )
    assert settings.lock_timeout == 0.5
    assert settings.sanitize_extra_patterns == ("a{1,2}", "b")
    assert settings.sanitize_allowlist == ("example",)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            "[serve]\n",
            "'serve' is not known (nearest: server); allowed: capture, handoff, prompt, recall, sanitize, "
            "search, server, store, vectors.",
        ),
        (
            "[store]\nlock_timout = 3\n",
            "config.toml [store]: 'lock_timout' is not known (nearest: lock_timeout)",
        ),
        ("server = 3\n", "config.toml: server must be a table, written [server]."),
        (
            '[server]\ntools = "wiki"\n',
            "[server] tools = 'wiki'; it must be a list of names (wiki, caller, tasks, sessions, handoffs, "
            "messages)",
        ),
        (
            '[server]\ntools = ["wki"]\n',
            "[server] tools: 'wki' is not known (nearest: wiki); allowed: caller, handoffs, messages, "
            "sessions, tasks, wiki",
        ),
        ("[server]\ntools = [1]\n", "[server] tools = [1]; it must be a list of names"),
        (
            "[store]\nlock_timeout = 0\n",
            "lock_timeout = 0; it must be a number of seconds above 0, at most 600.",
        ),
        ("[store]\nlock_timeout = 601\n", "lock_timeout = 601; it must be"),
        ("[store]\nlock_timeout = nan\n", "lock_timeout = nan; it must be"),
        ("[store]\nlock_timeout = true\n", "lock_timeout = True; it must be"),
        ("[vectors]\nenabled = 'no'\n", "enabled = 'no'; it must be true or false"),
        ('[store]\nlock_timeout = "3"\n', "lock_timeout = '3'; it must be"),
        ("[sanitize]\nextra_patterns = ['(']\n", "extra_patterns: '(' is not a regular expression:"),
        ("[sanitize]\nextra_patterns = ['a*']\n", "extra_patterns: 'a*' matches the empty text"),
        (
            '[sanitize]\nallowlist = [" "]\n',
            "allowlist = [' ']; it must be a list of texts that are not blank",
        ),
        ('[search]\nstop_words = "le"\n', "[search] stop_words = 'le'; it must be a list of words,"),
        (
            '[search]\nstop_words = ["le", "in situ"]\n',
            "[search] stop_words: 'in situ' is more than",
        ),
        ("[store\n", "config.toml is not valid TOML"),
    ],
)
def test_a_mistake_in_config_toml_stops_the_start_with_a_sentence(
    tmp_path: Path, config: str, words: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        load(tmp_path, config)
    assert str(tmp_path / "data/config.toml") in str(refused.value)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        (
            "MEMORY_MCP_STORE_LOCK_TIMEOUT",
            "soon",
            "= 'soon'; it must be a number of seconds above 0, at most 600.",
        ),
        ("MEMORY_MCP_STORE_LOCK_TIMEOUT", "inf", "= inf; it must be"),
        ("MEMORY_MCP_SERVER_TOOLS", "wiki,x", ": 'x' is not known"),
        ("MEMORY_MCP_DATADIR", "/x", "is not known (nearest: MEMORY_MCP_DATA_DIR)"),
        ("MEMORY_MCP_LOCK_TIMEOUT", "3", "is not known (nearest: MEMORY_MCP_STORE_LOCK_TIMEOUT)"),
    ],
)
def test_a_mistake_in_the_environment_names_the_variable(
    tmp_path: Path, variable: str, value: str, words: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        load(tmp_path, "", **{variable: value})
    assert variable in str(refused.value)
    assert words in str(refused.value)


def test_other_variables_are_not_looked_at(tmp_path: Path) -> None:
    load(
        tmp_path,
        "",
        MEMORY_MCP_CALLER="ana",
        MEMORY_MCP_CMD="memory-mcp serve",
        MEMORY_FILE_PATH="/x",
        _MEMORY_MCP_COMPLETE="bash_source",
    )


def test_the_client_tells_the_folder_it_works_in(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    assert load(tmp_path, CLAUDE_PROJECT_DIR=str(tmp_path / "proj")).start_folder == tmp_path / "proj"
    for useless in ("", "proj", "${CLAUDE_PROJECT_DIR}", str(tmp_path / "gone")):
        assert load(tmp_path, CLAUDE_PROJECT_DIR=useless).start_folder == tmp_path


def test_a_session_is_one_printable_word_or_unknown(tmp_path: Path) -> None:
    name = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
    assert load(tmp_path, CLAUDE_CODE_SESSION_ID=name).session == name
    for odd in ("a b", "a\nSigned-off-by: x", "é", "x" * 129):
        assert load(tmp_path, CLAUDE_CODE_SESSION_ID=odd).session == ""


def test_the_description_has_a_row_for_every_key_with_its_variable() -> None:
    rows = describe_settings().splitlines()[2:]
    assert [row.split(" | ")[1] for row in rows] == [
        "`MEMORY_MCP_SERVER_TOOLS`",
        "`MEMORY_MCP_STORE_LOCK_TIMEOUT`",
        "`MEMORY_MCP_SEARCH_STOP_WORDS`",
        "`MEMORY_MCP_SANITIZE_EXTRA_PATTERNS`",
        "`MEMORY_MCP_SANITIZE_ALLOWLIST`",
        "`MEMORY_MCP_CAPTURE_MODE`",
        "`MEMORY_MCP_CAPTURE_TOOL_DETAILS`",
        "`MEMORY_MCP_CAPTURE_ASSISTANT`",
        "`MEMORY_MCP_HANDOFF_CLAIM_ON_SESSION_START`",
        "`MEMORY_MCP_RECALL_ON_PROMPT`",
        "`MEMORY_MCP_PROMPT_RULES`",
        "`MEMORY_MCP_VECTORS_ENABLED`",
    ]
    assert all(row.count(" | ") == 4 for row in rows)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("False", False), (" TRUE ", True)])
def test_a_flag_is_read_from_a_variable(tmp_path: Path, text: str, value: bool) -> None:
    settings = load_settings(str(tmp_path), {"MEMORY_MCP_VECTORS_ENABLED": text}, tmp_path)
    assert settings.vectors_enabled is value


def test_a_flag_that_is_neither_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="it must be true or false"):
        load_settings(str(tmp_path), {"MEMORY_MCP_VECTORS_ENABLED": "maybe"}, tmp_path)


def test_the_caller_is_the_one_that_the_environment_names(tmp_path: Path) -> None:
    assert load(tmp_path, MEMORY_MCP_CALLER="telegram:123").caller == "telegram:123"
    assert load(tmp_path, MEMORY_MCP_CALLER=" ").caller == "default"


def test_a_host_names_the_session_of_its_server(tmp_path: Path) -> None:
    environ = {"MEMORY_MCP_SESSION": "s1", "CLAUDE_CODE_SESSION_ID": "s2"}
    assert load(tmp_path, **environ).session == "s1"
    assert load(tmp_path, **environ | {"MEMORY_MCP_SESSION": ""}).session == "s2"
    with pytest.raises(InvalidInput, match=r"^MEMORY_MCP_SESSION = 'two words' is no id of a session: give"):
        load(tmp_path, MEMORY_MCP_SESSION="two words")


def test_stop_words_come_from_the_file_or_the_variable(tmp_path: Path) -> None:
    config = '[search]\nstop_words = ["le", " où "]\n'
    assert load(tmp_path, config).search_stop_words == ("le", "où")
    assert load(tmp_path, config, MEMORY_MCP_SEARCH_STOP_WORDS="der, die").search_stop_words == ("der", "die")


def test_the_flag_caller_wins_and_both_are_checked(tmp_path: Path) -> None:
    environ = {"MEMORY_MCP_CALLER": "ana"}
    assert load_settings(str(tmp_path), environ, tmp_path, "ben").caller == "ben"
    with pytest.raises(InvalidInput, match=r"^--caller = '\.\.' has no letter"):
        load_settings(str(tmp_path), environ, tmp_path, "..")
    with pytest.raises(InvalidInput, match=r"^MEMORY_MCP_CALLER = 'con' is a reserved device name"):
        load_settings(str(tmp_path), {"MEMORY_MCP_CALLER": "con"}, tmp_path)


def test_the_file_of_rules_is_taken_from_the_data_dir_or_from_home(tmp_path: Path) -> None:
    assert load(tmp_path).prompt_rules is None
    assert load(tmp_path, '[prompt]\nrules = "rules.md"\n').prompt_rules == tmp_path / "data" / "rules.md"
    assert load(tmp_path, '[prompt]\nrules = "~/r.md"\n').prompt_rules == Path("/home/ana/r.md")
    assert load(tmp_path, MEMORY_MCP_PROMPT_RULES="/etc/r.md").prompt_rules == Path("/etc/r.md")


@pytest.mark.parametrize("value", ['""', "7", '"a\\u0000b"', '"${HOME}/r.md"'])
def test_rules_that_name_no_file_are_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(InvalidInput, match=r"\[prompt\] rules"):
        load(tmp_path, f"[prompt]\nrules = {value}\n")
