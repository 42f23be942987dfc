"""Reading a TOML file in a hook, which has most often none to read: the parser is imported for the first."""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# ruff: noqa: PLC0415 - 10 ms, which a hook without such a file need not pay


class BadToml(Exception):
    """A file that is there and cannot be read as TOML; the text says why."""


def read_toml_file(path: str, max_bytes: int) -> dict[str, Any] | None:
    """The tables of the file at `path`, None where there is none.

    Raises:
        BadToml: it cannot be read, is too large, or is not TOML.
    """
    try:
        # A pipe of this name would block whoever opens it.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadToml(f"{path} is not a regular file")
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise BadToml(f"{path} cannot be read ({type(error).__name__})") from None
    if len(data) > max_bytes:
        raise BadToml(f"{path} is larger than {max_bytes} bytes")
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]
    try:
        parsed: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadToml(f"{path} is not TOML ({error})") from None
    return parsed
