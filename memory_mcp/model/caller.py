"""A caller: the person, or the user of a bot, for whom a process works."""

from __future__ import annotations

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page_path import is_device_name
from memory_mcp.model.safe_name import safe_folder_name
from memory_mcp.model.scope import CALLERS, Scope

DEFAULT_CALLER = "default"
MAX_CALLER_CHARS = 200


def check_caller(name: str, place: str) -> str:
    """Return `name` if a caller may be called so; `place` is where it was given, for the message.

    Raises:
        InvalidInput: it is too long, unprintable, without letter or digit (`..`), or a device name (`con`).
    """
    if len(name) > MAX_CALLER_CHARS:
        raise InvalidInput(
            f"{place} = {name[:40]!r}… has {len(name)} characters; the limit is {MAX_CALLER_CHARS}."
        )
    if not name.isprintable() or name != name.strip():
        raise InvalidInput(f"{place} = {name!r:.120} holds blanks or control characters that nobody can see.")
    if not any(c.isalnum() for c in name):
        raise InvalidInput(f"{place} = {name!r:.80} has no letter and no digit: give a name such as ana.")
    if is_device_name(name):
        raise InvalidInput(f"{place} = {name!r:.80} is a reserved device name on Windows: choose another.")
    return name


def caller_scope(caller: str) -> Scope:
    """The scope that holds what is known about a caller."""
    return Scope(CALLERS, safe_folder_name(caller))
