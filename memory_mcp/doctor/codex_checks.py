"""Whether Codex runs our hooks: it passes over those that its user has not trusted, and says nothing.

Where the files say that it does not, Codex itself is asked, over the protocol that its own windows use
(`codex app-server`, one JSON object a line): how it tells a hook that it trusts may change.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory_mcp.clients import codex
from memory_mcp.clients.codex_trust import untrusted_hooks
from memory_mcp.clients.hook_command import is_our_hook
from memory_mcp.doctor.bounded_process import bounded_process
from memory_mcp.doctor.client_checks import Installed, read_text
from memory_mcp.doctor.finding import Finding

TIMEOUT_SECONDS = 15
_RUNS = ("trusted", "managed")
_REQUESTS = 2


def check_trust(
    installed: Sequence[Installed], environ: Mapping[str, str], folder: Path
) -> Iterator[Finding]:
    """What keeps Codex from running our hooks in `folder`."""
    here = [each for each in installed if each.client is codex.CLIENT]
    idle: list[Any] = [event for each in here if each.hooks for event in _untrusted(each)]
    if not idle and not any(each.plugin for each in here):
        return  # the files of a plugin are Codex's own affair
    program = shutil.which("codex", path=environ.get("PATH"))
    answer = _ask(program, environ, folder) if program else None
    told = _told(answer)
    if told is not None:
        idle = [hook for hook in told if hook.get("trustStatus") not in _RUNS or hook.get("enabled") is False]
    if idle:
        text = (
            f"Codex does not run {len(idle)} of our hooks, since you have not trusted them: start it and say "
            "yes when it asks, or look at /hooks"
        )
        yield Finding("hooks-untrusted", text, ("codex",))


def _untrusted(here: Installed) -> list[Any]:
    hooks = here.target.file(codex.CLIENT.hooks.place) if codex.CLIENT.hooks else None
    config = replace(here.target, project=None).file(codex.CLIENT.servers.place)
    return untrusted_hooks(hooks, read_text(hooks), read_text(config)) if hooks else []


def _ask(program: str, environ: Mapping[str, str], folder: Path) -> Any:
    """What Codex answers when asked for its hooks; None where it does not."""
    client = {"name": "memory-mcp", "title": "memory-mcp", "version": "1"}
    messages = (
        {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": _REQUESTS, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    )
    try:
        with bounded_process((program, "app-server"), TIMEOUT_SECONDS, folder, environ) as server:
            return _talk(server, messages)
    except OSError:
        return None


def _talk(server: subprocess.Popen[bytes], messages: tuple[Mapping[str, object], ...]) -> Any:
    assert server.stdin is not None and server.stdout is not None
    for message in messages:
        server.stdin.write(json.dumps(message).encode() + os.linesep.encode())
    server.stdin.flush()
    for line in server.stdout:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(answer, dict) and answer.get("id") == _REQUESTS:
            return answer.get("result")
    return None


def _told(result: Any) -> list[Mapping[str, Any]] | None:
    """Our hooks in the answer, of every file that Codex knows, each once; None where that is no answer."""
    try:
        found = [hook for each in result["data"] for hook in each["hooks"]]
        ours = [hook for hook in found if is_our_hook(hook.get("command"))]
    except (KeyError, TypeError, AttributeError):
        return None
    return list({str(hook.get("key")): hook for hook in ours}.values())
