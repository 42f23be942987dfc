"""Servers in a JSON file, in an object of them under some key: so most clients have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from memory_mcp.clients.client import Place, ServerFile
from memory_mcp.clients.entry import NAME, ServerEntry, entry_words, is_our_server
from memory_mcp.clients.json_text import load_json, remove_json_member, set_json_value

Load = Callable[[str], Any]
Form = Callable[[ServerEntry], Mapping[str, Any]]
"""The entry as the client wants it, without what a person may add."""


def plain_form(entry: ServerEntry) -> Mapping[str, Any]:
    """Command, arguments and environment."""
    return {"command": entry.command, "args": list(entry.args), "env": dict(entry.env)}


def add_server(
    text: str, entry: ServerEntry, *, keys: tuple[str, ...], form: Form, load: Load = load_json
) -> str:
    """The text with our entry below `keys`; what a person added to an entry of ours stays.

    `load` reads the text as the client does: `load_jsonc` where it allows comments.

    Raises:
        ValueError: the text is not JSON, or holds something else where the entry belongs.
    """
    text = text if text.strip() else "{}\n"
    old = _entry(text, keys, load)
    ours = dict(form(entry))
    if "env" in ours and isinstance(old.get("env"), dict):
        ours["env"] = {**old["env"], **ours["env"]}
    # An entry without a command is for a server over HTTP: none of its keys means anything to ours.
    new = {**(old if "command" in old else {}), **ours}
    return text if new == old else set_json_value(text, (*keys, NAME), new)


def remove_server(text: str, *, keys: tuple[str, ...], load: Load = load_json) -> str:
    """The text without our entry, where it is provably ours; raises as `add_server`."""
    old = _entry(text, keys, load) if text.strip() else {}
    command = old.get("command")
    words = command if isinstance(command, list) else entry_words(command, old.get("args"))
    if not is_our_server(words):
        return text
    text = remove_json_member(text, (*keys, NAME))
    return remove_json_member(text, keys) if load(text)[keys[0]] == {} else text


def json_servers(
    place: Place, keys: tuple[str, ...], form: Form = plain_form, load: Load = load_json
) -> ServerFile:
    """The file of servers of a client that keeps them so."""
    return ServerFile(
        place,
        keys,
        partial(add_server, keys=keys, form=form, load=load),
        partial(remove_server, keys=keys, load=load),
    )


def _entry(text: str, keys: tuple[str, ...], load: Load) -> dict[str, Any]:
    found = _object(load(text), "the file")
    for at, key in enumerate((*keys, NAME)):
        found = _object(found.get(key, {}), ".".join((*keys, NAME)[: at + 1]))
    return found


def _object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a JSON object")
    return value
