"""The paths that a tool call names, as far as its arguments tell."""

from __future__ import annotations

import os
import re

from memory_mcp.capture.tool_family import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memory_mcp.capture.tool_call import ToolCall

MAX_PATHS = 32
MAX_WORDS = 1_024
MAX_PATH_CHARS = 4_096
PATH_KEYS = ("file_path", "filePath", "path", "absolute_path", "AbsolutePath", "notebook_path", "TargetFile")
_ENTRIES = {
    "multi_edit": ("edits", "replacements"),
    "multiedit": ("edits", "replacements"),
    "replace_all": ("edits", "replacements"),
    "read": ("operations",),
    "fs_read": ("operations",),
}
_COMMAND_KEYS = ("command", "cmd", "script", "CommandLine")
_PATCH_KEYS = ("command", "input", "patch", "patchText")
_PATCHED = r"(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)[ \t\r]*$"
_WORDS = r"[^\s;|&<>()]+"
_MAX_COMMAND_CHARS = 100_000


def tool_paths(call: ToolCall) -> list[str]:
    """The paths that a tool of files or of searches is given; none if there are too many to look at."""
    found: dict[str, None] = {}
    for path in _paths(call):
        if path.strip():
            found[path] = None
        if len(found) > MAX_PATHS:
            return []
    return list(found)


def command_words(call: ToolCall) -> list[str]:
    """The words of a shell command that may be paths; none if there are too many to look at.

    An option or a variable that is given a value counts as that value.
    """
    text = next((found for key in _COMMAND_KEYS if (found := _text(call.arguments.get(key)))), "")
    if len(text) > _MAX_COMMAND_CHARS:
        return []
    words: dict[str, None] = {}
    for each in re.findall(_WORDS, text):
        word = each.translate(_QUOTES)
        if word.startswith("-"):
            word = word.partition("=")[2]
        elif re.match(r"[A-Za-z_]\w*=", word):
            words[word] = None
            word = word.partition("=")[2]
        if word:
            words[word] = None
        if len(words) > MAX_WORDS:
            return []
    return list(words)


def file_of(call: ToolCall, cwd: str, root: str) -> str:
    """The first file that the call names, from the folder `root`; "" for none, and for one outside of it."""
    path = next(iter(tool_paths(call)), "")
    if not path or "\0" in path or len(path) > MAX_PATH_CHARS:
        return ""
    try:
        inside = os.path.relpath(os.path.realpath(os.path.join(cwd, path)), os.path.realpath(root))
    except (OSError, ValueError):
        return ""
    if inside in (".", "..") or inside.startswith(f"..{os.sep}") or os.path.isabs(inside):
        return ""
    return inside.replace(os.sep, "/")


_QUOTES = {ord(mark): None for mark in "\"'`"}


def _paths(call: ToolCall) -> Iterator[str]:
    yield from _given(call.arguments)
    name = call.name.strip().lower()
    for key in _ENTRIES.get(name, ()):
        entries = call.arguments.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield from _given(entry)
    if call.family == FILE and name in ("apply_patch", "patch"):
        for key in _PATCH_KEYS:
            yield from re.findall(_PATCHED, _text(call.arguments.get(key))[:_MAX_COMMAND_CHARS])


def _given(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key in PATH_KEYS:
        if isinstance(arguments.get(key), str):
            yield arguments[key]
    paths = arguments.get("paths")
    for path in paths if isinstance(paths, list) else ():
        if isinstance(path, str):
            yield path


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""
