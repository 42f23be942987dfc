"""TOML files of people, read strictly: a mistake is one sentence that names file, key and what is allowed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from memory_mcp.capture.toml_file import BadToml, read_toml_file
from memory_mcp.errors import InvalidInput


def read_toml(path: Path, max_bytes: int) -> dict[str, object] | None:
    """Parse the TOML file at `path`; None when there is no file.

    Raises:
        InvalidInput: it is not a regular file, larger than `max_bytes`, unreadable or not TOML.
    """
    try:
        return read_toml_file(os.fspath(path), max_bytes)
    except BadToml as error:
        raise InvalidInput(f"{error}.") from error


def check_keys(place: str, given: Mapping[str, object], allowed: Iterable[str]) -> None:
    """Refuse a key of `given` that is not among `allowed`; `place` names the file and table."""
    names = list(allowed)
    for key in given:
        if key not in names:
            raise InvalidInput(f"{place}: {key!r:.60} is not known{nearest(key, names)}.")


def nearest(name: str, allowed: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the known one it resembles, and all there are."""
    import difflib  # noqa: PLC0415 - only an error needs it

    names = sorted(allowed)
    near = difflib.get_close_matches(name, names, n=1)
    return f"{f' (nearest: {near[0]})' if near else ''}; allowed: {', '.join(names)}"


def check_table(path: Path, data: Mapping[str, object], name: str) -> Mapping[str, object]:
    """The table `[name]` of a parsed file, empty if absent."""
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise InvalidInput(f"{path}: {name} must be a table, written [{name}].")
    return table
