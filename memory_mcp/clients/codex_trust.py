"""Which hooks of ours Codex does not run because its user has not said that they may.

Codex keeps in its `config.toml` a hash of every hook that its user trusts, below the file of the hook, its
event and its place there. The hash is that of event, matcher and handler with all defaults, as JSON
with sorted keys (seen with Codex 0.171, whose `hooks/list` prints it).
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from memory_mcp.capture.toml_file import parse_toml
from memory_mcp.clients.hook_command import is_our_hook
from memory_mcp.clients.json_text import load_json

_DEFAULT_SECONDS = 600
_WITHOUT_MATCHER = ("UserPromptSubmit", "Stop")
"""Events for which Codex drops the matcher."""


def untrusted_hooks(hooks_file: Path, hooks: str, config: str) -> list[str]:
    """The events of our hooks in the text `hooks` of `hooks_file` that the text `config` does not trust.

    A text that Codex could not read holds no hook, and trusts none.
    """
    try:
        groups = load_json(hooks)["hooks"].items()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    trusted = _trusted(config)
    return [
        event
        for event, members in groups
        if isinstance(members, list)
        for key, hook in _ours(hooks_file, event, members).items()
        if trusted.get(key) != hook
    ]


def _ours(file: Path, event: str, groups: list[Any]) -> dict[str, str]:
    """Key and hash of each hook of ours of this event."""
    found = {}
    file = file.parent.resolve() / file.name
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
    for at, group in enumerate(groups):
        hooks = group.get("hooks") if isinstance(group, dict) else None
        for place, hook in enumerate(hooks if isinstance(hooks, list) else []):
            if isinstance(hook, dict) and is_our_hook(hook.get("command")):
                matcher = None if event in _WITHOUT_MATCHER else group.get("matcher")
                found[f"{file}:{name}:{at}:{place}"] = _hash(name, matcher, hook)
    return found


def _hash(event: str, matcher: object, hook: dict[str, Any]) -> str:
    handler = {"timeout": _DEFAULT_SECONDS, "async": False, **hook}
    identity: dict[str, Any] = {"event_name": event, "hooks": [handler]}
    if matcher is not None:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _trusted(config: str) -> dict[str, object]:
    """The hashes of what is trusted, by key; a hook that its user turned off counts as trusted no more."""
    try:
        found: Any = parse_toml(config)
        state = found["hooks"]["state"]
        return {key: each.get("trusted_hash") for key, each in state.items() if each.get("enabled", True)}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
