"""The clients whose configuration the product can edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.clients import claude_code, codex
from memory_mcp.clients.config_file import EditedFile, edit_config_file
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.hook_groups import add_hooks


@dataclass(frozen=True, slots=True)
class Client:
    """One client: where its own configuration lies, and how an entry gets into the text of it.

    `add_entry` raises ValueError with the reason when the text is not what the client itself could read.
    """

    name: str
    title: str
    config_file: Callable[[Mapping[str, str], Path], Path]
    add_entry: Callable[[str, ServerEntry], str]
    hooks_file: Callable[[Mapping[str, str], Path], Path]
    hook_events: Mapping[str, str]

    def snippet(self, entry: ServerEntry) -> str:
        """The entry alone, as the client's file would hold it."""
        return self.add_entry("", entry)

    def install(
        self, entry: ServerEntry, environ: Mapping[str, str], home: Path, now: datetime
    ) -> EditedFile:
        """Put the entry into the client's file; see `edit_config_file`."""
        return edit_config_file(
            self.config_file(environ, home), lambda text: self.add_entry(text, entry), now
        )

    def install_hooks(
        self, options: HookOptions, environ: Mapping[str, str], home: Path, now: datetime
    ) -> EditedFile:
        """Put our hooks into the client's file; see `edit_config_file`."""
        return edit_config_file(
            self.hooks_file(environ, home),
            lambda text: add_hooks(text, self.name, self.hook_events, options),
            now,
        )


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            claude_code.config_file,
            claude_code.add_entry,
            claude_code.hooks_file,
            claude_code.HOOK_EVENTS,
        ),
        Client("codex", "Codex", codex.config_file, codex.add_entry, codex.hooks_file, codex.HOOK_EVENTS),
    )
}
