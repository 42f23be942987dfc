"""The few settings that a hook needs, read by itself: importing `config` would take longer than the hook.

Keys, variables and defaults are those of `config.Settings`; a test holds the two together. What is wrong here
stops the recording, for a sanitizer without a person's own patterns would let their secrets through.
"""

from __future__ import annotations

import re

from memory_mcp.capture.toml_file import BadToml, read_toml_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

MAX_CONFIG_BYTES = 1_000_000
ALLOWLIST = "allowlist"
_MODES = ("denylist", ALLOWLIST)
_TABLES = {
    "capture": ("mode", "tool_details", "assistant"),
    "recall": ("on_prompt",),
    "sanitize": ("extra_patterns", "allowlist"),
}
_OTHER_TABLES = ("server", "store", "search", "handoff", "prompt", "vectors")


class BadSettings(Exception):
    """Settings that a hook cannot use; the text says which and why."""


class HookSettings:
    """How events are recorded here."""

    __slots__ = ("allowlist", "assistant", "extra_patterns", "mode", "recall", "tool_details")

    def __init__(self, given: Mapping[str, Mapping[str, Any]]) -> None:
        capture, sanitize = given["capture"], given["sanitize"]
        self.mode = _choice(capture, "mode")
        self.tool_details = _flag(capture, "capture", "tool_details")
        self.assistant = _flag(capture, "capture", "assistant")
        self.recall = _flag(given["recall"], "recall", "on_prompt")
        self.extra_patterns = _strings(sanitize, "extra_patterns")
        self.allowlist = _strings(sanitize, "allowlist")
        for pattern in self.extra_patterns:
            _check_pattern(pattern)


def read_settings(data_dir: str, environ: Mapping[str, str]) -> HookSettings:
    """The settings of this data dir, those of the environment before those of `config.toml`.

    Raises:
        BadSettings: the file or a value cannot be used.
    """
    try:
        found = read_toml_file(f"{data_dir}/config.toml", MAX_CONFIG_BYTES) or {}
    except BadToml as error:
        raise BadSettings(str(error)) from None
    # A table or key that nobody knows may be a misspelt pattern of what must not be recorded.
    if unknown := [name for name in found if name not in (*_TABLES, *_OTHER_TABLES)]:
        raise BadSettings(f"config.toml: {unknown[0]!r:.60} is not known")
    given: dict[str, dict[str, Any]] = {}
    for table, keys in _TABLES.items():
        values = found.get(table, {})
        if not isinstance(values, dict):
            raise BadSettings(f"[{table}] of config.toml is no table")
        if unknown := [name for name in values if name not in keys]:
            raise BadSettings(f"[{table}] of config.toml: {unknown[0]!r:.60} is not known")
        given[table] = values
    settings = HookSettings(given)
    told = {table: _from_environment(table, keys, environ) for table, keys in _TABLES.items()}
    if any(told.values()):
        return HookSettings({table: {**given[table], **told[table]} for table in _TABLES})
    return settings


def _from_environment(table: str, keys: Sequence[str], environ: Mapping[str, str]) -> dict[str, Any]:
    texts = {key: environ.get(f"MEMORY_MCP_{table}_{key}".upper(), "") for key in keys}
    return {key: _from_text(key, text) for key, text in texts.items() if text.strip()}


def _check_pattern(pattern: str) -> None:
    try:
        matches_nothing = re.compile(pattern).search("")
    except (re.error, RecursionError, OverflowError) as error:
        raise BadSettings(f"[sanitize] extra_patterns: {pattern!r:.120} is no pattern ({error})") from None
    if matches_nothing:
        raise BadSettings(f"[sanitize] extra_patterns: {pattern!r:.120} matches the empty text")


def _from_text(key: str, text: str) -> object:
    if key in ("extra_patterns", "allowlist"):
        return [each.strip() for each in text.split("\n") if each.strip()]
    return {"true": True, "false": False}.get(text.strip().lower(), text.strip())


def _choice(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, _MODES[0])
    if value not in _MODES:
        raise BadSettings(f"[capture] {key} = {value!r:.60} must be {' or '.join(_MODES)}")
    return str(value)


def _flag(table: Mapping[str, Any], name: str, key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise BadSettings(f"[{name}] {key} = {value!r:.60} must be true or false")
    return value


def _strings(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise BadSettings(f"[sanitize] {key} must be a list of texts")
    return tuple(value)
