"""TOML files of people, read strictly: a mistake is one sentence that names file, key and what is allowed."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from memory_mcp.errors import InvalidInput


def read_toml(path: Path, max_bytes: int) -> dict[str, object] | None:
    """Parse the TOML file at `path`; None when there is no file.

    Raises:
        InvalidInput: it is not a regular file, larger than `max_bytes`, unreadable or not TOML.
    """
    try:
        # A pipe of this name would block whoever opens it.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InvalidInput(f"{path} is not a regular file; replace it by a TOML file or remove it.")
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    if len(data) > max_bytes:
        raise InvalidInput(f"{path} is larger than {max_bytes} bytes, the most that is read.")
    return _parse(path, data)


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


def parse_toml(text: str) -> dict[str, object]:
    """Parse a text as TOML.

    Raises:
        ValueError: it is not TOML, or is nested too deeply to be read.
    """
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415 - most folders have no file to parse
    else:
        import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
    try:
        parsed: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return parsed


def _parse(path: Path, data: bytes) -> dict[str, object]:
    try:
        return parse_toml(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 (byte {error.start}).") from error
    except ValueError as error:
        raise InvalidInput(f"{path} is not valid TOML: {error}.") from error
