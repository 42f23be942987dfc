"""Hooks as Cursor writes them: by event, a list of commands without groups, below a version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_mcp.clients.hook_command import (
    HookOptions,
    hook_command,
    hook_words,
    is_our_hook,
    settled_options,
)
from memory_mcp.clients.json_text import load_json, remove_json_member, set_json_value

VERSION = 1


def add_flat_hooks(text: str, options: HookOptions, agent: str, events: Mapping[str, str]) -> str:
    """The JSON text with one hook of ours an event; everything of others stays.

    Raises:
        ValueError: the text is not JSON, or holds something else where hooks belong.
    """
    text = text if text.strip() else "{}\n"
    installed = {
        events[name]: hook_words(command) for name, command in our_flat_hooks(text) if name in events
    }
    options = settled_options(options, installed)
    if "version" not in load_json(text):
        text = set_json_value(text, ("version",), VERSION)
    for name, event in events.items():
        if event == "user-prompt" and not options.capture_prompts:
            text = _set(text, name, None)
        else:
            text = _set(text, name, {"command": hook_command(agent, event, options)})
    return text


def remove_flat_hooks(text: str) -> str:
    """The JSON text without our hooks, and without what only they filled; raises as `add_flat_hooks`."""
    if not text.strip():
        return text
    for name in _hooks(text):
        text = _set(text, name, None)
    left = load_json(text)
    if left.get("hooks") == {}:
        text = remove_json_member(text, ("hooks",))
    return "" if set(left) <= {"version", "hooks"} and not left.get("hooks") else text


def our_flat_hooks(text: str) -> list[tuple[str, str]]:
    """Event, as the client calls it, and command of every hook of ours; raises as `add_flat_hooks`."""
    return [
        (name, each["command"]) for name, hooks in _hooks(text).items() for each in hooks if _is_ours(each)
    ]


def _set(text: str, name: str, ours: Mapping[str, Any] | None) -> str:
    hooks = _hooks(text).get(name, [])
    mine = [each for each in hooks if _is_ours(each)]
    if mine == ([ours] if ours is not None else []):
        return text
    kept = [each for each in hooks if not _is_ours(each)] + ([ours] if ours is not None else [])
    if not kept:
        return remove_json_member(text, ("hooks", name))
    return set_json_value(text, ("hooks", name), kept)


def _hooks(text: str) -> dict[str, list[Any]]:
    found = load_json(text)
    hooks = found.get("hooks", {}) if isinstance(found, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise ValueError("hooks is not an object of lists")
    return hooks


def _is_ours(hook: object) -> bool:
    return isinstance(hook, dict) and is_our_hook(hook.get("command"))
