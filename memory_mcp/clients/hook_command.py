"""The command that a client runs at each event, and telling ours from those of others.

Codex asks its user to trust a hook again whenever a letter of its command changes, so the command says
nothing that an upgrade could change: no version, and the program by the path at which upgrades put it too.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path, PurePath

from memory_mcp.clients.entry import program

TIMEOUT_SECONDS = 10
START_TIMEOUT_SECONDS = 20

_OURS = ("memory-mcp", "memory-mcp.exe")


@dataclass(frozen=True, slots=True)
class HookOptions:
    """What the hooks of one installation are told."""

    data_dir: Path
    caller: str = ""
    recall: bool = False
    capture_prompts: bool = True
    capture_assistant: bool = False


def hook_command(agent: str, event: str, options: HookOptions) -> str:
    """The command line of the hook for the canonical `event`, as a shell reads it."""
    words = [*program(), "hook", "--event", event, "--agent", agent, "--data-dir", str(options.data_dir)]
    words += ["--caller", options.caller] if options.caller else []
    if event == "user-prompt":
        words += ["--recall"] if options.recall else []
    if event == "stop":
        words += ["--capture-assistant"] if options.capture_assistant else []
    return shlex.join(words)


def is_our_hook(command: object) -> bool:
    """Whether a command is a hook of ours, of any version and place."""
    return bool(hook_words(command))


def hook_words(command: object) -> list[str]:
    """The words of a hook of ours after its program, none for any other command."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []
    if "hook" not in words or "--event" not in words or "--agent" not in words:
        return []
    at = words.index("hook")
    ours = PurePath(words[at - 1].replace("\\", "/")).name in _OURS or words[max(0, at - 2) : at] == [
        "-m",
        "memory_mcp",
    ]
    return words[at:] if at and ours else []
