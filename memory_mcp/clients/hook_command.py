"""The command that a client runs at each event, and telling ours from those of others.

Codex asks its user to trust a hook again whenever a letter of its command changes, so the command says
nothing that an upgrade could change: no version, and the program by the path at which upgrades put it too.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memory_mcp.clients.entry import is_our_program, program

TIMEOUT_SECONDS = 10
START_TIMEOUT_SECONDS = 20
END_TIMEOUT_SECONDS = 3
"""Codex allows no more at the end of a session, and Claude Code half of it."""


@dataclass(frozen=True, slots=True)
class HookOptions:
    """What the hooks of one installation are told; None is as it was, else as it is by default.

    Without a `data_dir` they use the default one. `program` is what they run, None for this installation.
    """

    data_dir: Path | None
    caller: str = ""
    program: tuple[str, ...] | None = None
    recall: bool | None = None
    capture_prompts: bool | None = None
    capture_assistant: bool | None = None


def hook_command(agent: str, event: str, options: HookOptions) -> str:
    """The command line of the hook for the canonical `event`, as a shell reads it."""
    words = [*(options.program or program()), "hook", "--event", event, "--agent", agent]
    words += ["--data-dir", str(options.data_dir)] if options.data_dir else []
    words += ["--caller", options.caller] if options.caller else []
    if event == "user-prompt":
        words += ["--recall"] if options.recall else []
        words += [] if options.capture_prompts else ["--no-capture-prompts"]
    if event == "stop":
        words += ["--capture-assistant"] if options.capture_assistant else []
    return shlex.join(words)


def settled_options(options: HookOptions, installed: Mapping[str, Sequence[str]]) -> HookOptions:
    """The options without a None; `installed` are the words of our hooks so far, by event."""
    prompt = installed.get("user-prompt")
    recalled = prompt is not None and "--recall" in prompt
    silent = bool(installed) and (prompt is None or "--no-capture-prompts" in prompt)
    told = "--capture-assistant" in installed.get("stop", ())
    return replace(
        options,
        recall=recalled if options.recall is None else options.recall,
        capture_prompts=not silent if options.capture_prompts is None else options.capture_prompts,
        capture_assistant=told if options.capture_assistant is None else options.capture_assistant,
    )


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
    ours = at and (is_our_program(words[at - 1]) or words[:at][-2:] == ["-m", "memory_mcp"])
    return words[at:] if ours else []
