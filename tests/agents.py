"""Agents as their hooks tell of them: real processes, run as the client would, with payloads of its shape."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOOK_FILES = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


def run_command(*arguments: str, home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `memory-mcp` as a person of this home would in this folder."""
    return subprocess.run(
        [sys.executable, "-m", "memory_mcp", *arguments],
        cwd=folder,
        env=environment(home),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def new_repository(folder: Path) -> Path:
    """A git repository without a commit, on the branch `retry`."""
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "retry"], cwd=folder, check=True)
    return folder


def texts_of(folder: Path) -> list[str]:
    """What the markdown files of a folder say, in the order of their names."""
    return [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.md"))]


def environment(home: Path) -> dict[str, str]:
    """What a client gives the processes that it starts."""
    return {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}


class Agent:
    """One session of a client in a folder; every method is one hook, and returns what it injects.

    The commands are those that the installers wrote into the client's own files.
    """

    def __init__(self, client: str, home: Path, folder: Path, session: str = "") -> None:
        self.client = client
        self.home = home
        self.folder = folder
        self.session = session or str(uuid.uuid4())
        self._turn = 0

    def start(self, source: str = "startup") -> str:
        """The session starts."""
        return self.fire("SessionStart", source=source, model="a-model")

    def prompt(self, text: str) -> str:
        """The user writes something."""
        self._turn += 1
        return self.fire("UserPromptSubmit", prompt=text)

    def tool(self, name: str, given: dict[str, Any], response: Any = "ok") -> None:
        """A tool is called and returns."""
        call = {"tool_name": name, "tool_input": given, "tool_use_id": f"toolu_{uuid.uuid4().hex[:12]}"}
        self.fire("PreToolUse", **call)
        self.fire("PostToolUse", **call, tool_response=response)

    def stop(self, message: str = "Done.") -> str:
        """The agent has answered."""
        return self.fire("Stop", stop_hook_active=False, last_assistant_message=message)

    def end(self, reason: str = "other") -> str:
        """The session ends."""
        return self.fire("SessionEnd", reason=reason)

    def work(self, text: str) -> None:
        """One whole turn: a prompt, an edit, an answer."""
        self.prompt(text)
        self.tool(
            "Edit", {"file_path": str(self.folder / "importer.py"), "old_string": "a", "new_string": "b"}
        )
        self.stop()

    def fire(self, event: str, **fields: Any) -> str:
        """Run every hook of this event; what they inject, joined."""
        payload = {
            "session_id": self.session,
            "transcript_path": str(self.home / "transcript.jsonl"),
            "cwd": str(self.folder),
            "hook_event_name": event,
            **fields,
        }
        return "".join(self._run(command, payload) for command in self.commands(event))

    def commands(self, event: str) -> list[str]:
        file = self.home / HOOK_FILES[self.client]
        groups = json.loads(file.read_text(encoding="utf-8"))["hooks"].get(event, [])
        return [hook["command"] for group in groups for hook in group["hooks"]]

    def _run(self, command: str, payload: dict[str, Any]) -> str:
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=environment(self.home),
            input=json.dumps(payload),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        context: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return context
