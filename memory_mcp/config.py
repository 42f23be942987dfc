"""Settings: the only reader of the environment and of `config.toml`.

The class `Settings` is the table of keys. A field made with `_key` can be set in `config.toml` and in the
environment, where `[table] key` becomes `MEMORY_MCP_TABLE_KEY`; the environment wins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from memory_mcp.errors import InvalidInput
from memory_mcp.model.caller import DEFAULT_CALLER, check_caller
from memory_mcp.model.session_id import check_session, is_session
from memory_mcp.store.toml_read import check_keys, check_table, nearest, read_toml

CONFIG_NAME = "config.toml"
MAX_CONFIG_BYTES = 1_000_000

PREFIX = "MEMORY_MCP_"
DATA_DIR_VARIABLE = "MEMORY_MCP_DATA_DIR"
CALLER_VARIABLE = "MEMORY_MCP_CALLER"
SESSION_VARIABLE = "MEMORY_MCP_SESSION"
"""A host that starts the server says here which of its sessions the server is for."""
HOOK_VARIABLES = ("MEMORY_MCP_CAPTURE_OWNER", "MEMORY_MCP_RUN_ID")
"""What only hooks read."""

TOOL_GROUPS = ("wiki", "caller", "tasks", "sessions", "handoffs", "messages")
"""The groups of tools that a server can offer."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What values a key takes: in words, from the text of a variable, and checked.

    `check` returns the value as `Settings` holds it and raises `ValueError`, with a reason that
    completes the sentence "<key> ... <reason>" or none.
    """

    allowed: str
    from_text: Callable[[str], object]
    check: Callable[[object], object]


def _number(least: float, most: float, unit: str) -> Kind:
    """More than `least`, at most `most`."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least < value <= most:
            raise ValueError
        return float(value)

    return Kind(f"a number of {unit} above {least:g}, at most {most:g}", _float_or_text, check)


def _float_or_text(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def _check_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


_FLAG = Kind(
    "true or false", lambda text: {"true": True, "false": False}.get(text.strip().lower(), text), _check_flag
)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise ValueError
    return tuple(value)


def _split(separator: str) -> Callable[[str], object]:
    return lambda text: [each.strip() for each in text.split(separator) if each.strip()]


def _choices(names: tuple[str, ...]) -> Kind:
    def check(value: object) -> tuple[str, ...]:
        given = _strings(value)
        for each in given:
            if each not in names:
                raise ValueError(f"{each!r:.60} is not known{nearest(each, names)}")
        return tuple(dict.fromkeys(given))

    words = f"a list of names ({', '.join(names)}), in a variable separated by commas"
    return Kind(words, _split(","), check)


def _choice(*names: str) -> Kind:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError
        return value

    return Kind(" or ".join(names), lambda text: text.strip(), check)


def _check_patterns(value: object) -> tuple[str, ...]:
    given = _strings(value)
    for pattern in given:
        try:
            matches_nothing = re.compile(pattern).search("")
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"{pattern!r:.120} is not a regular expression: {error}") from error
        if matches_nothing:
            raise ValueError(f"{pattern!r:.120} matches the empty text")
    return given


_PATTERNS = Kind(
    "a list of Python regular expressions, in a variable one a line", _split("\n"), _check_patterns
)


def _check_words(value: object) -> tuple[str, ...]:
    given = _strings(value)
    for word in given:
        if len(word.split()) > 1:
            raise ValueError(f"{word!r:.60} is more than one word")
    return tuple(word.strip() for word in given)


_WORDS = Kind("a list of words, in a variable separated by commas", _split(","), _check_words)


def _check_path(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    if "\0" in value or "${" in value:
        raise ValueError(f"{value!r:.120} is no plain path")
    return value


_PATH = Kind("the path of a file, from the data dir or absolute", lambda text: text, _check_path)
_TEXTS = Kind("a list of texts that are not blank, in a variable one a line", _split("\n"), _strings)


@dataclass(frozen=True, slots=True)
class Key:
    """A key of `config.toml`: its table, name, kind, and what it is for."""

    table: str
    name: str
    kind: Kind
    purpose: str

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return f"{PREFIX}{self.table}_{self.name}".upper()


def _key(table: str, name: str, kind: Kind, default: object, purpose: str) -> Any:
    return field(default=default, metadata={"key": Key(table, name, kind, purpose)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that the environment decides; every path is absolute.

    `start_folder` is where the client works, `session` its session id, "" when it tells none, and
    `caller` the person whom it works for.
    """

    data_dir: Path
    start_folder: Path
    home: Path
    session: str = ""
    caller: str = DEFAULT_CALLER
    server_tools: tuple[str, ...] = _key(
        "server", "tools", _choices(TOOL_GROUPS), TOOL_GROUPS, "the groups of tools that the server offers"
    )
    lock_timeout: float = _key(
        "store", "lock_timeout", _number(0, 600, "seconds"), 10.0, "how long a write waits for another writer"
    )
    search_stop_words: tuple[str, ...] = _key(
        "search", "stop_words", _WORDS, (), "more words that a question is searched without"
    )
    sanitize_extra_patterns: tuple[str, ...] = _key(
        "sanitize", "extra_patterns", _PATTERNS, (), "more that counts as a secret"
    )
    sanitize_allowlist: tuple[str, ...] = _key(
        "sanitize", "allowlist", _TEXTS, (), "what looks like a secret is kept if it contains one of these"
    )
    capture_mode: str = _key(
        "capture",
        "mode",
        _choice("denylist", "allowlist"),
        "denylist",
        "allowlist: only in folders with a marker is anything recorded",
    )
    capture_tool_details: bool = _key(
        "capture",
        "tool_details",
        _FLAG,
        False,
        "whether a tool's name and the file it touched are recorded too",
    )
    capture_assistant: bool = _key(
        "capture",
        "assistant",
        _FLAG,
        False,
        "whether the end of an agent's answer is recorded, where its hook was installed to pass it on",
    )
    handoff_claim_on_session_start: bool = _key(
        "handoff",
        "claim_on_session_start",
        _FLAG,
        True,
        "whether a new session takes the waiting handoff, or is only told of it",
    )
    recall_on_prompt: bool = _key(
        "recall", "on_prompt", _FLAG, False, "whether passages that matter are added to what the user writes"
    )
    prompt_rules: Path | None = _key(  # noqa: RUF009 - it makes a field
        "prompt", "rules", _PATH, None, "a text file with your own memory rules for the session prompt"
    )
    vectors_enabled: bool = _key(
        "vectors", "enabled", _FLAG, True, "whether pages are also found by meaning, where that is installed"
    )


def _keys() -> dict[str, tuple[Key, object]]:
    """Field name to key and default."""
    return {f.name: (f.metadata["key"], f.default) for f in fields(Settings) if "key" in f.metadata}


def load_settings(
    data_dir: str | None, environ: Mapping[str, str], cwd: Path, caller: str | None = None
) -> Settings:
    """Settings from the flags `--data-dir` and `--caller`, the environment, `config.toml` and the defaults.

    An empty variable counts as not set. A relative data dir is taken from `cwd`.

    Raises:
        InvalidInput: a key, a variable or a value is wrong; the message names place, key and what is allowed.
    """
    home = Path(os.path.abspath(environ.get("HOME") or os.path.expanduser("~")))
    root = find_data_dir(data_dir, environ, cwd, home)
    values = {**_from_file(root / CONFIG_NAME), **_from_environment(environ)}
    if "prompt_rules" in values:
        values["prompt_rules"] = _absolute(values["prompt_rules"], root, home)
    return Settings(
        data_dir=root,
        start_folder=_start_folder(environ, cwd),
        home=home,
        session=_session(environ),
        caller=_caller(caller, environ),
        **values,
    )


def _session(environ: Mapping[str, str]) -> str:
    told = environ.get(SESSION_VARIABLE, "")
    if told:
        return check_session(told, SESSION_VARIABLE)
    found = environ.get("CLAUDE_CODE_SESSION_ID", "")
    return found if is_session(found) else ""


def _caller(flag: str | None, environ: Mapping[str, str]) -> str:
    if flag is not None:
        return check_caller(flag, "--caller")
    given = environ.get(CALLER_VARIABLE, "").strip()
    return check_caller(given, CALLER_VARIABLE) if given else DEFAULT_CALLER


def describe_settings() -> str:
    """The table of keys as markdown, for the documentation."""
    lines = ["| key | variable | value | default | what it is for |", "| --- | --- | --- | --- | --- |"]
    for key, default in _keys().values():
        shown = list(default) if isinstance(default, tuple) else "none" if default is None else default
        shown = str(shown).lower() if isinstance(shown, bool) else shown
        cells = (
            f"`[{key.table}] {key.name}`",
            f"`{key.variable}`",
            key.kind.allowed,
            f"`{shown}`".replace("'", '"'),
            key.purpose,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def find_data_dir(flag: str | None, environ: Mapping[str, str], cwd: Path, home: Path) -> Path:
    """The data dir that the flag, the environment or the platform names; raises as `load_settings`."""
    place, text = "--data-dir", flag
    if text is None:
        place, text = DATA_DIR_VARIABLE, environ.get(DATA_DIR_VARIABLE) or None
    if text is None:
        from platformdirs import user_data_path  # noqa: PLC0415 - not needed when the folder is named

        return Path(os.path.abspath(user_data_path("memory-mcp", appauthor=False)))
    if not text.strip() or "\0" in text:
        raise InvalidInput(f"{place} = {text!r:.120} names no folder; give the path of the data dir.")
    if "${" in text:
        raise InvalidInput(
            f"{place} = {text!r:.120} holds a variable that nobody expanded; give a plain path."
        )
    return _absolute(text, cwd, home)


def _absolute(text: str, folder: Path, home: Path) -> Path:
    if text == "~" or text.startswith("~/"):
        text = f"{home}{text[1:]}"  # clients pass it as written, without a shell
    return Path(os.path.abspath(folder / text))


def _start_folder(environ: Mapping[str, str], cwd: Path) -> Path:
    told = environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(os.path.abspath(told)) if os.path.isabs(told) and os.path.isdir(told) else cwd


def _from_file(path: Path) -> dict[str, Any]:
    data = read_toml(path, MAX_CONFIG_BYTES) or {}
    keys = _keys()
    tables: dict[str, dict[str, str]] = {}
    for name, (key, _) in keys.items():
        tables.setdefault(key.table, {})[key.name] = name
    check_keys(str(path), data, tables)
    values = {}
    for table, names in tables.items():
        given = check_table(path, data, table)
        check_keys(f"{path} [{table}]", given, names)
        for key_name, value in given.items():
            key = keys[names[key_name]][0]
            values[names[key_name]] = _checked(f"{path} [{table}] {key_name}", key.kind, value)
    return values


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    names = {key.variable: (name, key.kind) for name, (key, _) in _keys().items()}
    allowed = (*names, DATA_DIR_VARIABLE, CALLER_VARIABLE, SESSION_VARIABLE, *HOOK_VARIABLES)
    values = {}
    for variable, text in environ.items():
        if variable.startswith(PREFIX) and variable not in allowed and _is_misspelt(variable, allowed):
            raise InvalidInput(f"the variable {variable:.80} is not known{nearest(variable, allowed)}.")
        if variable in names and text.strip():
            name, kind = names[variable]
            values[name] = _checked(variable, kind, kind.from_text(text))
    return values


def _is_misspelt(variable: str, allowed: Iterable[str]) -> bool:
    """Whether it resembles one of ours; others with our prefix belong to scripts and tools around us."""
    import difflib  # noqa: PLC0415 - only an unknown variable needs it

    names = [name.removeprefix(PREFIX) for name in allowed]
    return bool(difflib.get_close_matches(variable.removeprefix(PREFIX), names, n=1))


def _checked(place: str, kind: Kind, value: object) -> object:
    try:
        return kind.check(value)
    except ValueError as error:
        reason = f": {error}" if str(error) else f" = {value!r:.80}"
        raise InvalidInput(f"{place}{reason}; it must be {kind.allowed}.") from error
