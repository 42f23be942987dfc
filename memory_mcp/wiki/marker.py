"""The marker file `.memory-mcp.toml`: what a folder tree says about its scope.

The file also holds tables that have readers of their own (`[capture]`, `[wiki]`, `[lint]`). One that holds
nothing else sets no scope, and who walks upward passes it by.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import CALLERS, GLOBAL, check_scope_name
from memory_mcp.store.toml_read import check_keys, check_table, read_toml

MARKER_NAME = ".memory-mcp.toml"
MAX_MARKER_BYTES = 64 * 1024

MIN_BRIEFING_CHARS = 1500
MAX_BRIEFING_CHARS = 20_000
DEFAULT_BRIEFING_CHARS = 4000

_SCOPE_KEYS = ("workspace", "project", "project_strategy", "drop_subagent_captures", "recall", "briefing")
_OTHER_TABLES = ("capture", "wiki", "lint")
_STRATEGIES = ("repo-root", "repo_root")
_TRUE = ("true", "1", "yes", "on")
_FALSE = ("false", "0", "no", "off")


class Marker(NamedTuple):
    """A marker file that sets a scope.

    `project` is "" when the file leaves it to the repository's name, which is also what the only
    `project_strategy`, `repo-root`, says.
    """

    path: Path
    workspace: str
    project: str = ""
    drop_subagent_captures: bool = False
    recall_default_global: bool = False
    briefing_inject: bool = True
    briefing_max_chars: int = DEFAULT_BRIEFING_CHARS


def read_marker(folder: Path) -> Marker | None:
    """The marker of `folder`; None when there is none or it sets no scope.

    Raises:
        InvalidInput: the file breaks a rule; the message names file, key and what is allowed.
    """
    path = folder / MARKER_NAME
    data = read_toml(path, MAX_MARKER_BYTES)
    if data is None:
        return None
    check_keys(str(path), data, (*_SCOPE_KEYS, *_OTHER_TABLES))
    for table in _OTHER_TABLES:
        check_table(path, data, table)
    if not any(key in data for key in _SCOPE_KEYS):
        return None
    return _parse(path, data)


def _parse(path: Path, data: Mapping[str, object]) -> Marker:
    if "workspace" not in data:
        raise InvalidInput(f'{path}: workspace is missing; name one, e.g. workspace = "default".')
    recall = check_table(path, data, "recall")
    briefing = check_table(path, data, "briefing")
    check_keys(f"{path} [recall]", recall, ("default_global",))
    check_keys(f"{path} [briefing]", briefing, ("inject_on_session_start", "max_chars"))
    workspace = _name(path, data, "workspace")
    project = _name(path, data, "project") if "project" in data else ""
    if project == GLOBAL.project and workspace != GLOBAL.workspace:
        raise InvalidInput(f"{path}: project {project!r} exists in workspace {GLOBAL.workspace!r} only.")
    strategy = data.get("project_strategy", _STRATEGIES[0])
    if strategy not in _STRATEGIES:
        raise InvalidInput(f"{path}: project_strategy = {strategy!r:.60} is not known; allowed: repo-root.")
    return Marker(
        path,
        workspace,
        project,
        _flag(path, data, "drop_subagent_captures"),
        _flag(path, recall, "default_global", "recall"),
        _flag(path, briefing, "inject_on_session_start", "briefing", default=True),
        _briefing_chars(path, briefing),
    )


def _name(path: Path, data: Mapping[str, object], key: str) -> str:
    value = data[key]
    if not isinstance(value, str):
        raise InvalidInput(f"{path}: {key} must be a string, not {value!r:.60}.")
    if key == "workspace" and value == CALLERS:
        raise InvalidInput(f"{path}: workspace {CALLERS!r} is reserved for the memories of callers.")
    try:
        return check_scope_name(value, key)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def _flag(
    path: Path, table: Mapping[str, object], key: str, name: str = "", *, default: bool = False
) -> bool:
    value = table.get(key, default)
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _TRUE + _FALSE:
        return value.lower() in _TRUE
    place = f"[{name}] {key}" if name else key
    raise InvalidInput(f"{path}: {place} must be true or false, not {value!r:.60}.")


def _briefing_chars(path: Path, briefing: Mapping[str, object]) -> int:
    value = briefing.get("max_chars", DEFAULT_BRIEFING_CHARS)
    if type(value) is not int or not MIN_BRIEFING_CHARS <= value <= MAX_BRIEFING_CHARS:
        raise InvalidInput(
            f"{path}: [briefing] max_chars must be a whole number from {MIN_BRIEFING_CHARS} to "
            f"{MAX_BRIEFING_CHARS}, not {value!r:.60}."
        )
    return value
