"""Reading a TOML file; a hook has most often none to read, so the parser is imported for the first."""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# ruff: noqa: PLC0415 - 10 ms, which a hook without such a file need not pay

MAX_DOTS = 500
"""Of a line: the parser takes the square of a dotted key's length, which in 64 KiB may be a minute."""


class BadToml(Exception):
    """A file that is there and cannot be read as TOML; the text says which and why, without a full stop."""


def read_toml_file(path: str, max_bytes: int) -> dict[str, Any] | None:
    """The tables of the file at `path`, None where there is none.

    Raises:
        BadToml: it is not a regular file, larger than `max_bytes`, unreadable or not TOML.
    """
    try:
        # A pipe of this name would block whoever opens it.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadToml(f"{path} is not a regular file; replace it by a TOML file or remove it")
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadToml(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BadToml(f"{path} cannot be read: {error}") from error
    if len(data) > max_bytes:
        raise BadToml(f"{path} is larger than {max_bytes} bytes, the most that is read")
    try:
        return parse_toml(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadToml(f"{path} is not UTF-8 (byte {error.start})") from error
    except ValueError as error:
        raise BadToml(f"{path} is not valid TOML: {error}") from error


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a text as TOML.

    Raises:
        ValueError: it is not TOML, or is nested too deeply to be read.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]
    if any(line.count(".") > MAX_DOTS for line in text.splitlines()):
        raise ValueError(f"a line has over {MAX_DOTS} dots")
    try:
        parsed: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return parsed
