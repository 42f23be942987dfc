"""Hooks as Claude Code and the clients that follow it write them: by event, in groups with a matcher."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memory_mcp.clients.hook_command import (
    END_TIMEOUT_SECONDS,
    START_TIMEOUT_SECONDS,
    TIMEOUT_SECONDS,
    HookOptions,
    hook_command,
    hook_words,
    is_our_hook,
    settled_options,
)
from memory_mcp.clients.json_text import load_json, remove_json_member, set_json_items

_TIMEOUTS = {"session-start": START_TIMEOUT_SECONDS, "session-end": END_TIMEOUT_SECONDS}

Load = Callable[[str], Any]
Events = Mapping[str, str]
"""The client's name of each event, and ours."""


def add_hooks(
    text: str,
    options: HookOptions,
    agent: str,
    events: Events,
    load: Load = load_json,
    units_per_second: int = 1,
) -> str:
    """The JSON text with one hook of ours an event; everything of others stays.

    The client counts time-outs in units of which a second has `units_per_second`.

    Raises:
        ValueError: the text is not JSON, or holds something else where hooks belong.
    """
    text = text if text.strip() else "{}\n"
    options = settled_options(
        options,
        {events[name]: hook_words(command) for name, command in our_hooks(text, load) if name in events},
    )
    wanted = {
        name: event for name, event in events.items() if event != "user-prompt" or _wants_prompts(options)
    }
    for name in _groups(text, load):
        if name not in wanted:
            text = _set_event(text, name, None, load)
    for name, event in wanted.items():
        command = hook_command(agent, event, options)
        timeout = _TIMEOUTS.get(event, TIMEOUT_SECONDS) * units_per_second
        hook = {"type": "command", "command": command, "timeout": timeout}
        text = _set_event(text, name, {"matcher": "", "hooks": [hook]}, load)
    return text


def remove_hooks(text: str, load: Load = load_json) -> str:
    """The JSON text without our hooks, and without what only they filled; raises as `add_hooks`."""
    if not text.strip():
        return text
    for name in _groups(text, load):
        text = _set_event(text, name, None, load)
    if load(text).get("hooks") == {}:
        text = remove_json_member(text, ("hooks",))
    return text


def our_hooks(text: str, load: Load = load_json) -> list[tuple[str, str]]:
    """Event, as the client calls it, and command of every hook of ours in the text; raises as `add_hooks`."""
    return [
        (name, hook["command"])
        for name, groups in _groups(text, load).items()
        for group in groups
        for hook in _hooks_of(group)
        if is_our_hook(hook.get("command"))
    ]


def _wants_prompts(options: HookOptions) -> bool:
    return bool(options.capture_prompts or options.recall)


def _set_event(text: str, name: str, ours: dict[str, Any] | None, load: Load) -> str:
    """Let the event have this group of ours, and no other, None for none at all.

    It takes the place of an older one: Codex knows the hooks that its user trusts by their place in the list.
    """
    groups = _groups(text, load).get(name, [])
    kept: list[Any] = []
    is_set = ours is None
    for group in groups:
        hooks = _hooks_of(group)
        others = [each for each in hooks if not is_our_hook(each.get("command"))]
        if len(others) == len(hooks):
            kept.append(group)
            continue
        if others:
            kept.append({**group, "hooks": others})
        elif not is_set:
            kept.append(ours)
            is_set = True
    kept += [] if is_set else [ours]
    if kept == groups:
        return text
    if not kept:
        return remove_json_member(text, ("hooks", name))
    return set_json_items(text, ("hooks", name), groups, kept)


def _groups(text: str, load: Load) -> dict[str, list[Any]]:
    found = load(text)
    if not isinstance(found, dict):
        raise ValueError("the file is not a JSON object")
    hooks = found.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise ValueError("hooks is not an object of lists")
    return hooks


def _hooks_of(group: object) -> list[dict[str, Any]]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return [each for each in hooks if isinstance(each, dict)] if isinstance(hooks, list) else []
